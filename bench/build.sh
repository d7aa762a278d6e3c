#!/usr/bin/env bash
# Cost of a symbolic build on one core, relative to the plain -O2 build, and of that of a second version.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
require dpkg-dev bison flex ed tcl xz-utils time

bin=${PARALLAX_BIN:-$PWD/target/release}
export PARALLAX_CACHE=$real/cache-build FORCE_UNSAFE_CONFIGURE=1
flags='-g -O2 -Wno-error=implicit-function-declaration'

# How each is configured and made, and the function that the second version changes: the file, a line
# in it, and what is put behind that line.
configure_sed() { ./configure --disable-nls --disable-dependency-tracking "$@"; }
configure_bc() { ./configure --disable-dependency-tracking "$@"; }
configure_sqlite3() { ./configure --disable-tcl --disable-readline "$@"; }
make_sed() { make sed/sed "$@"; }
make_bc() { make -C lib "$@" && make -C bc "$@"; }
make_sqlite3() { make sqlite3 "$@"; }
program_sed=sed/sed program_bc=bc/bc program_sqlite3=sqlite3
change_sed=('sed/utils.c' '^  clearerr (stream);$' '  if (nmemb == 4711) panic ("too many");')
change_bc=('lib/number.c' '^  if (num == _zero_) return TRUE;$' '  if (num->n_len == 4711) return TRUE;')
change_sqlite3=('sqlite3.c' '^SQLITE_PRIVATE int sqlite3GetInt32(const char \*zNum, int \*pValue){$' '  if( zNum[0]==0 ) return 0;')

# Runs a command on one core; leaves the seconds of processor time in $seconds and the memory of its
# largest process, in MiB, in $memory. What else the machine does counts in neither.
core=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
measured() {
    local report=$real/measured
    taskset -c "$core" env time -o "$report" -f '%U %S %M' "$@" > "$real/measured.log" 2>&1 \
        || { tail "$real/measured.log" >&2; exit 1; }
    read -r seconds memory < <(awk '{ printf "%.2f %d\n", $1 + $2, $3 / 1024 }' "$report")
}

without_objects() { find "$1" \( -name '*.o' -o -name '*.a' -o -name '*.lo' \) -delete; rm -f "$1/$2"; }
make_in() { (cd "$1" && "make_$2" MAKEINFO=true CFLAGS="$flags" "${@:3}"); }
export -f make_in make_sed make_bc make_sqlite3
export flags
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
symbolic() { measured "$bin/parallax" module "$1" --symbolic-build "$real/speed/program"; }

one() {
    local name=$1 tree=$real/speed/$1 program change plain first peak second
    program=program_$name; program=${!program}
    change="change_$name[@]"; change=("${!change}")
    fetch "$name"
    if [ ! -f "$tree/configured" ]; then
        fresh_tree "$name" "$tree"
        (cd "$tree" && "configure_$name" CC=clang-19 CFLAGS="$flags" && make_in . "$name" CC=clang-19 -j2) \
            > "$tree.log" 2>&1 || { tail "$tree.log" >&2; exit 1; }
        cp "$tree/${change[0]}" "$tree/configured"
    fi
    without_objects "$tree" "$program"
    cp "$tree/configured" "$tree/${change[0]}"
    measured bash -c 'make_in "$@"' make "$tree" "$name" CC=clang-19; plain=$seconds
    without_objects "$tree" "$program"
    make_in "$tree" "$name" CC="$bin/parallax-cc" -j2 >> "$tree.log" 2>&1 || { tail "$tree.log" >&2; exit 1; }
    rm -rf "$PARALLAX_CACHE/groups"
    symbolic "$tree/$program"; first=$seconds peak=$memory
    # On the same line: sqlite3 has line numbers in its code, and would be another one below.
    sed -i "0,/${change[1]}/s//& ${change[2]}/" "$tree/${change[0]}"
    ! cmp -s "$tree/configured" "$tree/${change[0]}" || { echo "$name has no line to change" >&2; exit 1; }
    make_in "$tree" "$name" CC="$bin/parallax-cc" -j2 >> "$tree.log" 2>&1 || { tail "$tree.log" >&2; exit 1; }
    symbolic "$tree/$program"; second=$seconds
    times=$(ratio "$first" "$plain") again=$(ratio "$second" "$first")
    printf '%-8s %8.1fs %8.1fs %6.1fx %7d MiB %8.1fs %6.2fx\n' \
        "$name" "$plain" "$first" "$times" "$peak" "$second" "$again"
    summary_times[$name]=$times summary_seconds[$name]=$first
    worst=$(printf '%s\n%s\n' "$worst" "$again" | sort -n | tail -1)
}

mkdir -p "$real/speed"
declare -A summary_times summary_seconds
worst=0
wanted=("$@"); [ $# -gt 0 ] || wanted=(sed bc sqlite3)
# The runtime is compiled once for all programs.
echo 'int main(void) { return 0; }' > "$real/speed/small.c"
"$bin/parallax-cc" "$real/speed/small.c" -o "$real/speed/small"
"$bin/parallax" module "$real/speed/small" --symbolic-build "$real/speed/program" > /dev/null
printf '%-8s %9s %9s %7s %11s %9s %7s\n' program plain symbolic ratio memory second ratio
for name in "${wanted[@]}"; do
    one "$name"
done
printf 'build: sed %.1fx sqlite3 %.0fs second %.2fx\n' \
    "${summary_times[sed]:-0}" "${summary_seconds[sqlite3]:-0}" "$worst"
