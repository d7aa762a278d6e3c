#!/usr/bin/env bash
# How long it takes to say what one changed line can affect, in programs of all sizes.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
require time python3
cargo build --release --quiet --package parallax
parallax=$PWD/target/release/parallax
export PARALLAX_CACHE=$real/cache

# The program, the package, the file that is changed, and how; each change is deep in the program.
subjects() {
    cat << 'TABLE'
dc/dc bc lib/number.c s/zero = TRUE;/zero = FALSE;/
src/cut coreutils src/cut.c s/print_delimiter = true;/print_delimiter = false;/
src/sort coreutils src/sort.c s/diff = - NONZERO (lenb);/diff = NONZERO (lenb);/
sed/sed sed sed/execute.c s/if (count < sub->numb)/if (count <= sub->numb)/
src/diff diffutils src/analyze.c s/discards\[i\] == 2/discards[i] == 1/
src/grep grep src/dfasearch.c s/dc->begline |= dm->begline;/dc->begline = dm->begline;/
jq jq src/jv_parse.c 154s/p->stackpos >= MAX_PARSING_DEPTH/p->stackpos > MAX_PARSING_DEPTH/
sqlite3 sqlite3 sqlite3.c 74436s/searchList = 1;/searchList = 0;/
TABLE
}

# The package once more, with the change.
change() {
    local package=$1 file=$2 edit=$3 program=$4 tree=$real/changed/$1-${4##*/}
    [ ! -x "$tree/$program" ] || [ ! -e "$tree/.changed" ] || return 0
    rm -rf "$tree"
    mkdir -p "$real/changed"
    cp -a "$real/build/$package" "$tree"
    sed -i "$edit" "$tree/$file"
    if cmp -s "$tree/$file" "$real/build/$package/$file"; then
        echo "$edit does not change $file" >&2
        return 1
    fi
    (cd "$tree" && make -j2 MAKEINFO=true "$([ "$package" = sqlite3 ] && echo sqlite3 || echo all)" && touch .changed) \
        > "$real/$package.changed.log" 2>&1 || { tail -5 "$real/$package.changed.log" >&2; return 1; }
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-10s %8s %8s %8s %8s %8s %9s %9s\n' program lines instrs seconds MiB changes pruned left-out
while read -r program package file edit; do
    name=${program##*/}
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    [ -x "$real/build/$package/$program" ] || bench/real.sh "$package" > /dev/null
    change "$package" "$file" "$edit" "$program"
    /usr/bin/time -f '%e %M' -o "$work/time" "$parallax" changes --json "$real/build/$package/$program" \
        "$real/changed/$package-$name/$program" > "$work/changes.json" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
    "$parallax" module "$real/build/$package/$program" -o "$work/module.bc" > /dev/null 2>&1
    python3 bench/static/row.py "$name" "$work/changes.json" "$work/module.bc" $(cat "$work/time") | tee -a "$work/rows"
done < <(subjects)
python3 bench/static/plot.py < "$work/rows"
