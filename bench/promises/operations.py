"""Operations that trap or have no defined result for one byte, with near misses that never do.

Each is an expression of the int `c`, a byte of the input or EOF. Without optimisation a plain build does what the
expression says; the optimiser may drop or fold it. The byte is always a q.
"""

import dataclasses

HEAD = """#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float quad __attribute__((vector_size(16)));

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int cell = 5, other = 6;
static char room[64] __attribute__((aligned(16)));
"""


@dataclasses.dataclass
class Operation:
    """An operation: what the old version computes, what the new one does, and what it needs."""

    name: str
    # The old and the new expression of the pair that differs.
    differs: tuple
    # The old and the new expression of the near miss.
    same: tuple
    helpers: str = ""


# An expression whose result nothing uses: the old version computes a constant.
def unused(name, bad, fine, helpers=""):
    return Operation(name, ("0", bad), ("0", fine), helpers)


BIG = """
static int big(int c)
{
    char canvas[64 << 20];
    canvas[0] = (char)c;
    return 0;
}

static int small(int c)
{
    char canvas[64];
    canvas[0] = (char)c;
    return 0;
}
"""

DEEP = """
static int deep(int n)
{
    return n == 0 ? 0 : 1 + deep(n - 1);
}
"""

VECTOR = """
static int first(const char *at)
{
    quad all = *(const quad *)at;
    return (int)all[0];
}
"""

CHECKED = """
__attribute__((pure, noinline)) static int checked(int c)
{
    if (c == 'q')
        abort();
    return 1;
}

__attribute__((pure, noinline)) static int counted(int c)
{
    return c * 3;
}
"""

RAW = "(c == 'q' ? INT_MAX : c)"
LEAST = "(c == 'q' ? INT_MIN : c)"

# What nothing uses; then what decides.
UNUSED = [
    unused("division", "100 / (c - 'q')", "100 / (2 * c + 1)"),
    unused("remainder", "100 % (c - 'q')", "100 % (c | 512 | 1)"),
    unused("least-quotient", "(int)(LONG_MIN / (c == 'q' ? -1 : 3))", "(int)((LONG_MIN + 1) / (c == 'q' ? -1 : 3))"),
    unused("null-load", "*(c == 'q' ? NULL : &cell)", "*(c == 'q' ? &other : &cell)"),
    unused("far-load", "table[(c == 'q') << 28]", "table[c & 7]"),
    unused("far-element", "((int[8]){0})[(c == 'q') << 26]", "((int[8]){0})[(c == 'q') << 2]"),
    unused("length-of-null", "(int)strlen(c == 'q' ? NULL : \"name\")", "(int)strlen(c == 'q' ? \"title\" : \"name\")"),
    unused("constant-written", "(*(c == 'q' ? (char *)\"x\" : room) = 'x')", "(*(c == 'q' ? room + 1 : room) = 'x')"),
    unused("misaligned", "first(room + (c == 'q'))", "first(room + 16 * (c == 'q'))", VECTOR),
    unused("huge-frame", "(c == 'q' ? big(c) : 0)", "(c == 'q' ? small(c) : 0)", BIG),
    unused("deep-recursion", "deep(c == 'q' ? 10000000 : 3)", "deep(c == 'q' ? 5 : 3)", DEEP),
    unused("pure-abort", "checked(c)", "counted(c)", CHECKED),
    unused("assertion", "(assert(c != 'q'), 1)", "(assert(c < 256), 1)"),
]

DECIDING = [
    Operation("successor", ("1", f"{RAW} + 1 > {RAW}"), (f"{RAW} != INT_MAX", f"{RAW} + 1 > {RAW}")),
    Operation("predecessor", ("1", f"{LEAST} - 1 < {LEAST}"), (f"{LEAST} != INT_MIN", f"{LEAST} - 1 < {LEAST}")),
    Operation("absolute", ("0", f"abs({LEAST}) < 0"), (f"{LEAST} == INT_MIN", f"{LEAST} < 0 && -(long){LEAST} > INT_MAX")),
    Operation("negation", ("0", f"{LEAST} < 0 && -{LEAST} < 0"), (f"{LEAST} == INT_MIN", f"{LEAST} < -INT_MAX")),
    Operation("doubling", ("1", f"{RAW} * 2 / 2 == {RAW}"), ("1", "c * 2 / 2 == c")),
    Operation("shift", ("c == 'q' ? 0 : 2", "(int)(1u << (c == 'q' ? 33 : 1))"),
              ("c == 'q' ? 8 : 2", "(int)(1u << (c == 'q' ? 3 : 1))")),
    Operation("conversion", ("0", "(int)(c == 'q' ? 1e10 : c * 0.5) < 0 && c > 0"),
              ("0", "(int)(c == 'q' ? 1e9 : c * 0.5) < 0 && c > 0")),
]


