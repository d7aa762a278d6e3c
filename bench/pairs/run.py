"""Checks each pair of tests/pairs, or those that are named, and says which verdicts are right."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import tomllib

parallax, budget, *names = sys.argv[1:]
root = pathlib.Path("tests/pairs")
right, seconds = 0, []
pairs = sorted(folder for folder in root.iterdir() if (folder / "pair.toml").exists())
pairs = [pair for pair in pairs if not names or pair.name in names]


def is_right(expected, result):
    """Whether a result is what the pair says."""
    if expected["verdict"] == "different":
        seen = {aspect for finding in result["findings"] for aspect in finding["differs_in"]}
        return result["verdict"] == "different" and seen >= set(expected.get("differs_in", []))
    if expected["verdict"] == "equivalent":
        return result["verdict"] == "equivalent"
    return not result["findings"]


print(f"{'pair':32} {'expected':12} {'verdict':20} {'runs':>7} {'seconds':>8}")
for pair in pairs:
    expected = tomllib.loads((pair / "pair.toml").read_text())
    with tempfile.TemporaryDirectory() as folder:
        words = [parallax, "check", pair / "old.c", pair / "new.c", "--budget", budget, "--json"]
        run = subprocess.run([*words, "--out", f"{folder}/out"], capture_output=True, text=True)
    if run.returncode > 1:
        print(f"{pair.name:32} {expected['verdict']:12} failed: {run.stderr.strip()[-200:]}")
        continue
    result = json.loads(run.stdout)
    fine = is_right(expected, result)
    right += fine
    if expected["verdict"] == "different" and fine:
        seconds.append(result["seconds"])
    mark = "" if fine else "  WRONG"
    runs = result["runs"]["new"]
    print(f"{pair.name:32} {expected['verdict']:12} {result['verdict']:20} {runs:7} {result['seconds']:8.1f}{mark}", flush=True)
median = statistics.median(seconds) if seconds else 0
print(f"pairs: {right}/{len(pairs)} right, median {median:.1f}s")
sys.exit(right != len(pairs))
