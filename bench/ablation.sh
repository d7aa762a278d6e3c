#!/usr/bin/env bash
# Worth of each part of the search: runs and seconds to a difference with each strategy, without each part, and with AFL++.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
require python3 afl++
exec python3 bench/ablation/run.py target/release/parallax "${ABLATION_TIME:-10}" "$@"