def in_main(function, expression, shown):
    return "", f"    int result = {expression};\n    {shown}\n"


def in_callee(function, expression, shown):
    return f"static int {function}(int c)\n{{\n    int result = {expression};\n    return result;\n}}\n", \
        f"    int result = {function}(c);\n    {shown}\n"


def in_branch(function, expression, shown):
    return "", f"    int result = 0;\n    if (c > 'b')\n        result = {expression};\n    {shown}\n"


def in_loop(function, expression, shown):
    return "", f"    int result = 0;\n    for (int i = 0; i < 3; i++)\n        result = {expression};\n    {shown}\n"


def in_field(function, expression, shown):
    return "struct record {\n    int kind;\n    int result;\n};\n", \
        f"    struct record record = {{c, 0}};\n    record.result = {expression};\n    int result = record.result;\n    {shown}\n"


def through_pointer(function, expression, shown):
    return f"static void {function}(int c, int *to)\n{{\n    *to = {expression};\n}}\n", \
        f"    int result = 0;\n    {function}(c, &result);\n    {shown}\n"


def in_recursion(function, expression, shown):
    return f"static int {function}(int c, int n)\n{{\n    if (n > 0)\n        return {function}(c, n - 1);\n" \
           f"    int result = {expression};\n    return result;\n}}\n", \
        f"    int result = {function}(c, 3);\n    {shown}\n"


def by_callback(function, expression, shown):
    return f"static int {function}(int c)\n{{\n    int result = {expression};\n    return result;\n}}\n\n" \
           f"static int (*volatile const handler)(int) = {function};\n", \
        f"    int result = handler(c);\n    {shown}\n"


def in_switch(function, expression, shown):
    return "", f"    int result = 0;\n    switch (c & 3) {{\n    case 1:\n        result = {expression};\n        break;\n" \
               f"    case 2:\n        c++;\n        break;\n    }}\n    {shown}\n"


def in_global(function, expression, shown):
    return "static int kept;\n", f"    kept = {expression};\n    int result = kept;\n    {shown}\n"


PLACES = [in_main, in_callee, in_branch, in_loop, in_field, through_pointer, in_recursion, by_callback, in_switch, in_global]

INPUTS = [
    ("int main(void)\n{\n    int c = getchar();\n", 'stdin = "q"'),
    ("int main(int argc, char **argv)\n{\n    int c = argc > 1 ? argv[1][0] : 0;\n", 'args = ["q"]'),
    ("int main(void)\n{\n    unsigned char byte = 0;\n    if (fread(&byte, 1, 1, stdin) != 1)\n        byte = 0;\n    int c = byte;\n",
     'stdin = "q"'),
]


def text(operation, expression, place, start, used):
    """The program in which the expression stands at a place."""
    shown = 'puts(result ? "yes" : "no");' if used else 'puts("done");'
    helpers, body = place("work", expression, shown)
    return f"{HEAD}{operation.helpers}\n{helpers}\n{start}{body}    return 0;\n}}\n"


def variations(count):
    """All pairs: name, verdict, purpose, old, new and the witness or nothing."""
    for used, operations in ((False, UNUSED), (True, DECIDING)):
        for operation in operations:
            for number, place in enumerate(PLACES[:count]):
                start, witness = INPUTS[number % len(INPUTS)]
                for verdict, (old, new) in (("different", operation.differs), ("equivalent", operation.same)):
                    where = place.__name__.replace("_", " ")
                    yield (f"{operation.name}-{verdict}-{number}", verdict, f"{operation.name} {where}.",
                           text(operation, old, place, start, used), text(operation, new, place, start, used),
                           witness if verdict == "different" else None)
