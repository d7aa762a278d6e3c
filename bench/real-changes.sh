#!/usr/bin/env bash
# Finds differences that forty random one-line changes make in ten real programs, two minutes for each.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
. bench/lib/mutants.sh
each=4 budget=${REAL_CHANGES_TIME:-2m}

# A picture is more than can be made up in two minutes: the package has some.
seeds() {
    [ "$1" = pngtest ] || return 0
    [ -d "$mutants/pictures" ] || python3 bench/real-changes/pictures.py "$real/build/libpng" "$mutants/pictures"
    echo "--seeds $mutants/pictures"
}

exposed=0 all=0
while read -r program package files; do
    name=${program##*/}
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    # shellcheck disable=SC2086
    draw "$program" "$package" $files > "$mutants/$name.drawn"
    while IFS=$'\t' read -r name place target old new; do
        all=$((all + 1))
        out=$target.out
        # shellcheck disable=SC2046
        "$parallax" check "$mutants/bin/$name/old" "$target" --budget "$budget" --out "$out" --json $(seeds "$name") \
            > "$target.json" 2> "$target.log" < /dev/null || true
        python3 bench/real-changes/row.py "$name" "$place" "$old" "$new" "$target.json" && exposed=$((exposed + 1))
    done < "$mutants/$name.drawn"
done < <(subjects)
echo "real-changes: $exposed/$all"
