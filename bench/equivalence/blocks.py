"""The blocks that random programs are made of.

A block is a small function of some bytes, given as data. It can be written in C in several ways that mean the same
(`code`), computed here (`outcome`), and changed by one small edit (`edit`); inputs on which the edit may show
(`witnesses`) follow from the data. What a block finds, a small number, is shown in a way that belongs to the block.
"""

import copy
import itertools
import textwrap

LABELS = "north east south west left right inner outer first last open shut".split()
# The outcome of a run that a signal ends.
TRAP = "trap"


class Block:
    """One block: the bytes that it looks at, and how it shows what it finds."""

    # How many bytes it needs, and how many outcomes it has.
    needs, outcomes = 1, 2

    def __init__(self, number, chance, sources, unoptimised):
        self.number, self.unoptimised = number, unoptimised
        places = [(source, index) for source in sources for index in range(source.size)]
        self.places = chance.sample(places, self.needs) if len(places) >= self.needs else []
        self.shown = chance.choice(["line", "line", "number", "status", "error"])
        self.labels = chance.sample(LABELS, self.outcomes)
        self.weight = chance.randint(1, 5)
        self.draw(chance)

    def draw(self, chance):
        """Draws what the block is about."""

    def fits(self):
        return bool(self.places)

    def where(self):
        """The places that the values of a witness are for."""
        return self.places

    def byte(self, at):
        source, index = self.places[at]
        return f"{source.name}[{index}]"

    def edited(self, chance):
        """A copy with one small edit of what it means."""
        other = copy.copy(self)
        other.edit(chance)
        return other

    def witnesses(self, other, chance):
        """Values of the bytes for which this block and the other have different outcomes."""
        return [values for values in self.candidates(chance) if self.outcome(values) != other.outcome(values)][:8]

    def candidates(self, chance):
        """Values of the bytes that are worth a look."""
        interesting = sorted(self.interesting())
        if len(interesting) ** self.needs <= 4000:
            return itertools.product(interesting, repeat=self.needs)
        return [[chance.choice(interesting) for _ in range(self.needs)] for _ in range(4000)]

    def any_values(self, chance):
        """Values of the bytes, interesting ones and others, often the same one twice."""
        pool = [chance.choice(sorted(self.interesting())) for _ in range(2)] + [chance.randrange(256)]
        return [chance.choice(pool) for _ in self.where()]

    def interesting(self):
        """Values of a byte at which something changes."""
        return set(range(256))

    def rendered(self, style):
        """File-scope text, and the statements of main, in a way that `style` draws."""
        helpers, statements = self.code(style)
        statements = tidy(statements)
        if style.pick(True, False):
            name = f"part{self.number}"
            helpers += f"\nstatic int {name}(void)\n{{\n    int k = 0;\n" + indent(statements) + "    return k;\n}\n"
            statements = ""
            start = f"int k = {name}();\n"
        else:
            start = "int k = 0;\n"
        return helpers, "{\n" + indent(start + statements + self.sink(style)) + "}\n"

    def sink(self, style):
        if self.shown == "status":
            return style.pick(f"status += {self.weight} * k;\n", f"status = status + k * {self.weight};\n")
        if self.shown == "number":
            return "emit_number(k);\n"
        emit = "emit" if self.shown == "line" else "complain"
        if self.outcomes == 2:
            yes, no = self.labels[1], self.labels[0]
            return style.pick(
                f'{emit}(k ? "{yes}" : "{no}");\n',
                f'if (k == 0)\n    {emit}("{no}");\nelse\n    {emit}("{yes}");\n',
                f'const char *name = "{no}";\nif (k)\n    name = "{yes}";\n{emit}(name);\n',
            )
        words = ", ".join(f'"{label}"' for label in self.labels)
        table = f"static const char *const names[] = {{{words}}};\n{emit}(names[k]);\n"
        cases = "".join(f'case {k}:\n    {emit}("{label}");\n    break;\n' for k, label in enumerate(self.labels))
        return style.pick(table, f"switch (k) {{\n{cases}}}\n")


