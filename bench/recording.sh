#!/usr/bin/env bash
# How long the builds take that record what changes do, in five real programs: the first time and again.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
. bench/lib/mutants.sh
each=${RECORDING_CHANGES:-2}

# One test of each program.
example() {
    case $1 in
        sed) printf 'args = ["-n", "s/o/0/g; /w/{p;=}; $p"]\nstdin = "hello\\nworld\\nfoo\\n"\n' ;;
        bc) printf 'stdin = "scale=5; define f(n) { if (n < 2) return (n); return (f(n-1) + f(n-2)); }\\nf(9)/7\\nsqrt(2)\\n"\n' ;;
        dc) printf 'stdin = "5 k 2 v p [1 + p] sa 3 la x 7 / p\\n"\n' ;;
        grep) printf 'args = ["-n", "-i", "o.*d\\\\|foo"]\nstdin = "hello\\nworld\\nfoo\\n"\n' ;;
        pngtest)
            [ -d "$mutants/pictures" ] || python3 bench/real-changes/pictures.py "$real/build/libpng" "$mutants/pictures"
            cat "$(find "$mutants/pictures" -name '*.toml' | sort | head -1)" ;;
    esac
}

late=0 all=0
while read -r program package files; do
    name=${program##*/}
    case $name in sed | bc | dc | grep | pngtest) ;; *) continue ;; esac
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    # shellcheck disable=SC2086
    draw "$program" "$package" $files > "$mutants/$name.drawn"
    example "$name" > "$mutants/$name.example.toml"
    while IFS=$'\t' read -r name place target old new; do
        all=$((all + 1))
        # A cache in which nothing was recorded yet; the bitcode of the programs is in the one they were built with.
        cache=$(mktemp -d)
        ln -s "$PARALLAX_CACHE/bitcode" "$cache/bitcode"
        for time in first again; do
            PARALLAX_CACHE=$cache "$parallax" explain --json "$mutants/bin/$name/old" "$target" "$mutants/$name.example.toml" \
                > "$target.$time.json" 2> "$target.log" < /dev/null || [ $? -eq 1 ] || cat "$target.log" >&2
        done
        rm -rf "$cache"
        python3 bench/recording/row.py "$name" "$place" "$target.first.json" "$target.again.json" || late=$((late + 1))
    done < "$mutants/$name.drawn"
done < <(subjects)
echo "recording: $((all - late)) of $all within 10 s the first time and 1 s again"
[ "$late" -eq 0 ]
