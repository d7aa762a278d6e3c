"""Sources of the bytes of a random program.

A source fills a zero-padded array of its own name, in one of several ways that read the same bytes. Blocks look at these
arrays only, so that any block can depend on any route.
"""

import textwrap


class Source:
    """One array of bytes of the program, and the part of a test that fills it."""

    def __init__(self, name, size):
        self.name = name
        self.size = size

    def reader(self, style):
        """The function `read_NAME`, which fills the array, in a way that `style` draws."""
        return self.storage(style) + textwrap.dedent(f"""
            static void read_{self.name}(int argc, char **argv)
            {{
            """) + self.allocation() + textwrap.indent(textwrap.dedent(self.filling(style)).strip("\n"), "    ") + "\n}\n"

    def storage(self, style):
        """The array, in static memory or in a block."""
        self.heap = style.pick(False, False, True)
        if self.heap:
            return f"\nstatic unsigned char *{self.name};\n"
        return f"\nstatic unsigned char {self.name}[{self.size + 1}];\n"

    def allocation(self):
        if not self.heap:
            return ""
        return f"    {self.name} = calloc({self.size + 1}, 1);\n    if (!{self.name})\n        exit(9);\n"

    def copying(self, style, text):
        """Copies the text that the pointer `text` leads to."""
        name, size = self.name, self.size
        return style.pick(
            f"""
            for (int i = 0; i < {size} && {text}[i]; i++)
                {name}[i] = (unsigned char){text}[i];
            """,
            f"""
            unsigned char *to = {name};
            while (*{text} && to < {name} + {size})
                *to++ = (unsigned char)*{text}++;
            """,
            f"strncpy((char *){name}, {text}, {size});",
            f"""
            int i = 0;
            while (i < {size}) {{
                if (!{text}[i])
                    break;
                {name}[i] = (unsigned char){text}[i];
                i += 1;
            }}
            """,
        )


class Input(Source):
    """The first bytes of standard input."""

    def filling(self, style):
        name, size = self.name, self.size
        return style.pick(
            f"""
            for (int i = 0; i < {size}; i++) {{
                int c = getchar();
                if (c == EOF)
                    break;
                {name}[i] = (unsigned char)c;
            }}
            """,
            f"""
            int c, i = 0;
            while (i < {size} && (c = fgetc(stdin)) != EOF)
                {name}[i++] = (unsigned char)c;
            """,
            f"""
            if (fread({name}, 1, {size}, stdin) == 0)
                {name}[0] = 0;
            """,
            f"""
            long have = 0, got;
            while (have < {size} && (got = read(0, {name} + have, (size_t)({size} - have))) > 0)
                have += got;
            """,
        )

    def put(self, test, data):
        test.stdin = data


class Argument(Source):
    """The first argument."""

    def filling(self, style):
        guard = style.pick("if (argc < 2)\n    return;", "if (argc <= 1 || !argv[1][0])\n    return;")
        return guard + "\nconst char *text = argv[1];\n" + textwrap.dedent(self.copying(style, "text")).strip("\n")

    def put(self, test, data):
        test.args = [as_text(data)]


class Variable(Source):
    """A variable of the environment."""

    def filling(self, style):
        return ('const char *text = getenv("RANDOM_MODE");\nif (!text)\n    return;\n'
                + textwrap.dedent(self.copying(style, "text")).strip("\n"))

    def put(self, test, data):
        test.env = {"RANDOM_MODE": as_text(data)}


class File(Source):
    """The first bytes of a file."""

    def filling(self, style):
        name, size = self.name, self.size
        stream = 'FILE *file = fopen("config", "r");\nif (!file)\n    return;\n'
        return style.pick(
            stream + f"{name}[0] = 0;\nif (fread({name}, 1, {size}, file) == 0)\n    {name}[0] = 0;\nfclose(file);",
            stream + f"int c, i = 0;\nwhile (i < {size} && (c = getc(file)) != EOF)\n"
                     f"    {name}[i++] = (unsigned char)c;\nfclose(file);",
            f'int file = open("config", O_RDONLY);\nif (file < 0)\n    return;\nlong have = 0, got;\n'
            f"while (have < {size} && (got = read(file, {name} + have, (size_t)({size} - have))) > 0)\n"
            f"    have += got;\nclose(file);",
        )

    def put(self, test, data):
        test.files = {"config": data}


KINDS = [(Input, "in"), (Argument, "word"), (Variable, "mode"), (File, "config")]


def as_text(data):
    """Bytes without a zero: those behind the last one are left out, others become letters."""
    return bytes(byte or ord("a") for byte in data.rstrip(b"\0"))


def draw(chance, count):
    """Some sources, standard input more often than the others."""
    kinds = chance.sample(KINDS, count)
    if chance.random() < 0.5 and KINDS[0] not in kinds:
        kinds[0] = KINDS[0]
    return [kind(name, chance.randint(2, 4)) for kind, name in kinds]