class Ranges(Block):
    """A byte is between which two of three limits."""

    outcomes = 4

    def draw(self, chance):
        self.cuts = sorted(chance.sample(range(34, 126, 2), 3))

    def edit(self, chance):
        self.cuts = list(self.cuts)
        self.cuts[chance.randrange(3)] += chance.choice([-1, 1])

    def outcome(self, values):
        return sum(values[0] >= cut for cut in self.cuts)

    def interesting(self):
        return {0, 255} | {cut + d for cut in self.cuts for d in (-2, -1, 0, 1, 2)}

    def code(self, style):
        x, (a, b, c) = self.byte(0), self.cuts
        chain = f"""
            int x = {x};
            if (x < {a})
                k = 0;
            else if (x < {b})
                k = 1;
            else if (x < {c})
                k = 2;
            else
                k = 3;
            """
        back = f"""
            int x = {x};
            k = 3;
            if (x <= {c - 1})
                k = 2;
            if (x <= {b - 1})
                k = 1;
            if (x <= {a - 1})
                k = 0;
            """
        count = f"k = ({x} >= {a}) + ({x} >= {b}) + ({x} >= {c});"
        loop = f"""
            static const int cuts[3] = {{{a}, {b}, {c}}};
            while (k < 3 && {x} >= cuts[k])
                k++;
            """
        halves = f"""
            unsigned x = {x};
            if (x < {b})
                k = x >= {a};
            else
                k = x < {c} ? 2 : 3;
            """
        return "", style.pick(chain, back, count, loop, halves)


class Keyword(Block):
    """A source holds one word."""

    needs = 1

    def draw(self, chance):
        self.places = [place for place in self.places if place[0].size >= 3]
        if self.places:
            self.places = [(self.places[0][0], 0)]
        self.word = "".join(chance.choice("abcdefghijkl") for _ in range(chance.randint(2, 3)))
        self.prefix = False

    def edit(self, chance):
        at = chance.randrange(len(self.word))
        if chance.random() < 0.3:
            self.prefix = True
        else:
            self.word = self.word[:at] + chance.choice("mnopqrst") + self.word[at + 1:]

    def where(self):
        source = self.places[0][0]
        return [(source, index) for index in range(source.size)]

    def witnesses(self, other, chance):
        return [list(self.word.encode()), list(other.word.encode()), list(self.word.encode()) + [ord("x")]]

    def code(self, style):
        name, word = self.places[0][0].name, self.word
        length = len(word) + (0 if self.prefix else 1)
        letters = [(i, word[i] if i < len(word) else None) for i in range(length)]
        equal = [f"{name}[{i}] == {quoted(letter)}" for i, letter in letters]
        differ = [f"{name}[{i}] != {quoted(letter)}" for i, letter in letters]
        nested = "".join("    " * i + f"if ({part})\n" for i, part in enumerate(equal)) + "    " * length + "k = 1;"
        return "", style.pick(
            f'k = strncmp((char *){name}, "{word}", {length}) == 0;',
            f'k = !memcmp({name}, "{word}", {length});',
            f"k = {' && '.join(equal)};",
            f"k = !({' || '.join(differ)});",
            nested,
            f"""
            static const char wanted[] = "{word}";
            k = 1;
            for (int i = 0; i < {length}; i++)
                if ({name}[i] != (unsigned char)wanted[i])
                    k = 0;
            """,
        )


