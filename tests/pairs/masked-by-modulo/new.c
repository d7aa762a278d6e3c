#include <stdio.h>
#include <string.h>
#include <ctype.h>

/* A check letter for article numbers of exactly six digits. */
int main(int argc, char **argv)
{
    static const int weight[6] = { 7, 3, 1, 7, 3, 2 };
    const char *s;
    int i, sum = 0;

    if (argc < 2 || strlen(argv[1]) != 6) {
        puts("six digits, please");
        return 1;
    }
    s = argv[1];
    for (i = 0; i < 6; i++) {
        if (!isdigit((unsigned char)s[i])) {
            puts("not a digit");
            return 1;
        }
        sum += weight[i] * (s[i] - '0');
    }
    printf("group %d\n", sum % 48 / 45);
    return 0;
}
