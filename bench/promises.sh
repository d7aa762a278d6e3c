#!/usr/bin/env bash
# Pairs that attack the promise of `equivalent`: those of tests/promises, and ten variations of each operation and route.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
PYTHONPATH=bench/lib exec python3 bench/promises/run.py tests/promises --parallax "$PWD/target/release/parallax" "$@"
