"""Puts pairs to the test, several at a time, and tells which promises did not hold."""

import argparse
import concurrent.futures
import pathlib
import sys

import pairs
import variations

# Where the variations are written; they are made anew each time.
VARIATIONS = pathlib.Path("target/promises")


def main():
    options = arguments()
    variations.write(VARIATIONS, options.variations)
    chosen = [pair for root in (*options.roots, VARIATIONS) for pair in pairs.pairs_below(root)]
    if options.only:
        chosen = [pair for pair in chosen if any(part in pair.name for part in options.only)]
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda pair: pair.judge(options.parallax, options.budget), chosen):
            outcomes.append(outcome)
            print(f"{outcome.name:48} {outcome.expected:12} {outcome.verdict:20} {outcome.seconds:6.1f}s {outcome.fault}", flush=True)
    sys.exit(summary(outcomes))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="*", type=pathlib.Path, help="directories of pairs")
    parser.add_argument("--parallax", required=True, help="the program")
    parser.add_argument("--budget", default="5s", help="for each pair")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--variations", type=int, default=10, help="of each operation and route, at most 10")
    parser.add_argument("--only", action="append", help="pairs whose names contain this")
    return parser.parse_args()


def summary(outcomes):
    """Prints the closing line and gives the exit status."""
    def count(fault):
        return sum(outcome.fault == fault for outcome in outcomes)
    same = [outcome for outcome in outcomes if outcome.expected == "equivalent"]
    proved = 100 * sum(outcome.proved for outcome in same) // max(len(same), 1)
    faults = sum(bool(outcome.fault) for outcome in outcomes)
    print(f"promises: {len(outcomes)} pairs, {count('false equivalent')} false equivalent, "
          f"{count('false difference')} false differences, {proved} % of near misses proved")
    return faults > 0 or proved < 80


main()
