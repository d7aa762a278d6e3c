#!/usr/bin/env bash
# Cost of runs with symbolic shadows, relative to the native program, and traced runs a second.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
cargo build --release --quiet --package parallax
cargo run --release --quiet --package parallax --example bench_overhead -- bench/overhead
