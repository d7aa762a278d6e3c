#!/usr/bin/env bash
# Fits the weights of work in crates/search/src/expense.rs to the time that runs, reading and solving take.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
exec python3 bench/cost/run.py target/release/parallax "$@"
