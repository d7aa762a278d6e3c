"""One-line changes of C sources by a seeded random mutator.

usage: mutate.py SEED COUNT TREE FILE...     prints lines of FILE:LINE<tab>old text<tab>new text
"""

import pathlib
import random
import re
import sys

# What a token may become; each is a slip that programmers make.
SWAPS = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="],
    "true": ["false"], "false": ["true"], "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"],
    "!": [""],
}  # fmt: skip
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|[A-Za-z_]\w*|\d[\w.]*|<<=|>>=|'
    r"->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w]"
)
STATEMENT = re.compile(r"^\s*(?:[\w>.\[\]*()+-]+\s*[-+|&]?=[^=].*|[a-z_]\w*\s*\(.*\)|break|continue|return\s+\w+);\s*$")


def code_lines(text):
    """The lines that hold nothing but code, with their numbers: no comments, no directives, no file scope."""
    text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment[0]), text, flags=re.S)
    depth, directive = 0, False
    for number, line in enumerate(text.split("\n"), 1):
        was_directive, directive = directive or line.lstrip().startswith("#"), False
        if was_directive:
            directive = line.rstrip().endswith("\\")
            continue
        bare = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', "", line)
        # A line that ends with a backslash is in the middle of a text.
        if depth > 0 and line.strip(" {};") and not line.endswith("\\"):
            yield number, line
        depth += bare.count("{") - bare.count("}")


def mutants(line):
    """All ways to change one token of a line, or to leave its statement out."""
    made = set()
    tokens = list(TOKEN.finditer(line))
    for at, token in enumerate(tokens):
        word, before = token[0], tokens[at - 1][0] if at else "("
        is_operand = re.match(r"[\w)\]'\"]", before[-1]) is not None and before not in ("return", "case", "sizeof")
        if word in "+-&" and not is_operand:
            continue  # a sign or an address
        new = list(SWAPS.get(word, []))
        if re.fullmatch(r"\d+", word):
            new = [str(int(word) + 1)] + ([str(int(word) - 1)] if int(word) > 1 else [])
        elif re.fullmatch(r"'[a-yA-Y0-8]'", word):
            new = [f"'{chr(ord(word[1]) + 1)}'"]
        made.update(line[: token.start()] + text + line[token.end() :] for text in new)
    left_out = [re.match(r"\s*", line)[0] + ";"] if STATEMENT.match(line) else []
    return sorted(made - {line}), left_out


def main():
    seed, count, tree, *files = sys.argv[1:]
    chance = random.Random(seed)
    lines = []
    for file in files:
        text = (pathlib.Path(tree) / file).read_text(errors="replace")
        lines += [(file, number, line, *mutants(line)) for number, line in code_lines(text)]
    chance.shuffle(lines)
    left = int(count)
    for file, number, line, changed, left_out in lines:
        # Most lines are statements that could be left out: one of four such changes is enough.
        made = changed or (left_out if chance.random() < 0.25 else [])
        if made and left > 0:
            left -= 1
            print(f"{file}:{number}\t{line.strip()}\t{chance.choice(made).strip()}")


main()