class Machine(Block):
    """A machine with three states reads the bytes of a source."""

    outcomes = 3

    def draw(self, chance):
        self.source = self.places[0][0]
        self.places = [(self.source, index) for index in range(min(3, self.source.size))]
        self.needs = len(self.places)
        self.first, self.second = chance.sample("abcdefxyz019", 2)
        self.next = [[chance.randrange(3) for _ in range(3)] for _ in range(3)]

    def edit(self, chance):
        self.next = [list(row) for row in self.next]
        state, kind = chance.randrange(3), chance.randrange(3)
        self.next[state][kind] = (self.next[state][kind] + chance.choice([1, 2])) % 3

    def outcome(self, values):
        state = 0
        for value in values:
            state = self.next[state][0 if value == ord(self.first) else 1 if value == ord(self.second) else 2]
        return state

    def interesting(self):
        return {ord(self.first), ord(self.second), ord("#"), 0}

    def code(self, style):
        name, rounds, tag = self.source.name, len(self.places), self.number
        kind = style.pick(f"c == '{self.first}' ? 0 : c == '{self.second}' ? 1 : 2",
                          f"c != '{self.first}' ? (c == '{self.second}' ? 1 : 2) : 0")
        rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in self.next)
        table = f"""
            static const unsigned char next[3][3] = {{{rows}}};
            for (int i = 0; i < {rounds}; i++) {{
                int c = {name}[i];
                k = next[k][{kind}];
            }}
            """
        cases = "".join(f"""
                case {state}:
                    k = c == '{self.first}' ? {row[0]} : c == '{self.second}' ? {row[1]} : {row[2]};
                    break;""" for state, row in enumerate(self.next))
        switch = f"""
            for (int i = 0; i < {rounds}; i++) {{
                int c = {name}[i];
                switch (k) {{{cases}
                }}
            }}
            """
        steps = "".join(f"\nstatic int step{tag}_{state}(int c)\n{{\n    if (c == '{self.first}')\n        return {row[0]};\n"
                        f"    return c == '{self.second}' ? {row[1]} : {row[2]};\n}}\n"
                        for state, row in enumerate(self.next))
        steps += f"\nstatic int (*const steps{tag}[3])(int) = {{step{tag}_0, step{tag}_1, step{tag}_2}};\n"
        calls = f"for (int i = 0; i < {rounds}; i++)\n    k = steps{tag}[k]({name}[i]);"
        return style.pick(("", table), ("", switch), (steps, calls))


class Checksum(Block):
    """A sum over the bytes of a source, of which three bits count."""

    outcomes = 8

    def draw(self, chance):
        self.source = self.places[0][0]
        self.places = [(self.source, index) for index in range(self.source.size)]
        self.needs = len(self.places)
        self.start, self.factor = chance.randrange(1, 100), chance.choice([3, 5, 8, 16, 31, 33])
        self.shift = chance.randrange(4)

    def edit(self, chance):
        part = chance.randrange(3)
        if part == 0:
            self.start += chance.choice([1, 2, 4, 8])
        elif part == 1:
            self.factor += 2
        else:
            self.shift += 1

    def outcome(self, values):
        total = self.start
        for value in values:
            total = (total * self.factor + value) & 0xffffffff
        return total >> self.shift & 7

    def interesting(self):
        return {0, 1, 65, 97, 98, 126, 200, 255}

    def code(self, style):
        name, size, tag = self.source.name, self.source.size, self.number
        powers = {8: "h << 3", 16: "h << 4", 31: "(h << 5) - h", 33: "(h << 5) + h", 3: "h + h + h", 5: "(h << 2) + h"}
        product = style.pick(f"h * {self.factor}u", f"{self.factor}u * h", f"({powers.get(self.factor, f'h * {self.factor}u')})")
        bits = style.pick(f"h >> {self.shift} & 7", f"(h >> {self.shift}) % 8", f"h / {1 << self.shift}u % 8u")
        start = f"unsigned h = {self.start};\n"
        unrolled = "".join(f"h = {product} + {name}[{i}];\n" for i in range(size))
        recursion = (f"\nstatic unsigned fold{tag}(unsigned h, const unsigned char *at, int left)\n{{\n"
                     f"    return left == 0 ? h : fold{tag}({product} + *at, at + 1, left - 1);\n}}\n")
        helpers, body = style.pick(
            ("", start + f"for (int i = 0; i < {size}; i++)\n    h = {product} + {name}[i];\n"),
            ("", start + f"const unsigned char *at = {name};\nwhile (at != {name} + {size})\n    h = {product} + *at++;\n"),
            ("", start + f"int left = {size};\ndo\n    h = {product} + {name}[{size} - left];\nwhile (--left);\n"),
            ("", start + unrolled),
            (recursion, f"unsigned h = fold{tag}({self.start}, {name}, {size});\n"),
        )
        return helpers, body + f"k = (int)({bits});"


