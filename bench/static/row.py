"""One row of the table: what `parallax changes` has found, how long it took, and the lines it was about."""

import json
import subprocess
import sys

name, report, module, seconds, kibibytes = sys.argv[1:]
with open(report) as file:
    report = json.load(file)
size = report["size"]
# The lines that have code, in all files that the debug information names.
dump = subprocess.run(["llvm-dis-19", "-o", "-", module], capture_output=True, text=True, check=True).stdout
places = set()
for line in dump.splitlines():
    if "!DILocation(line: " in line:
        text = line.split("!DILocation(line: ", 1)[1]
        number = text.split(",", 1)[0]
        scope = text.split("scope: ", 1)[1].split(",")[0].rstrip(")")
        places.add((number, scope))
changes = report["changes"]
ways = max(1, size["ways"])
pruned = min((change["irrelevant_before"] for change in changes), default=ways) / ways
affected = max((change["affects"]["instructions"] for change in changes), default=0)
left_out = 1 - affected / max(1, size["instructions"])
print(
    f"{name:<10} {len(places):8d} {size['instructions']:8d} {float(seconds):8.2f} {int(kibibytes) / 1024:8.0f}"
    f" {len(changes):8d} {pruned:9.1%} {left_out:9.1%}"
)
