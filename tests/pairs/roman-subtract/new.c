#include <stdio.h>
#include <string.h>

static int value(int c)
{
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}

int main(int argc, char **argv)
{
    int total = 0, v, next;
    const char *s;

    if (argc != 2 || argv[1][0] == '\0') {
        puts("one numeral");
        return 1;
    }
    for (s = argv[1]; *s != '\0'; s++) {
        v = value(*s);
        if (v == 0) {
            puts("not a numeral");
            return 1;
        }
        next = value(s[1]);
        if (next > v) {
            if (next > 10 * v) {
                puts("badly formed");
                return 1;
            }
            total -= v;
        } else {
            total += v;
        }
    }
    printf("%d\n", total);
    return 0;
}
