#!/usr/bin/env bash
# Cost of parallax-cc: building sed and bc with it against clang-19 alone.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
require dpkg-dev bison flex ed xz-utils

export PARALLAX_CACHE=$real/cache-wrapper FORCE_UNSAFE_CONFIGURE=1
rounds=${1:-3}

# Seconds that make takes in a configured tree with compiler $2.
seconds() {
    local tree=$real/wrapper/$1
    make -C "$tree" clean > /dev/null
    rm -rf "$PARALLAX_CACHE"
    local started=$EPOCHREALTIME
    make -C "$tree" -j2 CC="$2" MAKEINFO=true > "$tree.log" 2>&1 || { tail "$tree.log" >&2; exit 1; }
    awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

least() { sort -n | head -1; }

printf '%-8s %10s %14s %7s\n' program clang-19 parallax-cc ratio
worst=0
for program in sed bc; do
    fetch "$program"
    fresh_tree "$program" "$real/wrapper/$program"
    (cd "$real/wrapper/$program" && ./configure --disable-nls --disable-dependency-tracking \
        CC=clang-19 CFLAGS='-g -O2 -Wno-error=implicit-function-declaration') > /dev/null 2>&1
    : > "$real/wrapper/plain"; : > "$real/wrapper/ours"
    for ((round = 0; round < rounds; round++)); do
        seconds "$program" clang-19 >> "$real/wrapper/plain"
        seconds "$program" "$PWD/target/release/parallax-cc" >> "$real/wrapper/ours"
    done
    plain=$(least < "$real/wrapper/plain"); ours=$(least < "$real/wrapper/ours")
    ratio=$(awk -v a="$ours" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')
    printf '%-8s %9.2fs %13.2fs %6.2fx\n' "$program" "$plain" "$ours" "$ratio"
    worst=$(printf '%s\n%s\n' "$worst" "$ratio" | sort -n | tail -1)
done
printf 'wrapper: %.1fx\n' "$worst"
