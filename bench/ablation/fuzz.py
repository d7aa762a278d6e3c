"""The same with AFL++: the new version is fuzzed, and every entry of its queue run on both."""

import pathlib
import subprocess
import tempfile
import time


def observed(program, data, folder):
    """The behaviour of a program on arguments, each after a zero byte, and the rest on standard input."""
    try:
        run = subprocess.run([program], input=data, capture_output=True, timeout=2, cwd=folder)
        return run.returncode, run.stdout, run.stderr
    except subprocess.TimeoutExpired:
        return "hang", b"", b""


def fuzzed(pair, seconds):
    """Runs and seconds to the first entry on which the versions differ."""
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Arguments and standard input are made of what the fuzzer puts in, the same way in all builds.
        for version, compiler in [("fuzz", ["afl-clang-fast"]), ("new", ["clang-19"]), ("old", ["clang-19"])]:
            source = pair / ("old.c" if version == "old" else "new.c")
            words = [*compiler, "-O1", "-w", "-Dmain=subject_main", "-c", source, "-o", folder / f"{version}.o"]
            subprocess.run(words, check=True, capture_output=True)
            words = [*compiler, "-w", folder / f"{version}.o", here / "main.c", "-o", folder / version, "-lm"]
            subprocess.run(words, check=True, capture_output=True)
        (folder / "in").mkdir()
        (folder / "in/empty").write_bytes(b"\0")
        environment = {"AFL_SKIP_CPUFREQ": "1", "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "PATH": "/usr/bin:/bin",
                       "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_BENCH_UNTIL_CRASH": "0"}  # fmt: skip
        words = ["afl-fuzz", "-V", str(max(1, round(seconds))), "-i", "in", "-o", "out", "--", folder / "fuzz"]
        subprocess.run(words, cwd=folder, env=environment, capture_output=True, timeout=seconds + 60)
        return replayed(folder, seconds)


def replayed(folder, seconds):
    """Looks for the first entry on which the versions differ."""
    out = folder / "out/default"
    stats = dict(line.split(":", 1) for line in (out / "fuzzer_stats").read_text().splitlines() if ":" in line)
    stats = {key.strip(): value.strip() for key, value in stats.items()}
    runs = int(stats["execs_done"])
    entries = [entry for kind in ["queue", "crashes", "hangs"] for entry in (out / kind).glob("id*")]
    made = lambda entry: int(part(entry.name, "time", "0"))
    for entry in sorted(entries, key=made):
        data = entry.read_bytes()
        if differs(folder, data):
            runs = int(part(entry.name, "execs", str(runs)))
            return {"reach": None, "runs": runs, "seconds": made(entry) / 1000, "found": True}
    return {"reach": None, "runs": runs, "seconds": seconds, "found": False}


def differs(folder, data):
    """Whether the versions differ in what each of them does every time."""
    olds, news = ([observed(folder / version, data, folder) for _ in range(2)] for version in ["old", "new"])
    return olds[0] == olds[1] and news[0] == news[1] and olds[0] != news[0]


def part(name, key, other):
    """The value of a key in the name of a queue entry."""
    found = [part.split(":", 1)[1] for part in name.split(",") if part.startswith(f"{key}:")]
    return found[0].split("+")[0] if found else other
