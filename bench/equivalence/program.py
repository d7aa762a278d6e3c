"""Random programs: sources, blocks that look at them, and the C around both.

A program is data. `Program.text` writes it in C; each part of it draws its way of writing from a style of its own, so
that two texts of one program mean the same however much they differ, and two programs that differ in one edit can be
written alike.
"""

import random

import blocks
import sources

HEAD = """#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
"""

# Flags of the builds; without optimisation a plain build does what the source says, traps and all.
FLAGS = ["", "", "", "-fwrapv", "-O1", "-O2"]


class Style:
    """Draws one of several ways to write the same."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def pick(self, *ways):
        return self.chance.choice(ways)


class Test:
    """The input of a program: standard input, arguments, variables and files."""

    def __init__(self, values, used):
        self.stdin, self.args, self.env, self.files = b"", [], {}, {}
        for source in used:
            given = {index: value for (owner, index), value in values.items() if owner is source}
            if given:
                source.put(self, bytes(given.get(index, ord("a")) for index in range(max(given) + 1)))

    def toml(self):
        """The text of a test case."""
        def written(data):
            return f'{{ hex = "{data.hex()}" }}' if data else '""'
        def table(entries):
            return "{ " + ", ".join(f'"{key}" = {written(value)}' for key, value in entries.items()) + " }"
        lines = [f"args = [{', '.join(map(written, self.args))}]", f'stdin_hex = "{self.stdin.hex()}"']
        lines += [f"{name} = {table(entries)}" for name, entries in (("env", self.env), ("files", self.files)) if entries]
        return "\n".join(lines) + "\n"


class Program:
    """Some sources and blocks, and the flags that the program is built with."""

    def __init__(self, chance):
        self.flags = chance.choice(FLAGS)
        self.sources = sources.draw(chance, chance.choice([1, 1, 2]))
        self.blocks = []
        while len(self.blocks) < self.wanted(chance):
            kind = chance.choice(blocks.KINDS)
            block = kind(len(self.blocks), chance, self.sources, "-O" not in self.flags)
            if block.fits():
                self.blocks.append(block)
        used = {source for block in self.blocks for source, _ in block.where()}
        self.sources = [source for source in self.sources if source in used]

    def wanted(self, chance):
        return chance.choice([1, 2, 2])

    def parts(self):
        """The names of what has a style of its own."""
        return ["emit", "order", *(source.name for source in self.sources), *(block.number for block in self.blocks)]

    def edited(self, chance):
        """A copy in which one block has one small edit, and tests on which that may show."""
        at = chance.randrange(len(self.blocks))
        block = self.blocks[at]
        changed = block.edited(chance)
        other = Program.__new__(Program)
        other.flags, other.sources = self.flags, self.sources
        other.blocks = [*self.blocks[:at], changed, *self.blocks[at + 1:]]
        tests = [Test(dict(zip(block.where(), values)), self.sources) for values in block.witnesses(changed, chance)]
        return other, tests

    def random_test(self, chance):
        """A test of bytes that some block makes a difference of, and of others."""
        values = {}
        for block in self.blocks:
            witnesses = block.witnesses(block.edited(chance), chance) if chance.random() < 0.5 else []
            given = chance.choice(witnesses) if witnesses else block.any_values(chance)
            values |= dict(zip(block.where(), given))
        for place in list(values):
            if chance.random() < 0.2:
                values[place] = chance.randrange(256)
        return Test(values if chance.random() < 0.95 else {}, self.sources)

    def text(self, seeds):
        """The program in C, with a seed for the style of each part."""
        styles = {part: Style(seeds[part]) for part in self.parts()}
        helpers, calls, steps = printing(styles["emit"]), [], []
        for source in self.sources:
            helpers += source.reader(styles[source.name])
            calls.append(f"read_{source.name}(argc, argv);\n")
        for block in self.blocks:
            more, step = block.rendered(styles[block.number])
            helpers += more
            steps.append((block.shown, step))
        calls, steps = reordered(calls, steps, styles["order"])
        body = "int status = 0;\n" + "".join(calls) + "".join(step for _, step in steps)
        body += styles["order"].pick("return status;\n", "exit(status);\n")
        return HEAD + helpers + "\nint main(int argc, char **argv)\n{\n" + blocks.indent(body) + "}\n"


def reordered(calls, steps, style):
    """Calls and steps in an order that cannot be told from the first: steps that show nothing in one place may be swapped."""
    calls = style.pick(calls, calls[::-1])
    place = {"line": "stdout", "number": "stdout", "error": "stderr", "status": "status"}
    if len(steps) == 2 and place[steps[0][0]] != place[steps[1][0]]:
        steps = style.pick(steps, steps[::-1])
    return calls, steps


def printing(style):
    """The functions that print."""
    emit, direct = style.pick(
        ("puts(text);", True),
        ('printf("%s\\n", text);', True),
        ("fputs(text, stdout);\n    putchar('\\n');", True),
        ("for (; *text; text++)\n        putchar(*text);\n    putchar('\\n');", True),
        ("fwrite(text, 1, strlen(text), stdout);\n    fputc('\\n', stdout);", True),
        ('if (write(1, text, strlen(text)) < 0 || write(1, "\\n", 1) < 0)\n        exit(8);', False),
    )
    number = "char text[2] = {(char)('0' + k), 0};\n    emit(text);"
    if direct:
        number = style.pick(number, 'printf("%d\\n", k);', "putchar('0' + k);\n    putchar('\\n');")
    complain = style.pick('fprintf(stderr, "%s\\n", text);', "fputs(text, stderr);\n    fputc('\\n', stderr);")
    return "".join(f"\nstatic inline void {head}\n{{\n    {body}\n}}\n" for head, body in (
        ("emit(const char *text)", emit), ("emit_number(int k)", number), ("complain(const char *text)", complain)))