class Condition(Block):
    """A formula over comparisons of two bytes."""

    needs = 2

    def draw(self, chance):
        self.atoms = [[at, chance.choice(["<", "==", ">"]), chance.randrange(40, 120)] for at in (0, 1, 0)]
        self.shape = [chance.choice(["and", "or"]) for _ in range(2)]
        self.negated = [chance.random() < 0.4 for _ in range(3)]

    def edit(self, chance):
        self.atoms = [list(atom) for atom in self.atoms]
        self.shape, self.negated = list(self.shape), list(self.negated)
        part = chance.randrange(3)
        if part == 0:
            self.atoms[chance.randrange(3)][2] += chance.choice([-1, 1])
        elif part == 1:
            at = chance.randrange(2)
            self.shape[at] = "or" if self.shape[at] == "and" else "and"
        else:
            at = chance.randrange(3)
            self.negated[at] = not self.negated[at]

    def outcome(self, values):
        holds = {"<": int.__lt__, "==": int.__eq__, ">": int.__gt__}
        a, b, c = (holds[sign](values[at], limit) != negated
                   for (at, sign, limit), negated in zip(self.atoms, self.negated))
        join = {"and": lambda p, q: p and q, "or": lambda p, q: p or q}
        return int(join[self.shape[0]](a, join[self.shape[1]](b, c)))

    def interesting(self):
        return {0, 255} | {limit + d for _, _, limit in self.atoms for d in (-1, 0, 1)}

    def atom(self, number, negated, style):
        at, sign, limit = self.atoms[number]
        x, wanted = self.byte(at), self.negated[number] != negated
        inverse = {"<": ">=", "==": "!=", ">": "<="}
        plain = f"{x} {sign} {limit}" if not wanted else f"{x} {inverse[sign]} {limit}"
        swapped = {"<": ">", ">": "<", "==": "==", ">=": "<=", "<=": ">=", "!=": "!="}
        _, shown, _ = plain.split(" ")
        return style.pick(plain, f"{limit} {swapped[shown]} {x}",
                          f"!({x} {inverse[sign] if not wanted else sign} {limit})")

    def formula(self, negated, style):
        """The formula, or its negation, drawn inwards by De Morgan's laws here and there."""
        def join(level, left, right, negated):
            sign = "&&" if (self.shape[level] == "and") != negated else "||"
            return f"{left} {sign} ({right})" if level == 0 else f"{left} {sign} {right}"
        if style.pick(True, False):
            return f"!({self.formula_of(join, not negated, style)})"
        return self.formula_of(join, negated, style)

    def formula_of(self, join, negated, style):
        inner = join(1, self.atom(1, negated, style), self.atom(2, negated, style), negated)
        return join(0, self.atom(0, negated, style), inner, negated)

    def code(self, style):
        return "", style.pick(
            f"k = {self.formula(False, style)};",
            f"if ({self.formula(False, style)})\n    k = 1;",
            f"k = 1;\nif ({self.formula(True, style)})\n    k = 0;",
            f"k = ({self.formula(True, style)}) ? 0 : 1;",
        )


