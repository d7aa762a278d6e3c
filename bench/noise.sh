#!/usr/bin/env bash
# False findings among comparisons of a program that prints one random bit, and their cost (./x bench noise [COUNT]; 10,000).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
count=${1:-10000}
cargo build --release --quiet --package parallax
parallax=$PWD/target/release/parallax
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PARALLAX_CACHE=$work/cache
cd "$work"

# The versions differ in a text that is not printed.
for version in old new; do
    cat > $version.c << END
#include <stdio.h>
#include <sys/random.h>
static volatile int version = sizeof "$version is not used";
int main(void)
{
    unsigned char coin;
    if (getrandom(&coin, 1, 0) != 1) return 3;
    printf("%d\n", coin & 1);
    return version * 0;
}
END
done
mkdir tests
for ((test = 0; test < count; test++)); do
    printf 'args = ["%d"]\n' "$test" > "tests/$test.toml"
done
start=$(date +%s.%N)
"$parallax" compare old.c new.c --tests tests --json > result.json || true
end=$(date +%s.%N)
python3 - "$count" "$start" "$end" << 'END'
import json, sys
count, start, end = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
summary = json.load(open("result.json"))["counts"]
print(f"{count} comparisons: {summary['different']} false findings, {summary['same']} the same, "
      f"{summary['trouble']} trouble, {summary['out_of_time']} not compared; {end - start:.1f} s, {(end - start) / count * 1e3:.2f} ms a comparison")
END
