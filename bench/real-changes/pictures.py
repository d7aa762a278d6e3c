"""Tests for pngtest of the pictures that its package is tested with: pictures.py TREE FOLDER."""

import pathlib
import sys

tree, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(parents=True, exist_ok=True)
for picture in [tree / "pngtest.png", *sorted((tree / "contrib/pngsuite").glob("*.png"))]:
    data = picture.read_bytes().hex()
    test = f'args = ["in.png"]\n[files]\n"in.png" = {{ hex = "{data}" }}\n'
    (folder / f"{picture.stem}.toml").write_text(test)