class Quotient(Block):
    """A byte divided by a difference that may be zero, where it is not."""

    needs, outcomes = 2, 3

    def draw(self, chance):
        self.zero, self.limit = chance.randrange(40, 120), chance.randrange(1, 5)
        self.guarded = True

    def edit(self, chance):
        if chance.random() < 0.4:
            self.guarded = False
        else:
            self.limit += 1

    def outcome(self, values):
        x, d = values[0], values[1] - self.zero
        if d == 0:
            return 2 if self.guarded else TRAP
        quotient = abs(x) // abs(d) * (1 if d > 0 else -1)
        return int(quotient > self.limit)

    def interesting(self):
        return {0, 60, 120, 254} | {self.zero + d for d in (-1, 0, 1, 2, 9)}

    def code(self, style):
        x, d = self.byte(0), f"({self.byte(1)} - {self.zero})"
        over = style.pick(f"{x} / d > {self.limit}", f"{x} / d >= {self.limit + 1}", f"{self.limit} < {x} / d")
        if not self.guarded:
            return "", f"int d = {d};\nk = {over};"
        return "", style.pick(
            f"int d = {d};\nif (d == 0)\n    k = 2;\nelse\n    k = {over};",
            f"int d = {d};\nk = d ? ({over}) : 2;",
            f"int d = {d};\nk = 2;\nif (d > 0 || d < 0)\n    k = {over};",
        )


class Quiet(Block):
    """A byte is one letter; beside that, something is computed that nothing uses."""

    def draw(self, chance):
        self.letter = chance.randrange(40, 120)
        self.trap = None

    def edit(self, chance):
        if self.unoptimised:
            self.trap = chance.choice(["division", "remainder", "load", "far load"])
        else:
            self.letter += 1

    def outcome(self, values):
        hit = int(values[0] == self.letter)
        return TRAP if hit and self.trap else hit

    def interesting(self):
        return {self.letter, self.letter + 1, self.letter - 1}

    def code(self, style):
        x, letter, tag = self.byte(0), self.letter, self.number
        test = style.pick(f"k = {x} == {letter};", f"if ({x} == {letter})\n    k = 1;", f"k = !({x} - {letter});",
                          f"k = !({x} ^ {letter});")
        helpers = f"\nstatic int spare{tag}[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};\n"
        if self.trap:
            unused = {
                "division": f"int unused = 100 / ({x} - {letter});",
                "remainder": f"int unused = 100 % ({x} - {letter});",
                "load": f"int *at = {x} == {letter} ? NULL : spare{tag};\nint unused = *at;",
                "far load": f"int unused = spare{tag}[({x} == {letter}) << 28];",
            }[self.trap]
        else:
            unused = style.pick(
                "",
                f"int unused = 100 / (2 * {x} + 1);",
                f"int unused = spare{tag}[{x} & 7];",
                f"int unused = 7;\nif ({x} != {letter})\n    unused = 100 % ({x} - {letter});",
                f"int *at = {x} ? spare{tag} + 1 : spare{tag};\nint unused = *at;",
            )
        return helpers, f"{unused}\n{test}\nspare{tag}[0] = k;"


class Number(Block):
    """A decimal number of at most three digits at the beginning of a source, compared with a limit."""

    def draw(self, chance):
        self.source = self.places[0][0]
        self.digits = min(3, self.source.size)
        self.limit = chance.randrange(2, 10 ** self.digits - 1)
        self.nine = "9"

    def edit(self, chance):
        if chance.random() < 0.3:
            self.nine = "8"
        else:
            self.limit += 1

    def where(self):
        return [(self.source, index) for index in range(self.source.size)]

    def witnesses(self, other, chance):
        text = [str(self.limit + d).zfill(self.digits)[-self.digits:] for d in (0, 1, -1)]
        nines = "9" * self.digits
        return [list(word.encode()) for word in (*text, nines, "9", str(self.limit), str(self.limit + 1))]

    def code(self, style):
        name, digits, tag = self.source.name, self.digits, self.number
        over = style.pick(f"k = value > {self.limit};", f"k = value >= {self.limit + 1};", f"k = !(value <= {self.limit});")
        digit = style.pick(f"c >= '0' && c <= '{self.nine}'", f"!(c < '0' || c > '{self.nine}')",
                           f"(unsigned)c - '0' <= {int(self.nine)}u")
        recursion = (f"\nstatic int digits{tag}(const unsigned char *at, int left, int value)\n{{\n    int c = *at;\n"
                     f"    if (left == 0 || !({digit}))\n        return value;\n"
                     f"    return digits{tag}(at + 1, left - 1, value * 10 + c - '0');\n}}\n")
        helpers, body = style.pick(
            ("", f"""
            int value = 0;
            for (int i = 0; i < {digits}; i++) {{
                int c = {name}[i];
                if (!({digit}))
                    break;
                value = value * 10 + (c - '0');
            }}
            """),
            ("", f"""
            int value = 0, i = 0;
            while (i < {digits}) {{
                int c = {name}[i++];
                if ({digit})
                    value = 10 * value + c - '0';
                else
                    i = {digits};
            }}
            """),
            (recursion, f"int value = digits{tag}({name}, {digits}, 0);"),
        )
        return helpers, tidy(body) + over


