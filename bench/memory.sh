#!/usr/bin/env bash
# Traces sqlite3 reading fifty lines of SQL within 1 GiB of memory, and explores it (MEMORY_TIME, 60s).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. bench/lib/packages.sh
require time

program=$real/build/sqlite3/sqlite3
[ -x "$program" ] || { echo "sqlite3 is not built yet: ./x real builds it" >&2; exit 1; }
cargo build --release --quiet --package parallax
export PARALLAX_CACHE=$real/cache

# A table is filled, indexed, changed, asked and dropped.
sql() {
    echo "create table t(a integer primary key, b text, c real);"
    for row in $(seq 1 30); do echo "insert into t(b, c) values('row$row', $row.$((row * 37 % 100)));"; done
    cat << 'SQL'
select count(*), avg(c) from t;
select b from t where c > 15 order by c desc limit 5;
create index i on t(c);
update t set b = b || '!' where a % 3 = 0;
select group_concat(b) from t where a < 10;
delete from t where c < 6;
select a, length(b), round(c, 1) from t order by b limit 7;
begin;
insert into t(b, c) select b, c * 2 from t;
commit;
select max(c), min(c) from t;
select substr(b, 1, 2), count(*) from t group by 1;
pragma table_info(t);
explain select * from t where c > 10;
select upper(b) from t limit 3;
select b like 'ROW1%' from t limit 2;
select coalesce(null, 'x'), 7 / 2, 7 % 4;
.tables
drop table t;
SQL
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
test=$work/long.toml
{ printf 'args = [":memory:"]\nfixed = ["args", "argc"]\nstdin = """\n'; sql; printf '"""\n'; } > "$test"
lines=$(sql | wc -l)
report=$(target/release/parallax trace "$program" "$test" --memory-limit 1024 --json)
ended=$(grep -m1 '"ended"' <<< "$report" | sed 's/.*: "\(.*\)",/\1/')
nodes=$(grep -m1 '"nodes"' <<< "$report" | tr -dc 0-9)
conditions=$(grep -c '"kind"' <<< "$report")
[ "$ended" = "exit status 0" ] || { echo "sqlite3 ended with: $ended" >&2; exit 1; }
grep -q '"complete": true' <<< "$report" || { echo "the trace is not complete" >&2; exit 1; }
echo "memory: sqlite3 within 1 GiB, $lines lines, $nodes operations, $conditions conditions"

# From one short statement; the most that any process of ours held is the host's.
mkdir "$work/seeds"
printf 'args = [":memory:"]\nstdin = "select 1;\\n"\n' > "$work/seeds/one.toml"
covered() { "${PWD}/target/release/parallax" coverage "$program" --tests "$1" 2> /dev/null | sed -n 's/^all .* \([0-9]*\) of [0-9]* ([0-9.]*%)$/\1/p'; }
/usr/bin/time -f %M -o "$work/held" target/release/parallax explore "$program" --seeds "$work/seeds" \
    --budget "${MEMORY_TIME:-60s}" --memory-limit 1024 --out "$work/out" > "$work/log" 2>&1 \
    || { tail -3 "$work/log" >&2; exit 1; }
mebibytes=$(($(tail -1 "$work/held") / 1024))
[ "$mebibytes" -lt 2048 ] || { echo "the host held $mebibytes MiB" >&2; exit 1; }
echo "memory: exploring sqlite3 held $mebibytes MiB, from $(covered "$work/seeds") to $(covered "$work/out/corpus") branches"
