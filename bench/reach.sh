#!/usr/bin/env bash
# Branches that exploring each program of tests/programs from nothing covers in REACH_TIME (30s).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
parallax=$PWD/target/release/parallax
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# What a branch can do is known from what some test does: those written by hand, and what is found.
covered() { "$parallax" coverage "$1" "${@:2}" 2> /dev/null | sed -n 's/^all .* \([0-9]*\) of \([0-9]*\) ([0-9.]*%)$/\1 \2/p'; }
# Inputs that were solved for with their whole path, and those that went where they should.
exact() { sed -n '/"exact": {/,/}/s/.*: \([0-9]*\),\?$/\1/p' "$1" | paste -sd' '; }
total=0 reached=0 programs=0 made=0 as_meant=0
printf '%-12s %8s %10s %8s %7s\n' program reached reachable all share
for source in tests/programs/*/*.c; do
    name=$(basename "$source" .c)
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    "$parallax" explore "$source" --json --budget "${REACH_TIME:-30s}" --out "$out/$name" \
        > "$out/$name.json" 2> "$out/$name.log" || { tail -3 "$out/$name.log" >&2; exit 1; }
    read -r inputs meant < <(exact "$out/$name.json")
    made=$((made + inputs)) as_meant=$((as_meant + meant))
    read -r own all < <(covered "$source" --tests "$out/$name/corpus")
    read -r possible all < <(covered "$source" --tests "$out/$name/corpus" --tests "tests/programs/$name/tests")
    printf '%-12s %8d %10d %8d %6.1f%%\n' "$name" "$own" "$possible" "$all" "$(bc -l <<< "100 * $own / $possible")"
    total=$((total + possible)) reached=$((reached + own)) programs=$((programs + 1))
done
printf '%d inputs solved with their whole path, %.2f%% of them went where they should\n' \
    "$made" "$(bc -l <<< "100 * $as_meant / $made")"
printf 'reach: %.1f%% of reachable branches, %d programs\n' "$(bc -l <<< "100 * $reached / $total")" "$programs"