class Median(Block):
    """The middle one of three bytes, compared with a limit."""

    needs = 3

    def draw(self, chance):
        self.limit = chance.randrange(40, 120)

    def edit(self, chance):
        self.limit += chance.choice([-1, 1])

    def outcome(self, values):
        return int(sorted(values)[1] > self.limit)

    def interesting(self):
        return {0, 255, self.limit - 1, self.limit, self.limit + 1}

    def code(self, style):
        x, y, z = (self.byte(at) for at in range(3))
        over = style.pick(f"k = m > {self.limit};", f"if (m >= {self.limit + 1})\n    k = 1;")
        middle = style.pick(
            f"""
            int x[3] = {{{x}, {y}, {z}}};
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2 - i; j++)
                    if (x[j] > x[j + 1]) {{
                        int t = x[j];
                        x[j] = x[j + 1];
                        x[j + 1] = t;
                    }}
            int m = x[1];
            """,
            f"""
            int low = {x} < {y} ? {x} : {y}, high = {x} < {y} ? {y} : {x};
            int m = {z} < low ? low : {z} > high ? high : {z};
            """,
            f"""
            int x = {x}, y = {y}, z = {z}, m;
            if ((x - y) * (y - z) >= 0)
                m = y;
            else if ((y - x) * (x - z) >= 0)
                m = x;
            else
                m = z;
            """,
        )
        return "", tidy(middle) + over


class Bits(Block):
    """A number that is seen from the bits of a byte, compared with a limit."""

    def draw(self, chance):
        self.limit = chance.randrange(2, 6)

    def edit(self, chance):
        self.limit += chance.choice([-1, 1])

    def outcome(self, values):
        return int(values[0].bit_count() >= self.limit)

    def interesting(self):
        return {0, 1, 3, 7, 15, 31, 63, 127, 255}

    def code(self, style):
        x = self.byte(0)
        over = style.pick(f"k = n >= {self.limit};", f"k = n > {self.limit - 1};")
        count = style.pick(
            f"""
            int n = 0;
            for (unsigned x = {x}; x; x >>= 1)
                n += (int)(x & 1);
            """,
            f"""
            int n = 0;
            for (unsigned x = {x}; x; x &= x - 1)
                n++;
            """,
            f"""
            unsigned x = {x};
            x = (x & 0x55) + (x >> 1 & 0x55);
            x = (x & 0x33) + (x >> 2 & 0x33);
            int n = (int)((x & 15) + (x >> 4));
            """,
            f"int n = __builtin_popcount({x});",
            f"""
            int n = 0;
            for (int bit = 0; bit < 8; bit++)
                if ({x} & 1 << bit)
                    n++;
            """,
        )
        return "", tidy(count) + over


