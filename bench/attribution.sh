#!/usr/bin/env bash
# Whether findings of versions with several changes are attributed to the changes that cause them (--pairs N, --seed S).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
PYTHONPATH=bench/lib:bench/equivalence exec python3 bench/attribution/run.py target/release/parallax "$@"
