#!/usr/bin/env bash
# Queries of exploring cut, sed and bc (SOLVE_SECONDS each, 60): all solvers together against Z3.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
export PARALLAX_CACHE=$real/cache
programs=("$real/build/coreutils/src/cut" "$real/build/sed/sed/sed" "$real/build/bc/bc/bc")
for program in "${programs[@]}"; do
    [ -x "$program" ] || { bench/real.sh coreutils sed bc; break; }
done
cargo run --release --quiet --package parallax --example bench_solve -- "${SOLVE_SECONDS:-60}" "${programs[@]}"
