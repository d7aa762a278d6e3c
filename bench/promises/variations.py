"""Writes the variations of operations and routes as directories of pairs."""

import shutil

import operations
import routes


def write(root, count):
    """Writes `count` variations of each operation and route below a directory, which is emptied first."""
    shutil.rmtree(root, ignore_errors=True)
    for group, made in (("operations", operations.variations(count)), ("routes", routes.variations(count))):
        for name, verdict, purpose, old, new, witness in made:
            folder = root / group / name
            folder.mkdir(parents=True)
            (folder / "old.c").write_text(old)
            (folder / "new.c").write_text(new)
            (folder / "pair.toml").write_text(f'purpose = "{purpose}"\nverdict = "{verdict}"\n')
            if witness:
                (folder / "witness.toml").write_text(witness + "\n")
