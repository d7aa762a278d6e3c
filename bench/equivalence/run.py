"""Checks random pairs, half of them equivalent and half with one edit, and counts what is right."""

import argparse
import collections
import concurrent.futures
import pathlib
import shutil
import sys
import time

import generate
from pairs import Pair


def main():
    options = arguments()
    shutil.rmtree(options.keep, ignore_errors=True)
    tally, started = Tally(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.pairs)
        for outcome in pool.map(lambda number: attempt(number, options), numbers):
            tally.add(outcome)
            if done := tally.progress():
                print(f"{done}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(tally.summary(options))
    sys.exit(tally.status())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parallax", required=True, help="the program")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", default="5s", help="for each pair")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("target/equivalence"), help="for pairs that fail")
    return parser.parse_args()


def attempt(number, options):
    """Makes a pair, checks it, and keeps it unless the verdict is the best one possible."""
    folder = options.keep / "pairs" / f"{options.seed}-{number:05}"
    generate.pair(number, options.seed, folder)
    outcome = Pair(folder, options.keep).judge(options.parallax, options.budget)
    if outcome.fault:
        kept = outcome.fault.split(":")[0].replace(" ", "-")
        print(f"{folder.name}: {outcome.fault}", file=sys.stderr, flush=True)
    else:
        kept = None if outcome.verdict == outcome.expected else "missed"
    if kept:
        (options.keep / kept).mkdir(exist_ok=True)
        folder.rename(options.keep / kept / folder.name)
    else:
        shutil.rmtree(folder)
    return outcome


class Tally:
    """How many pairs had which outcome."""

    def __init__(self):
        self.faults, self.verdicts = collections.Counter(), collections.Counter()

    def add(self, outcome):
        self.faults[outcome.fault] += bool(outcome.fault)
        self.verdicts[outcome.expected, outcome.verdict] += 1

    def progress(self):
        done = self.verdicts.total()
        return done % 100 == 0 and f"{done} pairs, {self.numbers()}"

    def share(self, expected, verdict):
        """Of the pairs of one half, the share with this verdict in percent."""
        half = sum(count for (kind, _), count in self.verdicts.items() if kind == expected)
        return 100 * self.verdicts[expected, verdict] / max(half, 1)

    def numbers(self):
        return (f"{self.faults['false equivalent']} false equivalent, {self.faults['false difference']} false findings, "
                f"{self.share('equivalent', 'equivalent'):.1f} % of equivalent ones proved, "
                f"{self.share('different', 'different'):.1f} % of edited ones found")

    def summary(self, options):
        other = {fault: count for fault, count in self.faults.items() if count and not fault.startswith("false")}
        lines = [f"{count} failed otherwise: {fault}" for fault, count in sorted(other.items())]
        lines.append(f"what was not right is kept in {options.keep}")
        lines.append(f"equivalence: {self.verdicts.total()} pairs, seed {options.seed}: {self.numbers()}")
        return "\n".join(lines)

    def status(self):
        enough = self.share("equivalent", "equivalent") >= 50 and self.share("different", "different") >= 90
        return self.faults.total() > 0 or not enough


main()
