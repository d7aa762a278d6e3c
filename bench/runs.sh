#!/usr/bin/env bash
# Sandboxed runs a second on one core, beside unsandboxed ones and a bare fork and exec.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
cargo run --release --quiet --package parallax-run --example bench_runs
