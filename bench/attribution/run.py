"""Compares the attribution of findings with the effect of each change alone.

A pair has several hunks. For each finding, programs with some of the hunks are built and run on its test: a hunk
causes the finding if it makes a difference by itself, or if the new version without it behaves otherwise than the
new version. A finding that is not marked as a guess has to be attributed to exactly these hunks. Pairs are random
programs with two or three edits, and those of tests/pairs whose sources differ in several places.
"""

import argparse
import collections
import concurrent.futures
import difflib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib

import generate
import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How often a draw is repeated that turned out to be of no use.
PATIENCE = 50
# Hunks of a pair, at most: more are no separate changes but another way to write the program.
MOST_HUNKS = 6
# How often a program is run to see whether it varies.
RUNS = 3
# Of random tests of a pair, each edit has to show on one.
TESTS = 40


class Several(program.Program):
    """A random program of more blocks than usual."""

    def wanted(self, chance):
        return chance.choice([3, 4])


def random_pair(number, seed, folder):
    """Writes a pair with two or three edits, of which each shows on some test."""
    chance = random.Random(f"several:{seed}:{number}")
    for _ in range(PATIENCE):
        drawn = Several(chance)
        changed, tests = drawn, []
        for at in chance.sample(range(len(drawn.blocks)), chance.choice([2, 2, 3])):
            old = changed.blocks[at]
            new = old.edited(chance)
            tests.append(old.witnesses(new, chance))
            blocks = [*changed.blocks[:at], new, *changed.blocks[at + 1:]]
            changed = program.Program.__new__(program.Program)
            changed.flags, changed.sources, changed.blocks = drawn.flags, drawn.sources, blocks
        seeds = {part: chance.random() for part in drawn.parts()}
        old, new = drawn.text(seeds), changed.text(seeds)
        if all(tests) and len(hunks(old, new)) == len(tests):
            generate.write(folder, "different", drawn.flags, old, new, None)
            return
    raise generate.GeneratorFault(f"pair {number} of seed {seed}: no draw was of use")


