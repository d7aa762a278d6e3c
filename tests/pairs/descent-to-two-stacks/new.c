#include <stdio.h>
#include <string.h>

static unsigned values[256];
static char operators[256];
static int n_values, n_operators;

static int rank(char op)
{
    switch (op) {
    case '+':
    case '-':
        return 1;
    case '*':
    case '/':
        return 2;
    default:
        return 0;
    }
}

/* Applies the topmost operator; returns 0 for a division by zero. */
static int apply(void)
{
    unsigned b = values[--n_values];
    unsigned *a = &values[n_values - 1];
    switch (operators[--n_operators]) {
    case '+':
        *a += b;
        return 1;
    case '-':
        *a -= b;
        return 1;
    case '*':
        *a *= b;
        return 1;
    default:
        if (b == 0)
            return 0;
        *a /= b;
        return 1;
    }
}

static int evaluate(const char *p)
{
    int want_value = 1;

    for (;;) {
        char c = *p;
        if (c == ' ') {
            p++;
        } else if (want_value) {
            if (c == '(') {
                operators[n_operators++] = c;
                p++;
            } else if (c >= '0' && c <= '9') {
                unsigned v = 0;
                do
                    v = v * 10 + (unsigned)(*p - '0');
                while (*++p >= '0' && *p <= '9');
                values[n_values++] = v;
                want_value = 0;
            } else {
                return 0;
            }
        } else if (rank(c)) {
            while (n_operators && rank(operators[n_operators - 1]) >= rank(c))
                if (!apply())
                    return 0;
            operators[n_operators++] = c;
            want_value = 1;
            p++;
        } else if (c == ')' || c == '\0') {
            while (n_operators && operators[n_operators - 1] != '(')
                if (!apply())
                    return 0;
            if (c == '\0')
                return n_operators == 0;
            if (n_operators == 0)
                return 0;
            n_operators--;
            p++;
        } else {
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) > 200) {
        puts("usage: calc EXPRESSION");
        return 2;
    }
    if (!evaluate(argv[1])) {
        puts("bad expression");
        return 1;
    }
    printf("%u\n", values[0]);
    return 0;
}
