#!/usr/bin/env bash
# Branches that exploring each program of tests/programs from nothing covers in REACH_TIME (30s).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
parallax=$PWD/target/release/parallax
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# What a branch can do is known from what some test does: those written by hand, and what is found.
covered() { "$parallax" coverage "$1" "${@:2}" 2> /dev/null | sed -n 's/^all .* \([0-9]*\) of \([0-9]*\) ([0-9.]*%)$/\1 \2/p'; }
total=0 reached=0 programs=0
printf '%-12s %8s %10s %8s %7s\n' program reached reachable all share
for source in tests/programs/*/*.c; do
    name=$(basename "$source" .c)
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    "$parallax" explore "$source" --budget "${REACH_TIME:-30s}" --out "$out/$name" > "$out/$name.txt" 2>&1 \
        || { tail -3 "$out/$name.txt" >&2; exit 1; }
    read -r own all < <(covered "$source" --tests "$out/$name/corpus")
    read -r possible all < <(covered "$source" --tests "$out/$name/corpus" --tests "tests/programs/$name/tests")
    printf '%-12s %8d %10d %8d %6.1f%%\n' "$name" "$own" "$possible" "$all" "$(bc -l <<< "100 * $own / $possible")"
    total=$((total + possible)) reached=$((reached + own)) programs=$((programs + 1))
done
printf 'reach: %.1f%% of reachable branches, %d programs\n' "$(bc -l <<< "100 * $reached / $total")" "$programs"
