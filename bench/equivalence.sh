#!/usr/bin/env bash
# Random pairs: whether `equivalent` and `different` are right, and how often each is found (--pairs, --seed).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
PYTHONPATH=bench/lib exec python3 bench/equivalence/run.py --parallax "$PWD/target/release/parallax" "$@"
