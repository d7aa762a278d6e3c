#!/usr/bin/env bash
# Whether verbs keep their budgets (--budgets 5,20,60) and `check` obeys signals (--signals 200), hostile programs and tests/pairs.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v python3 > /dev/null || { echo "python3 is needed" >&2; exit 2; }
cargo build --release --quiet --package parallax
exec python3 bench/budget/run.py target/release/parallax "$@"
