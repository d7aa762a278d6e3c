#include <stdio.h>
#include <string.h>
#include <ctype.h>

static const struct {
    int lo, hi;
    const char *brand;
} brands[] = {
    { 3400, 3799, "red" },
    { 4000, 4999, "green" },
    { 5100, 5598, "blue" },
    { 6011, 6011, "black" },
};

static int luhn(const char *s)
{
    int i, d, sum = 0;

    for (i = 0; i < 16; i++) {
        d = s[i] - '0';
        if (i % 2 == 0) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
    }
    return sum % 10 == 0;
}

int main(int argc, char **argv)
{
    const char *s;
    size_t i;
    int head;

    if (argc != 2 || strlen(argv[1]) != 16) {
        printf("sixteen digits\n");
        return 1;
    }
    s = argv[1];
    for (i = 0; i < 16; i++) {
        if (!isdigit((unsigned char)s[i])) {
            printf("digits only\n");
            return 1;
        }
    }
    if (!luhn(s)) {
        printf("mistyped\n");
        return 1;
    }
    sscanf(s, "%4d", &head);
    for (i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        if (head >= brands[i].lo && head <= brands[i].hi) {
            printf("%s\n", brands[i].brand);
            return 0;
        }
    }
    printf("unknown brand\n");
    return 0;
}
