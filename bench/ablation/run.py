"""Searches for the difference of each pair with each strategy, without each part of the search, and with AFL++.

usage: run.py PARALLAX SECONDS [PAIR...]
"""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import tomllib

import fuzz

parallax, seconds, *names = sys.argv[1:]
seconds = float(seconds)
STRATEGIES = ["full", "random", "dfs", "coverage"]


def is_different(folder):
    return tomllib.loads((folder / "pair.toml").read_text())["verdict"] == "different"


def parts():
    """The parts that can be left out of a search: the values of its option."""
    run = subprocess.run([parallax, "check", "old", "new", "--without", "?"], capture_output=True, text=True)
    return re.search(r"possible values: ([a-z, -]+)", run.stderr)[1].split(", ")


def searched(pair, how):
    """Runs to execute the changes, runs and seconds to the first difference; what is not found has none."""
    with tempfile.TemporaryDirectory() as folder:
        words = [parallax, "check", pair / "old.c", pair / "new.c", "--json", "--jobs", "1"]
        words += ["--budget", f"{seconds}s", *how, "--out", f"{folder}/out"]
        run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(f"{pair.name} with {' '.join(how)}: {run.stderr.strip()[-3000:]}")
    result = json.loads(run.stdout)
    return {
        "reach": result["runs_to_reach"],
        "runs": result["runs"]["new"],
        "seconds": result["seconds"],
        "found": result["verdict"] == "different",
    }


def mean(values):
    """The geometric mean; a run more for each, so that one that found at once has a logarithm."""
    return math.exp(statistics.mean(math.log(value + 1) for value in values))


def row(name, rows):
    found = [row for row in rows if row["found"]]
    # A fuzzer does not say when it has executed a change.
    reached = [row["reach"] for row in rows if row["reach"] is not None]
    reached = f"{mean(reached):.1f}" if reached else "-"
    print(
        f"{name:14} {len(found):4}/{len(rows)} {reached:>10} {mean([row['runs'] for row in rows]):10.1f} "
        f"{statistics.median(row['seconds'] for row in rows):8.2f} {sum(row['seconds'] for row in rows):8.0f}",
        flush=True,
    )


def main():
    pairs = sorted(folder for folder in pathlib.Path("tests/pairs").iterdir() if (folder / "pair.toml").exists())
    pairs = [pair for pair in pairs if is_different(pair) and (not names or pair.name in names)]
    print(f"{len(pairs)} pairs that differ, {seconds:.0f} s each; geometric means, medians and sums")
    print(f"{'search':14} {'found':>7} {'to reach':>10} {'runs':>10} {'seconds':>8} {'in all':>8}")
    made = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        hows = {name: ["--strategy", name] for name in STRATEGIES}
        hows |= {f"- {part}": ["--without", part] for part in parts()}
        for name, how in hows.items():
            made[name] = list(pool.map(lambda pair: searched(pair, how), pairs))
            row(name, made[name])
        fuzzed = list(pool.map(lambda pair: fuzz.fuzzed(pair, seconds), pairs))
        row("AFL++", fuzzed)
    details = pathlib.Path("target/ablation.json")
    details.write_text(json.dumps({name: dict(zip([p.name for p in pairs], rows)) for name, rows in made.items()}, indent=1))
    # What is not found has taken at least as many runs as were made.
    ratio = mean([row["runs"] for row in made["full"]]) / mean([row["runs"] for row in made["coverage"]])
    print(f"ablation: full {ratio:.2f}x the runs of coverage")


main()
