"""Pairs of random programs: equivalent by construction, or with one small edit and a test that shows it."""

import pathlib
import random
import subprocess
import tempfile

import program

# How often a draw is repeated that turned out to be of no use.
PATIENCE = 50
# Random tests on which the two texts of one program are compared.
SELF_CHECKS = 24


class GeneratorFault(Exception):
    """Two texts of one program behave differently: the generator is wrong."""


def pair(number, seed, folder):
    """Writes pair `number` of a seed into a directory, and gives its verdict. The same for the same seed always."""
    chance = random.Random(f"{seed}:{number}")
    make = equivalent if number % 2 == 0 else edited
    for _ in range(PATIENCE):
        if made := make(chance):
            break
    else:
        raise GeneratorFault(f"pair {number} of seed {seed}: no draw was of use")
    write(folder, *made)


def equivalent(chance):
    """One program in two texts."""
    drawn = program.Program(chance)
    seeds = {part: chance.random() for part in drawn.parts()}
    other = {part: chance.random() if chance.random() < 0.6 else seeds[part] for part in drawn.parts()}
    old, new = drawn.text(seeds), drawn.text(other)
    if old == new:
        return None
    tests = [drawn.random_test(chance) for _ in range(SELF_CHECKS)]
    if (test := first_difference(old, new, drawn.flags, tests)) is not None:
        raise GeneratorFault(f"two texts of one program differ on\n{test.toml()}\n{old}\n{new}")
    return "equivalent", drawn.flags, old, new, None


def edited(chance):
    """Two programs that one edit tells apart, written alike."""
    drawn = program.Program(chance)
    changed, tests = drawn.edited(chance)
    seeds = {part: chance.random() for part in drawn.parts()}
    old, new = drawn.text(seeds), changed.text(seeds)
    if old == new or not tests:
        return None
    test = first_difference(old, new, drawn.flags, tests)
    return test and ("different", drawn.flags, old, new, test)


def first_difference(old, new, flags, tests):
    """The first test on which plain builds of both texts do not behave the same."""
    with tempfile.TemporaryDirectory() as place:
        programs = [build(pathlib.Path(place), name, text, flags) for name, text in (("old", old), ("new", new))]
        return next((test for test in tests if behaviour(programs[0], test) != behaviour(programs[1], test)), None)


def build(place, name, text, flags):
    source, binary = place / f"{name}.c", place / name / "program"
    source.write_text(text)
    binary.parent.mkdir()
    subprocess.run(["clang-19", "-w", *flags.split(), "-o", binary, source], check=True, stderr=subprocess.PIPE)
    return binary


def behaviour(binary, test):
    """The observable behaviour of one run."""
    with tempfile.TemporaryDirectory() as place:
        for name, data in test.files.items():
            pathlib.Path(place, name).write_bytes(data)
        environment = {b"LC_ALL": b"C"} | {key.encode(): value for key, value in test.env.items()}
        run = subprocess.run([binary, *test.args], cwd=place, input=test.stdin, env=environment, capture_output=True, timeout=10)
        return run.stdout, run.stderr, run.returncode


def write(folder, verdict, flags, old, new, test):
    """Writes a pair in the form of tests/promises."""
    folder.mkdir(parents=True)
    (folder / "old.c").write_text(old)
    (folder / "new.c").write_text(new)
    lines = ['purpose = "A random pair."', f'verdict = "{verdict}"', *([f'cflags = "{flags}"'] if flags else [])]
    (folder / "pair.toml").write_text("\n".join(lines) + "\n")
    if test:
        (folder / "witness.toml").write_text(test.toml())