def hunks(old, new):
    """The places in which two texts differ: ranges of lines of both."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return [tuple(places) for tag, *places in matcher.get_opcodes() if tag != "equal"]


def mixed(old, new, places, chosen):
    """The old text with some of the hunks."""
    lines, others, result, at = old.splitlines(), new.splitlines(), [], 0
    for number, (start, end, other_start, other_end) in enumerate(places):
        result += lines[at:start]
        result += others[other_start:other_end] if number in chosen else lines[start:end]
        at = end
    return "\n".join(result + lines[at:]) + "\n"


class Variants:
    """Programs with some of the hunks of a pair, built when they are needed."""

    def __init__(self, folder, place):
        self.old, self.new = ((folder / name).read_text() for name in ("old.c", "new.c"))
        self.flags = tomllib.loads((folder / "pair.toml").read_text()).get("cflags", "")
        self.places, self.place, self.built = hunks(self.old, self.new), pathlib.Path(place), {}

    def behaviour(self, chosen, test):
        """The behaviour of a variant on a test; `None` if it cannot be built or differs from run to run."""
        chosen = frozenset(chosen)
        if chosen not in self.built:
            name = "-".join(["with", *map(str, sorted(chosen))])
            try:
                text = mixed(self.old, self.new, self.places, chosen)
                self.built[chosen] = generate.build(self.place, name, text, self.flags)
            except subprocess.CalledProcessError:
                self.built[chosen] = None
        binary = self.built[chosen]
        if binary is None:
            return None
        try:
            shown = {generate.behaviour(binary, test) for _ in range(RUNS)}
        except (subprocess.TimeoutExpired, OSError):
            return None
        return shown.pop() if len(shown) == 1 else None

    def causes(self, test):
        """The hunks that cause the difference on a test; `None` if that is unknown."""
        every = range(len(self.places))
        alone = [self.behaviour({number}, test) for number in every]
        without = [self.behaviour(set(every) - {number}, test) for number in every]
        old, new = self.behaviour((), test), self.behaviour(every, test)
        if None in (*alone, *without, old, new) or old == new:
            return None
        return {number for number in every if alone[number] != old or without[number] != new}

    def hunk_of(self, change):
        """The hunk that a change stands in."""
        for number, (start, end, other_start, other_end) in enumerate(self.places):
            if meets(change["old_lines"], start, end) or meets(change["new_lines"], other_start, other_end):
                return number
        return None


def meets(lines, start, end):
    """Whether a range of lines, counted from one, has one of those from `start` to `end`, counted from zero."""
    return lines is not None and lines[0] <= end and lines[1] > start


class GivenTest:
    """A test as `generate.behaviour` wants it."""

    def __init__(self, path):
        entry = tomllib.loads(path.read_text())
        self.args = [as_bytes(value) for value in entry.get("args", [])]
        self.stdin = bytes.fromhex(entry["stdin_hex"]) if "stdin_hex" in entry else as_bytes(entry.get("stdin", ""))
        self.env = {name: as_bytes(value) for name, value in entry.get("env", {}).items()}
        self.files = {name: as_bytes(value) for name, value in entry.get("files", {}).items()}


def as_bytes(value):
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value.encode()


def attempt(folder, options):
    """Checks a pair, and gives what is to be counted, and what was wrong."""
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place, "out")
        variants = Variants(folder, place)
        words = [options.parallax, "check", folder / "old.c", folder / "new.c", f"--cflags={variants.flags}", "--jobs", "1"]
        run = subprocess.run([*words, "--budget", options.budget, "--out", out], capture_output=True, text=True)
        if run.returncode > 1:
            return counts, [f"{folder.name}: check failed: {run.stderr.strip()[-300:]}"]
        result = json.loads((out / "result.json").read_text())
        changes = {change["id"]: change for change in result["changes"]}
        shown = set()
        for finding in result["findings"]:
            test = GivenTest(out / finding["test"].removeprefix("parallax.out/"))
            causes = variants.causes(test)
            shown |= causes or set()
            credited = {variants.hunk_of(changes[it]) for it in finding["changes"]}
            kind = finding["attribution"]
            if kind == "guess":
                counts["guess"] += 1
            elif causes is None or None in credited:
                counts["not told"] += 1
            elif credited == causes:
                counts["right"] += 1
            else:
                counts["wrong"] += 1
                wrong.append(f"{folder.name}: {finding['id']} is credited to hunks {sorted(credited)}, caused by {sorted(causes)}")
        counts["shown"] += len(shown)
        counts["edits"] += len(variants.places)
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parallax", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", default="10s", help="for each pair")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("target/attribution"))
    options = parser.parse_args()
    shutil.rmtree(options.keep, ignore_errors=True)
    folders = []
    for folder in sorted((ROOT / "tests/pairs").iterdir()):
        count = len(hunks(*((folder / name).read_text() for name in ("old.c", "new.c"))))
        verdict = tomllib.loads((folder / "pair.toml").read_text())["verdict"]
        folders += [folder] if 2 <= count <= MOST_HUNKS and verdict == "different" else []
    for number in range(options.pairs):
        folder = options.keep.resolve() / f"{options.seed}-{number:04}"
        random_pair(number, options.seed, folder)
        folders.append(folder)
    total, faults = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for counts, wrong in pool.map(lambda folder: attempt(folder, options), folders):
            total.update(counts)
            faults += wrong
            for line in wrong:
                print(line, flush=True)
    print(f"attribution: {len(folders)} pairs, {total['right']} findings credited right, {total['wrong']} wrong, "
          f"{total['guess']} marked as guesses, {total['not told']} not told; {total['shown']} of {total['edits']} edits shown")
    sys.exit(bool(faults))


main()
