"""One row of the table: row.py PROGRAM PLACE FIRST AGAIN; fails if a build took longer than it may."""

import json
import pathlib
import sys

program, place, *paths = sys.argv[1:]
first, again = (json.loads(pathlib.Path(path).read_text()) for path in paths)
seconds = [told["recording_seconds"] for told in (first, again)]
executed = sum(change["reached"] for change in first["changes"])
print(
    f"{program:8} {place:22} first {seconds[0]:5.1f}s  again {seconds[1]:5.1f}s  "
    f"{executed} of {len(first['changes'])} executed",
    flush=True,
)
sys.exit(seconds[0] > 10 or seconds[1] > 1)