class Signed(Block):
    """A byte as a signed number, shifted and compared."""

    def draw(self, chance):
        self.limit, self.signed = chance.randrange(-60, -2), True

    def edit(self, chance):
        if chance.random() < 0.5:
            self.signed = False
        else:
            self.limit += 1

    def outcome(self, values):
        value = values[0] - 256 if self.signed and values[0] > 127 else values[0]
        return int(value < self.limit)

    def interesting(self):
        return {0, 127, 128, 255, 256 + self.limit, 255 + self.limit, 257 + self.limit}

    def code(self, style):
        x = self.byte(0)
        if not self.signed:
            return "", f"int x = (unsigned char){x};\nk = x < {self.limit};"
        value = style.pick(f"(signed char){x}", f"{x} > 127 ? {x} - 256 : {x}", f"({x} ^ 128) - 128")
        return "", style.pick(f"int x = {value};\nk = x < {self.limit};", f"int x = {value};\nk = x <= {self.limit - 1};",
                              f"int x = {value};\nif (!(x >= {self.limit}))\n    k = 1;")


class Overflow(Block):
    """A number of four bytes, and whether another one fits above it."""

    needs = 4

    def draw(self, chance):
        self.more, self.checked = chance.randrange(1, 50), True

    def fits(self):
        return bool(self.places) and self.unoptimised

    def edit(self, chance):
        if chance.random() < 0.5:
            self.checked = False
        else:
            self.more += 1

    def witnesses(self, other, chance):
        most = 2 ** 31 - 1
        return [list((most - d).to_bytes(4, "little")) for d in (self.more - 1, self.more, other.more - 1, other.more, 0)]

    def code(self, style):
        parts = " | ".join(f"(unsigned){self.byte(at)} << {8 * at}" for at in range(4))
        start = f"int x = (int)({parts});\n"
        if not self.checked:
            return "", start + "k = x == 77 && x < 0;"
        return "", start + style.pick(f"k = x + {self.more} < x;", f"k = x > INT_MAX - {self.more};",
                                      f"int sum = x + {self.more};\nk = sum < x;")


