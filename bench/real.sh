#!/usr/bin/env bash
# Builds real programs with parallax-cc, verifies their modules, compares each with itself.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh

bin=$PWD/target/release
export PARALLAX_CACHE=$real/cache FORCE_UNSAFE_CONFIGURE=1
all=(coreutils sed bc grep diffutils zlib libpng lua jq sqlite3 csmith)

# How each is built in its tree, with $CC: only what the build itself does not find out.
configured() { ./configure --disable-nls --disable-dependency-tracking CC="$CC" "$@" && make -j2 MAKEINFO=true; }
build_coreutils() { configured --without-gmp --without-selinux; }
build_sed() { configured; }
build_bc() { configured; }
build_grep() { configured --disable-perl-regexp; }
build_diffutils() { configured; }
build_zlib() { ./configure && make -j2 all; }
build_libpng() { configured; }
build_lua() {
    echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" > src/lua5.4-deb-multiarch.h
    make linux LIBTOOL=libtool CC="$CC" CXX="$CXX"
}
build_jq() { autoreconf -fi; configured --disable-docs --without-oniguruma --disable-maintainer-mode; }
build_sqlite3() { ./configure --disable-tcl --disable-readline CC="$CC" && make -j2 sqlite3; }

package_of() { case $1 in libpng) echo libpng1.6 ;; lua) echo lua5.4 ;; *) echo "$1" ;; esac; }

# The programs of each whose modules are verified, and a suite of calls for the first of them.
programs_coreutils="src/cut src/sort src/expr src/seq src/tac src/paste src/b2sum"
programs_sed="sed/sed"
programs_bc="bc/bc dc/dc"
programs_grep="src/grep"
programs_diffutils="src/diff src/cmp"
programs_zlib="minigzip example"
programs_libpng="pngtest"
programs_lua="src/lua5.4"
programs_jq="jq"
programs_sqlite3="sqlite3"

suite_coreutils() {
    printf 'a:b:c\nd:e:f\n' | "$1" -d: -f2
    printf 'hello\n' | "$1" -b 2-3,5-
    printf 'x y z\n' > in.txt; "$1" -d' ' -f1,3 --output-delimiter=+ in.txt
    printf 'abc' | "$1" -c 2 --complement
    "$1" -f0 < /dev/null || true
    "$1" --help
}
suite_sed() {
    printf 'hello world\n' | "$1" 's/o/0/g'
    printf '1\n2\n3\n' | "$1" -n '2,$p'
    printf 'a\nb\n' > in.txt; "$1" -e '$!N;s/\n/+/' in.txt
    printf 'x\n' > edit.txt; "$1" -i s/x/y/ edit.txt
    "$1" 'y/abc/' < /dev/null || true
}
suite_bc() {
    echo '2^100' | "$1"
    printf 'scale=20\n4*a(1)\n' | "$1" -l
    printf 'define f(n){if(n<2)return(n);return(f(n-1)+f(n-2))}\nf(15)\n' | "$1"
    echo '1/0' | "$1" || true
    echo 'ibase=16;FF' > in.b; "$1" in.b < /dev/null
}
suite_grep() {
    printf 'foo\nbar\nfoobar\n' | "$1" -n foo
    printf 'foo\nbar\n' | "$1" -vc o
    printf 'a1\nb22\n' > in.txt; "$1" -E '[0-9]{2}' in.txt
    printf 'x\n' | "$1" y || true
    printf 'x\n' | "$1" '[' || true
}
suite_diffutils() {
    printf 'a\nb\nc\n' > one; printf 'a\nB\nc\nd\n' > two
    "$1" one two || true
    "$1" -U1 --label x --label y one two || true
    "$1" -y -W 40 one two || true
    "$1" one one
    "$1" one missing || true
}
suite_zlib() {
    printf 'hello hello hello\n' | "$1" -9 > out.gz; "$1" -d < out.gz
    printf 'broken' | "$1" -d || true
    printf 'text\n' > in.txt; "$1" in.txt; "$1" -d in.txt.gz
}
suite_libpng() { cp "$root/pngtest.png" .; "$1" -m pngtest.png || true; "$1" missing.png || true; "$1" pngtest.png; }
suite_lua() {
    "$1" -e 'print(("x"):rep(3), 2^53, 7//2)'
    printf 'for i=1,3 do print(i*i) end\n' | "$1" -
    printf 'error("no")\n' > e.lua; "$1" e.lua || true
    "$1" -v
}
suite_jq() {
    echo '{"a":[1,2,{"b":null}]}' | "$1" .
    echo '[3,1,2]' | "$1" -c 'sort|map(.*2)'
    echo '{"a":' | "$1" . || true
    echo '"x"' > in.json; "$1" -r . in.json
    "$1" -n '1/0' || true
}
suite_sqlite3() {
    printf 'create table t(a,b);insert into t values(1,2),(3,4);select sum(a*b) from t;\n' | "$1" :memory:
    echo 'select 1/0, typeof(1.5), hex(zeroblob(2));' | "$1" -header :memory:
    echo 'selekt;' | "$1" :memory: || true
    "$1" :memory: 'with recursive c(x) as (values(1) union all select x+1 from c where x<5) select * from c;'
}

one() {
    local name=$1 package tree log=$real/$1.log started seconds
    package=$(package_of "$name")
    fetch "$package"
    tree=$real/build/$name
    fresh_tree "$package" "$tree"
    started=$SECONDS
    (cd "$tree" && export CC=$bin/parallax-cc CXX=$bin/parallax-c++ && "build_$name") > "$log" 2>&1 \
        || { tail -5 "$log" >&2; fail "$name" "build failed, see $log"; return; }
    seconds=$((SECONDS - started))
    local programs first figures="" program
    programs="programs_$name"; programs=${!programs}; first=${programs%% *}
    for program in $programs; do
        figures=$("$bin/parallax" module "$tree/$program" 2>> "$log") || { fail "$name" "no module of $program, see $log"; return; }
        [ "$program" != "$first" ] || local shown=$figures
    done
    rm -rf "$real/tests/$name" "$real/work/$name"; mkdir -p "$real/work/$name" "$real/tests"
    export -f "suite_$name"; export root=$tree
    (cd "$real/work/$name" && "$bin/parallax" record --bin "$tree/$first" --out "$real/tests/$name" -- \
        bash -c "set -e; suite_$name $tree/$first") >> "$log" 2>&1 || { fail "$name" "recording failed, see $log"; return; }
    "$bin/parallax" compare "$tree/$first" "$tree/$first" --tests "$real/tests/$name" >> "$log" 2>&1 \
        || { fail "$name" "it differs from itself, see $log"; return; }
    passed=$((passed + 1))
    printf '%-10s %5ds  %-60s %2d tests\n' "$name" "$seconds" "${shown#*: }" "$(ls "$real/tests/$name" | wc -l)"
}

fail() { printf '%-10s FAILED: %s\n' "$1" "$2"; }

require dpkg-dev bison flex ed tcl autoconf automake libtool libtool-bin pkg-config zlib1g-dev xz-utils
passed=0
wanted=("$@"); [ $# -gt 0 ] || wanted=("${all[@]}")
printf '%-10s %6s  %-60s %s\n' package build "module of its first program" recorded
for name in "${wanted[@]}"; do
    if [ "$name" = csmith ]; then
        if bench/csmith.sh; then passed=$((passed + 1)); fi
        continue
    fi
    declare -f "build_$name" > /dev/null || die "there is no package $name; there are: ${all[*]}"
    one "$name"
done
echo "real: $passed of ${#wanted[@]} pass"
[ "$passed" -eq ${#wanted[@]} ]
