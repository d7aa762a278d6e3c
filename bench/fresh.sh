#!/usr/bin/env bash
# Compares two copies of a program that changes all it can reach; the number of comparisons may follow (10,000).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
cargo run --release --quiet --package parallax-run --example bench_fresh -- "$@"
