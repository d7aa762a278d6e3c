"""How long it takes to record and align runs of both versions, and in how much memory.

`parallax explain` is run twice for each length: the first time makes the builds. What is measured is the
second time, which also analyses both versions and runs the test as users do."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

EACH_ROUND = 25
HERE = pathlib.Path(__file__).resolve().parent


def explain(parallax, place, rounds):
    test = pathlib.Path(place) / f"{rounds}.toml"
    test.write_text(f'args = ["{rounds}"]\n')
    begin = time.monotonic()
    words = [parallax, "explain", HERE / "old.c", HERE / "new.c", test, "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if os.waitstatus_to_exitcode(status) > 1:
        sys.exit(f"explain failed for {rounds} rounds")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, json.loads(text)


def main():
    parallax = os.path.abspath(sys.argv[1])
    lengths = [int(float(it) * 1e6 / EACH_ROUND) for it in (sys.argv[2:] or ["0.1", "1", "5", "50"])]
    with tempfile.TemporaryDirectory() as place:
        explain(parallax, place, 10)
        for rounds in lengths:
            seconds, cpu, mebibytes, told = explain(parallax, place, rounds)
            seen = [change["id"] for change in told["changes"] if change["propagated"]]
            whole = "a window of it" if any("too long" in note for note in told["notes"]) else "all of it"
            print(f"{rounds * EACH_ROUND / 1e6:6.1f} million instructions  {seconds:6.1f}s ({cpu:.1f}s of processor time)  {mebibytes:6.0f} MiB  {whole}, seen: {', '.join(seen) or 'none'}", flush=True)


main()
