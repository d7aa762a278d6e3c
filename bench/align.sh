#!/usr/bin/env bash
# How long it takes to record and align two runs of some millions of instructions each, and in how much memory.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
exec python3 bench/align/run.py target/release/parallax "$@"