class Triangle(Block):
    """The sum of the numbers up to one of at most fifteen, compared with a limit."""

    def draw(self, chance):
        self.limit, self.start = chance.randrange(3, 100), 0

    def edit(self, chance):
        if chance.random() < 0.5:
            self.start = 1
        else:
            top = [n * (n + 1) // 2 for n in range(16)]
            self.limit = next(sum for sum in top if sum > self.limit)

    def outcome(self, values):
        n = values[0] & 15
        return int(n * (n + 1) // 2 + self.start > self.limit)

    def interesting(self):
        return set(range(16))

    def code(self, style):
        x, tag, start = self.byte(0), self.number, self.start
        over = f"k = sum > {self.limit};"
        recursion = (f"\nstatic int total{tag}(int n)\n{{\n    if (n == 0)\n        return {start};\n"
                     f"    return n + total{tag}(n - 1);\n}}\n")
        return style.pick(
            ("", f"int sum = {start};\nfor (int n = 1; n <= ({x} & 15); n++)\n    sum += n;\n{over}"),
            ("", f"int sum = {start}, n = {x} % 16;\nwhile (n > 0)\n    sum += n--;\n{over}"),
            ("", f"int n = {x} & 15;\nint sum = n * (n + 1) / 2 + {start};\n{over}"),
            (recursion, f"int sum = total{tag}({x} & 15);\n{over}"),
        )


class Dispatch(Block):
    """A letter chooses what is done with two bytes."""

    needs = 3

    def draw(self, chance):
        self.letters = chance.sample("abcdexyz+-*", 3)
        self.operations = chance.sample(["x + y", "x - y", "x * y", "x ^ y", "x & y", "x | y"], 3)
        self.limit = chance.randrange(20, 200)

    def edit(self, chance):
        self.operations = list(self.operations)
        left = [text for text in ("x + y", "x - y", "x * y", "x ^ y", "x & y") if text not in self.operations]
        self.operations[chance.randrange(3)] = chance.choice(left)

    def outcome(self, values):
        if chr(values[0]) not in self.letters:
            return 0
        operation = self.operations[self.letters.index(chr(values[0]))]
        return int(eval(operation, {"x": values[1], "y": values[2]}) > self.limit)

    def interesting(self):
        return {ord(letter) for letter in self.letters} | {1, 3, 60, 100, 255}

    def code(self, style):
        letter, x, y = (self.byte(at) for at in range(3))
        pairs, tag = list(zip(self.letters, self.operations)), self.number
        start = f"int x = {x}, y = {y}, result = 0;\n"
        cases = "".join(f"case '{sign}':\n    result = {text};\n    break;\n" for sign, text in pairs)
        chain = "else ".join(f"if ({letter} == '{sign}')\n    result = {text};\n" for sign, text in pairs)
        functions = "".join(f"\nstatic int do{tag}_{at}(int x, int y)\n{{\n    return {text};\n}}\n"
                            for at, (_, text) in enumerate(pairs))
        entries = ", ".join(f"{{'{sign}', do{tag}_{at}}}" for at, (sign, _) in enumerate(pairs))
        table = (functions + f"\nstatic const struct {{\n    int letter;\n    int (*does)(int, int);\n}} table{tag}[3] = {{{entries}}};\n")
        walk = (f"for (int i = 0; i < 3; i++)\n    if (table{tag}[i].letter == {letter})\n"
                f"        result = table{tag}[i].does(x, y);\n")
        over = f"k = result > {self.limit};"
        return style.pick(("", start + f"switch ({letter}) {{\n{cases}}}\n" + over), ("", start + chain + over),
                          (table, start + walk + over))


class Record(Block):
    """Two bytes kept in a record, changed and compared."""

    needs = 2

    def draw(self, chance):
        self.add, self.factor, self.limit = chance.randrange(1, 40), chance.choice([2, 4, 3]), chance.randrange(150, 500)

    def edit(self, chance):
        if chance.random() < 0.5:
            self.add += 1
        else:
            self.factor += 1

    def outcome(self, values):
        return int(values[0] + self.add + values[1] * self.factor > self.limit)

    def interesting(self):
        rest = [self.limit - self.add - f * y for f in (self.factor, self.factor + 1) for y in (0, 10, 60)]
        return {0, 10, 60, 97, 255} | {value + d for value in rest for d in (-1, 0, 1) if 0 <= value + d <= 255}

    def code(self, style):
        x, y, tag = self.byte(0), self.byte(1), self.number
        times = {2: "<< 1", 4: "<< 2"}.get(self.factor)
        product = f"* {self.factor}" if times is None else style.pick(f"* {self.factor}", times)
        shape = f"\nstruct record{tag} {{\n    int low;\n    int high;\n}};\n"
        update = shape + (f"\nstatic void update{tag}(struct record{tag} *record)\n{{\n    record->low += {self.add};\n"
                          f"    record->high = record->high {product};\n}}\n")
        by_value = shape + (f"\nstatic struct record{tag} changed{tag}(struct record{tag} record)\n{{\n"
                            f"    record.high = record.high {product};\n    record.low = record.low + {self.add};\n"
                            f"    return record;\n}}\n")
        over = f"k = record.low + record.high > {self.limit};"
        return style.pick(
            (update, f"struct record{tag} record = {{{x}, {y}}};\nupdate{tag}(&record);\n{over}"),
            (by_value, f"struct record{tag} record = {{{x}, {y}}};\nrecord = changed{tag}(record);\n{over}"),
            ("", f"int low = {x}, high = {y};\nlow += {self.add};\nhigh = high {product};\nk = low + high > {self.limit};"),
            ("", f"int cells[2] = {{{x} + {self.add}, {y} {product}}};\nk = {self.limit} < cells[0] + cells[1];"),
        )


KINDS = [Ranges, Keyword, Machine, Checksum, Condition, Quotient, Quiet, Number, Median, Bits, Signed, Overflow, Triangle,
         Dispatch, Record]


def quoted(letter):
    return "0" if letter is None else f"'{letter}'"


def tidy(text):
    """Statements without the indentation of this file, each line ended."""
    return "\n".join(line for line in textwrap.dedent(text).strip("\n").split("\n") if line.strip()) + "\n"


def indent(text):
    return textwrap.indent(text, "    ")
