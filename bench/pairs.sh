#!/usr/bin/env bash
# Whether `check` is right about each pair of tests/pairs within 30 seconds (--budget), and what it did by --runs N.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
exec python3 bench/pairs/run.py target/release/parallax "$@"
