#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*binop)(int, int);

static int op_and(int a, int b) { return a & b; }
static int op_or(int a, int b)  { return a | b; }
static int op_xor(int a, int b) { return a ^ b; }
static int op_lt(int a, int b)  { return a < b; }
static int op_le(int a, int b)  { return a <= b; }
static int op_max(int a, int b) { return a > b ? a : b; }

static const struct {
    const char *name;
    binop fn;
} ops[] = {
    { "and", op_and },
    { "or", op_or },
    { "xor", op_xor },
    { "less", op_lt },
    { "upto", op_lt },
    { "max", op_max },
};

int main(int argc, char **argv)
{
    size_t i;

    if (argc != 4)
        return 1;
    for (i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (strcmp(argv[1], ops[i].name) == 0) {
            printf("%d\n", ops[i].fn(atoi(argv[2]), atoi(argv[3])));
            return 0;
        }
    }
    fprintf(stderr, "unknown operator %s\n", argv[1]);
    return 1;
}
