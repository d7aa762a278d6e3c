#include <stdio.h>

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        const char *s = argv[i];
        int count = 0;

        while (*s != '\0') {
            if (*s == '%') {
                if (s[1] == '%') {
                    putchar('%');
                    s += 2;
                } else if (s[1] != '\0') {
                    printf("<%c>", s[1]);
                    s += 2;
                } else {
                    s++;
                }
                count++;
            } else {
                putchar(*s++);
            }
        }
        printf(" %d\n", count);
    }
    return 0;
}
