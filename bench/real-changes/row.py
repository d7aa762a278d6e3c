"""One row of the table: row.py PROGRAM PLACE OLD NEW RESULT; succeeds if a difference was found."""

import json
import pathlib
import sys

program, place, old, new, result = sys.argv[1:]
change = f"{old} => {new}" if new != ";" else f"without {old}"
try:
    found = json.loads(pathlib.Path(result).read_text())
except ValueError:
    print(f"{program:8} {place:22} failed  {change}", flush=True)
    sys.exit(1)
reached = sum(change["reached"] for change in found["changes"])
differs = ",".join(sorted({aspect for finding in found["findings"] for aspect in finding["differs_in"]}))
print(
    f"{program:8} {place:22} {found['verdict']:20} {reached}/{len(found['changes'])} reached "
    f"{found['runs']['new']:7} runs {found['seconds']:6.1f}s {differs:14} {change}",
    flush=True,
)
sys.exit(found["verdict"] != "different")
