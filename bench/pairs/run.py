"""Checks each pair of tests/pairs, or those that are named, and says which verdicts are right.

With `--runs N` the search ends after so many runs and not by the clock, and each row ends with the number of runs,
of queries and a digest of the corpus: the same before and after a change that only moves code.
"""

import argparse
import hashlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path("tests/pairs")


def main():
    options = arguments()
    folders = sorted(folder for folder in ROOT.iterdir() if (folder / "pair.toml").exists())
    pairs = [folder for folder in folders if not options.names or folder.name in options.names]
    print(f"{'pair':32} {'expected':12} {'verdict':20} {'runs':>7} {'seconds':>8}")
    outcomes = [judge(pair, options) for pair in pairs]
    right = sum(outcome is not None for outcome in outcomes)
    found = [seconds for seconds in outcomes if seconds]
    print(f"pairs: {right}/{len(pairs)} right, median {statistics.median(found) if found else 0:.1f}s")
    sys.exit(right != len(pairs))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parallax")
    parser.add_argument("names", nargs="*", help="pairs; all if none is named")
    parser.add_argument("--budget", default="30s", help="for each pair")
    parser.add_argument("--runs", type=int, help="for each pair; the budget is then five minutes")
    parser.add_argument("--jobs", type=int, help="workers")
    return parser.parse_args()


def judge(pair, options):
    """Checks a pair and prints a row: how long a difference took, 0 for another right verdict, None for a wrong one."""
    expected = tomllib.loads((pair / "pair.toml").read_text())
    with tempfile.TemporaryDirectory() as place:
        words = [options.parallax, "check", pair / "old.c", pair / "new.c", "--json", "--out", f"{place}/out"]
        words += ["--budget", "5m", "--runs", str(options.runs)] if options.runs else ["--budget", options.budget]
        words += ["--jobs", str(options.jobs)] if options.jobs else []
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode > 1:
            print(f"{pair.name:32} {expected['verdict']:12} failed: {run.stderr.strip()[-200:]}", flush=True)
            return None
        corpus = digest(pathlib.Path(place, "out/corpus"))
    result = json.loads(run.stdout)
    fine = is_right(expected, result)
    runs, queries = result["runs"], result["queries"]
    row = f"{pair.name:32} {expected['verdict']:12} {result['verdict']:20}"
    if options.runs:
        counts = " ".join(f"{queries[kind]:6}" for kind in ("sat", "unsat", "unknown"))
        row += f" {runs['old']:6} {runs['new']:6} {counts} {corpus}"
    else:
        row += f" {runs['new']:7} {result['seconds']:8.1f}"
    print(row + ("" if fine else "  WRONG"), flush=True)
    if not fine:
        return None
    return result["seconds"] if expected["verdict"] == "different" else 0


def digest(folder):
    """A digest of all tests of a corpus, in their order."""
    tests = sorted(folder.glob("*.toml"))
    return hashlib.sha256(b"\0".join(test.read_bytes() for test in tests)).hexdigest()[:12]


def is_right(expected, result):
    """Whether a result is what the pair says."""
    if expected["verdict"] == "different":
        seen = {aspect for finding in result["findings"] for aspect in finding["differs_in"]}
        return result["verdict"] == "different" and seen >= set(expected.get("differs_in", []))
    if expected["verdict"] == "equivalent":
        return result["verdict"] == "equivalent"
    return not result["findings"]


main()
