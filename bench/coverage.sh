#!/usr/bin/env bash
# Branches of eight real programs that exploring and AFL++ cover (COVERAGE_SECONDS each, 300).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
require afl++ dpkg-dev bison flex util-linux
parallax=$PWD/target/release/parallax
seconds=${COVERAGE_SECONDS:-300}
export PARALLAX_CACHE=$real/cache FORCE_UNSAFE_CONFIGURE=1
all=(coreutils/src/cut coreutils/src/paste coreutils/src/tac coreutils/src/b2sum coreutils/src/expr
    coreutils/src/seq sed/sed/sed bc/dc/dc)
wanted=("$@"); [ $# -gt 0 ] || wanted=("${all[@]##*/}")

# The packages as AFL++ wants them.
afl_build() {
    local package=$1 tree=$real/afl/$1
    [ ! -e "$tree/.built" ] || return 0
    fetch "$package"
    fresh_tree "$package" "$tree"
    (cd "$tree" && ./configure --disable-nls --disable-dependency-tracking CC=afl-clang-fast \
        && AFL_QUIET=1 make -j2 MAKEINFO=true && touch .built) > "$real/$package.afl.log" 2>&1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 711 "$work"
clang-19 -O1 -fPIC -shared -o "$work/shim.so" bench/coverage/shim.c
cargo build --release --quiet --package parallax --example afl_tests

# AFL++ as nobody, without network, in a directory of its own: commands that it makes sed execute stay there.
run_afl() {
    local program=$1 out=$2
    mkdir -p "$out/seeds" "$out/work"
    printf 'a\0\0a\n' > "$out/seeds/trivial"
    chown -R nobody "$out"
    (cd "$out/work" && unshare --net --pid --fork --mount-proc setpriv --reuid=65534 --clear-groups \
        env HOME="$out/work" AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
        AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_PRELOAD="$work/shim.so" \
        afl-fuzz -V "$seconds" -i "$out/seeds" -o "$out/found" -- "$program") > "$out/log" 2>&1 \
        || { tail -5 "$out/log" >&2; return 1; }
}

covered() { "$parallax" coverage "$1" --tests "$2" 2> /dev/null | sed -n 's/^all .* \([0-9]*\) of \([0-9]*\) ([0-9.]*%)$/\1 \2/p'; }

printf '%-8s %8s %8s %8s %7s\n' program ours afl++ branches ratio
ahead=0 worst=""
for name in "${wanted[@]}"; do
    for path in "${all[@]}"; do [ "${path##*/}" != "$name" ] || break; done
    package=${path%%/*}
    [ -x "$real/build/$path" ] || bench/real.sh "$package" > /dev/null
    afl_build "$package"
    "$parallax" explore "$real/build/$path" --budget "${seconds}s" --jobs 1 --out "$work/$name.ours" \
        > "$work/$name.log" 2>&1 &
    run_afl "$real/afl/$path" "$work/$name.afl"
    wait $! || { tail -3 "$work/$name.log" >&2; exit 1; }
    target/release/examples/afl_tests "$work/$name.afl/found/default/queue" "$work/$name.tests"
    read -r ours branches < <(covered "$real/build/$path" "$work/$name.ours/corpus")
    read -r theirs _ < <(covered "$real/build/$path" "$work/$name.tests")
    ratio=$(bc -l <<< "$ours / $theirs")
    printf '%-8s %8d %8d %8d %6.2fx\n' "$name" "$ours" "$theirs" "$branches" "$ratio"
    [ "$ours" -le "$theirs" ] || ahead=$((ahead + 1))
    if [ -z "$worst" ] || [ "$(bc -l <<< "$ratio < $worst")" = 1 ]; then worst=$ratio; fi
done
printf 'coverage: ahead on %d of %d, worst %.1fx\n' "$ahead" "${#wanted[@]}" "$worst"
