"""Pairs that attack the promise of `equivalent`, and how to put one to the test.

A pair is a directory with `old.c`, `new.c` and `pair.toml`: its purpose, its verdict and the flags of its builds. The
verdict is `different` (never `equivalent`), `equivalent` (never `different`, and best proved) or `environment` (the
versions differ in another environment only: `equivalent` must name the environment). A pair that differs has a
`witness.toml`, a test that shows the difference on plain builds.
"""

import dataclasses
import json
import pathlib
import subprocess
import tempfile
import tomllib

# A command that has not ended after its budget and this many seconds is broken.
PATIENCE = 180


@dataclasses.dataclass
class Outcome:
    """The outcome of a pair: the verdict of `check`, and the error in it, if there is one."""

    name: str
    expected: str
    verdict: str
    seconds: float
    fault: str

    @property
    def proved(self):
        return self.verdict == "equivalent"


class Pair:
    """A directory with two versions and what is expected of them."""

    def __init__(self, folder, root):
        self.folder = folder
        self.name = str(folder.relative_to(root))
        entry = tomllib.loads((folder / "pair.toml").read_text())
        self.expected = entry["verdict"]
        self.flags = [f"--{name}={entry[name]}" for name in ("cflags", "ldflags") if name in entry]
        self.witness = folder / "witness.toml"

    def judge(self, parallax, budget):
        """Runs the witness on plain builds, then `check`, and compares with what is expected."""
        with tempfile.TemporaryDirectory() as place:
            if fault := self.witness_fault(parallax, place):
                return Outcome(self.name, self.expected, "-", 0, fault)
            words = ["check", *self.versions(), *self.flags, "--budget", budget, "--jobs", "1", "--out", "out"]
            run = run_in(place, [parallax, *words])
            if run is None:
                return Outcome(self.name, self.expected, "-", 0, "check did not come back")
            if run.returncode > 1:
                return Outcome(self.name, self.expected, "-", 0, f"check failed: {run.stderr.strip()[-300:]}")
            result = json.loads(pathlib.Path(place, "out/result.json").read_text())
        fault = verdict_fault(self.expected, result["verdict"], run.stdout)
        return Outcome(self.name, self.expected, result["verdict"], result["seconds"], fault)

    def versions(self):
        return [str(self.folder.resolve() / name) for name in ("old.c", "new.c")]

    def witness_fault(self, parallax, place):
        """The error in the witness, or an empty text."""
        if not self.witness.exists():
            return "no witness" if self.expected == "different" else ""
        words = ["compare", *self.versions(), *self.flags, "--tests", str(self.witness.resolve())]
        run = run_in(place, [parallax, *words])
        shown = 0 if self.expected == "environment" else 1
        if run is None or run.returncode == shown:
            return "" if run else "compare did not come back"
        return f"the witness shows otherwise: {run.stdout.strip()[-200:]}{run.stderr.strip()[-300:]}"


def verdict_fault(expected, verdict, printed):
    """The error in a verdict, or an empty text."""
    if expected == "equivalent":
        return "false difference" if verdict == "different" else ""
    if verdict not in ("equivalent", "unchanged"):
        return ""
    if expected == "environment":
        return "" if "environment" in printed else "the environment is not named"
    return "false equivalent"


def run_in(place, words):
    """Runs a command to its end, or gives None if it does not end."""
    try:
        return subprocess.run(words, cwd=place, capture_output=True, text=True, errors="replace", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None


def pairs_below(root):
    """All pairs in a directory and below it, in order of their names."""
    return [Pair(entry.parent, root) for entry in sorted(root.glob("**/pair.toml"))]
