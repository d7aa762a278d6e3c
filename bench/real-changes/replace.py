"""Replaces what a line of a file says: replace.py FILE LINE OLD NEW."""

import pathlib
import sys

file, line, old, new = sys.argv[1:]
path = pathlib.Path(file)
lines = path.read_bytes().split(b"\n")
at = int(line) - 1
if old.encode() not in lines[at]:
    sys.exit(f"{file}:{line} does not say {old}")
lines[at] = lines[at].replace(old.encode(), new.encode())
path.write_bytes(b"\n".join(lines))
