# Random one-line changes of real programs, each built; sourced by the scripts beside it after packages.sh.
# `each` is how many are drawn of a program.
require python3 zlib1g-dev
bin=$PWD/target/release
export PARALLAX_CACHE=$real/cache
mutants=$real/mutants
seed=1
mkdir -p "$mutants"
# The one that is measured stays the same while it is.
cp "$bin/parallax" "$mutants/parallax"
parallax=$mutants/parallax

# The program, its package, and the files that are changed.
subjects() {
    cat << 'TABLE'
src/cut coreutils src/cut.c
src/expr coreutils src/expr.c
src/seq coreutils src/seq.c
src/tac coreutils src/tac.c
src/paste coreutils src/paste.c
sed/sed sed sed/compile.c sed/execute.c sed/regexp.c sed/sed.c
bc/bc bc bc/main.c bc/execute.c bc/load.c bc/storage.c bc/util.c lib/number.c
dc/dc bc dc/dc.c dc/eval.c dc/stack.c dc/string.c dc/array.c dc/numeric.c lib/number.c
src/grep grep src/grep.c src/dfasearch.c src/kwsearch.c src/kwset.c src/searchutils.c
pngtest libpng pngtest.c png.c pngget.c pngset.c pngread.c pngrutil.c pngrtran.c pngwrite.c pngwutil.c
TABLE
}

# A tree of the package to make changes in, and the program as it is without one.
prepare() {
    local package=$1
    [ -d "$real/build/$package" ] || bench/real.sh "$package" > /dev/null
    [ ! -d "$mutants/$package" ] || return 0
    mkdir -p "$mutants"
    cp -a "$real/build/$package" "$mutants/.$package"
    if [ "$package" = libpng ]; then
        # The program is a script that finds its library otherwise.
        (cd "$mutants/.$package" && make -s clean && ./configure -q --disable-shared --disable-dependency-tracking \
            CC="$bin/parallax-cc" && make -s -j2) > "$real/$package.mutants.log" 2>&1
    fi
    mv "$mutants/.$package" "$mutants/$package"
}

# Builds the program of a tree and puts it at $3.
build() {
    # The one package with many programs has a rule for each.
    local goal
    goal=$([ "$1" = coreutils ] && echo "$2" || echo all)
    (cd "$mutants/$1" && make -j2 MAKEINFO=true "$goal") > "$real/$1.mutants.log" 2>&1 || return 1
    cp "$mutants/$1/$2" "$3"
}

# Changes one line, builds, and changes it back.
mutant() {
    local program=$1 package=$2 place=$3 old=$4 new=$5 target=$6 built=0
    local file=${place%:*} line=${place##*:}
    restore "$package" "$file"
    python3 "$PWD/bench/real-changes/replace.py" "$mutants/$package/$file" "$line" "$old" "$new" || exit 1
    build "$package" "$program" "$target" || built=1
    restore "$package" "$file"
    return $built
}

restore() { cp "$real/build/$1/$2" "$mutants/$1/$2"; }

# Draws changes of a program until there are enough that make another program, that something leads to, and
# that are not known to be dead.
draw() {
    local program=$1 package=$2 name=${1##*/} count=0 place old new
    shift 2
    prepare "$package"
    mkdir -p "$mutants/bin/$name"
    [ -x "$mutants/bin/$name/old" ] || build "$package" "$program" "$mutants/bin/$name/old"
    while IFS=$'\t' read -r place old new; do
        [ "$count" -lt $each ] || break
        if grep -qF "$name	$place	$new	" "$PWD/bench/real-changes/dead.tsv"; then continue; fi
        local target=$mutants/bin/$name/${place//[\/:]/-}
        if [ ! -e "$target.state" ]; then
            if ! mutant "$program" "$package" "$place" "$old" "$new" "$target"; then
                echo broken > "$target.state"
            else
                "$parallax" changes --json "$mutants/bin/$name/old" "$target" | python3 -c '
import json, sys
changes = json.load(sys.stdin)["changes"]
reachable = any(change["reachable"] for change in changes)
print("changed" if reachable else "unreachable" if changes else "same")' > "$target.state"
            fi
        fi
        [ "$(cat "$target.state")" = changed ] || continue
        count=$((count + 1))
        printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$place" "$target" "$old" "$new"
    done < <(python3 "$PWD/bench/real-changes/mutate.py" $seed 60 "$real/build/$package" "$@")
}
