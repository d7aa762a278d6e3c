"""Fits the weights of work to time, over the generators of searches of tests/pairs.

Each search is a fixed number of runs. What its generators counted is held against the time that was measured, by
least squares with weights that are not negative; an error counts the less, the longer the time is. Printed are the weights in nanoseconds, and how far
the time that they stand for is from the one that was measured.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

# The counts that stand for each time.
COUNTS = {
    "running": ["runs", "printed", "records"],
    "reading": ["read", "queries"],
    "solving": ["operations", "smt"],
}
# Times below this, in seconds, are left out.
LEAST = 0.005


def main():
    options = arguments()
    rows = [row for pair in chosen(options) for row in rows_of(options, pair)]
    for time, counts in COUNTS.items():
        wanted = [row for row in rows if row[time] >= LEAST]
        weights = fitted([[row["work"][count] for count in counts] for row in wanted], [row[time] for row in wanted])
        for count, weight in zip(counts, weights):
            print(f"{count:12} {1e9 * weight:12.1f} ns")
        ratios = sorted(sum(w * row["work"][c] for c, w in zip(counts, weights)) / row[time] for row in wanted)
        tenth = len(ratios) // 10
        print(f"{time}: {len(ratios)} generators, {sum(row[time] for row in wanted):.0f} s; weights say {statistics.median(ratios):.2f} of the "
              f"time in the middle, {ratios[tenth]:.2f} to {ratios[-tenth - 1]:.2f} for eight in ten\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parallax")
    parser.add_argument("names", nargs="*", help="pairs; all if none is named")
    parser.add_argument("--runs", type=int, default=600)
    return parser.parse_args()


def chosen(options):
    folders = sorted(path.parent for path in pathlib.Path("tests/pairs").glob("*/pair.toml"))
    return [folder for folder in folders if not options.names or folder.name in options.names]


def rows_of(options, pair):
    """Counts and times of the generators of one search."""
    with tempfile.TemporaryDirectory() as place:
        words = [options.parallax, "check", pair / "old.c", pair / "new.c", "--json", "--all", "--jobs", "1"]
        words += ["--runs", str(options.runs), "--budget", "60s", "--out", f"{place}/out"]
        run = subprocess.run(words, capture_output=True, text=True)
    return json.loads(run.stdout)["stats"]["generators"].values() if run.returncode < 2 else []


def fitted(rows, times):
    """Weights that are not negative, by coordinate descent."""
    rows = [[count / math.sqrt(time) for count in row] for row, time in zip(rows, times)]
    weights = [0.0] * len(rows[0])
    errors = [math.sqrt(time) for time in times]
    for _ in range(3000):
        for at in range(len(weights)):
            column = [row[at] for row in rows]
            square = sum(value * value for value in column)
            if square == 0:
                continue
            step = max(sum(v * e for v, e in zip(column, errors)) / square, -weights[at])
            weights[at] += step
            errors = [e - step * v for e, v in zip(errors, column)]
    return weights


main()
