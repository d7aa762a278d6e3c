"""Checks that each verb keeps its budget, and that `check` ends within a second after a signal.

The wall time of a command, without builds, may be 1.1 times the budget and three seconds more. After
a signal at a random moment `check` ends within a second, and each finding in `result.json`
exists as a test. The other verbs run a slow test of each hostile program, or many like it.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How many tests a suite has.
MANY = 200
VERBS = ["check", "explore", "compare", "coverage", "minimize", "explain"]
# The verbs that need no test.
NO_TEST = ["check", "explore"]
# Part of the note when the watching thread had to end a search.
FORCED = "did not end in time"
BUILDS = re.compile(r"took ([0-9.]+)s, which the budget does not cover")


def pairs(wanted, only_hostile):
    """The hostile programs, and the pairs of the tests, by their names."""
    folders = sorted(path.parent for path in (ROOT / "bench/budget").glob("*/old.c"))
    if not only_hostile:
        folders += sorted(path.parent for path in (ROOT / "tests/pairs").glob("*/old.c"))
    return [folder for folder in folders if re.search(wanted, folder.name)]


def words(verb, folder, place):
    """The command line of a verb without its budget."""
    old, new, test = folder / "old.c", folder / "new.c", folder / "test.toml"
    out = pathlib.Path(place) / "out"
    match verb:
        case "check":
            seeds = folder / "seeds"
            return [old, new, "--out", out, *(["--seeds", seeds] if seeds.is_dir() else [])]
        case "explore":
            return [new, "--out", out]
        case "compare":
            return [old, new, "--tests", suite(test, place)]
        case "coverage":
            return [new, "--tests", suite(test, place)]
        case "minimize" | "explain":
            return [old, new, test]


def suite(test, place):
    """More tests like one than any budget suffices for."""
    tests = pathlib.Path(place) / "tests"
    tests.mkdir()
    for number in range(MANY):
        (tests / f"{number:03}.toml").write_text(f'{test.read_text()}env = {{ NUMBER = "{number}" }}\n')
    return tests


def start(parallax, verb, folder, budget, place):
    out = pathlib.Path(place) / "out"
    command = [parallax, verb, *words(verb, folder, place), "--budget", f"{budget}s"]
    stderr = open(pathlib.Path(place) / "stderr", "wb")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, cwd=place), out


def builds(out, place):
    """The seconds that builds took: from the result, or from the notes."""
    try:
        return json.loads((out / "result.json").read_text())["build_seconds"]
    except (OSError, ValueError, KeyError):
        text = (pathlib.Path(place) / "stderr").read_text()
        return sum(float(seconds) for seconds in BUILDS.findall(text))


def hold_to_budget(parallax, verb, folder, budget):
    """The wall time of a command without its builds, and its exit status."""
    with tempfile.TemporaryDirectory() as place:
        begin = time.monotonic()
        process, out = start(parallax, verb, folder, budget, place)
        try:
            process.communicate(timeout=20 * budget + 300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return time.monotonic() - begin, "killed"
        wall = time.monotonic() - begin
        forced = " forced" if FORCED in (pathlib.Path(place) / "stderr").read_text() else ""
        return wall - builds(out, place), f"{process.returncode}{forced}"


def is_whole(out):
    """Whether each finding that the result names is there as a test, and the other way round."""
    try:
        result = json.loads((out / "result.json").read_text())
    except FileNotFoundError:
        return not any((out / "findings").glob("*/test.toml"))
    named = {finding["id"] for finding in result["findings"]}
    found = {path.parent.name for path in (out / "findings").glob("*/test.toml")}
    # A test is written before the result names it.
    return named <= found


def interrupt(parallax, folder, budget, rng):
    """How long a search takes to come back after a signal at a random moment, and whether all was right."""
    with tempfile.TemporaryDirectory() as place:
        process, out = start(parallax, "check", folder, budget, place)
        moment = rng.uniform(0, budget)
        deadline = time.monotonic() + moment
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        if process.poll() is not None:
            process.communicate()
            return None
        sent = rng.choice([signal.SIGINT, signal.SIGTERM])
        begin = time.monotonic()
        process.send_signal(sent)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        reaction = time.monotonic() - begin
        log = out / "log.txt"
        phase = log.read_text().splitlines()[-1:] if log.exists() else ["before the search"]
        has_findings = any((out / "findings").glob("*/test.toml"))
        right = is_whole(out) and (process.returncode == 1 if has_findings else True)
        return reaction, right, moment, process.returncode, " ".join(phase)


def measure_budgets(arguments, folders):
    worst = (0, "")
    late = measured = 0
    commands = [
        (verb, folder, budget)
        for budget, verb, folder in itertools.product(arguments.budgets, arguments.verbs, folders)
        if verb in NO_TEST or (folder / "test.toml").exists()
    ]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = pool.map(lambda command: hold_to_budget(arguments.parallax, *command), commands)
        for (verb, folder, budget), (wall, status) in zip(commands, outcomes):
            ratio, is_late = wall / budget, wall > 1.1 * budget + 3
            late += is_late
            measured += 1
            worst = max(worst, (ratio, f"{verb} {folder.name} with {budget}s"))
            print(f"{verb:8} {folder.name:32} {budget:4}s  {wall:7.1f}s  {ratio:5.2f}  status {status}{'  LATE' if is_late else ''}", flush=True)
    print(f"worst ratio {worst[0]:.2f} ({worst[1]}); {late} of {measured} took more than 1.1 budgets and 3 s")
    return late


def measure_signals(arguments, folders):
    rng = random.Random(arguments.seed)
    slowest = (0, "")
    wrong = sent = 0
    while sent < arguments.signals:
        folder = rng.choice(folders)
        came = interrupt(arguments.parallax, folder, arguments.signal_budget, rng)
        if came is None:
            continue
        sent += 1
        reaction, right, moment, status, phase = came
        slowest = max(slowest, (reaction, f"{folder.name} after {moment:.2f}s"))
        wrong += not right or reaction > 1
        if not right or reaction > 1:
            print(f"{folder.name:32} signal after {moment:5.2f}s: {reaction:.2f}s, status {status}, {phase}{'' if right else '  WRONG'}", flush=True)
    print(f"slowest reaction {slowest[0]:.2f}s ({slowest[1]}); {wrong} of {sent} took more than a second or lost something")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("parallax", type=os.path.abspath)
    parser.add_argument("--budgets", type=lambda text: [float(it) if "." in it else int(it) for it in text.split(",")], default=[5, 20, 60], help="0: none")
    parser.add_argument("--signals", type=int, default=200)
    parser.add_argument("--signal-budget", type=float, default=6)
    parser.add_argument("--verbs", type=lambda text: text.split(","), default=VERBS)
    parser.add_argument("--only", default="", help="a regular expression for names")
    parser.add_argument("--hostile", action="store_true", help="without tests/pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="commands at the same time, but for signals")
    arguments = parser.parse_args()
    folders = pairs(arguments.only, arguments.hostile)
    failed = measure_budgets(arguments, folders) if arguments.budgets != [0] else 0
    if arguments.signals:
        failed += measure_signals(arguments, folders)
    sys.exit(failed > 0)


main()
