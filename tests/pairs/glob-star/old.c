#include <stdio.h>

static int glob(const char *p, const char *s)
{
    for (; *p != '\0'; p++, s++) {
        if (*p == '*') {
            while (*p == '*')
                p++;
            if (*p == '\0')
                return 1;
            for (; *s != '\0'; s++)
                if (glob(p, s))
                    return 1;
            return 0;
        }
        if (*s == '\0')
            return 0;
        if (*p != '?' && *p != *s)
            return 0;
    }
    return *s == '\0';
}

int main(int argc, char **argv)
{
    int i, misses = 0;

    for (i = 2; i < argc; i++)
        if (!glob(argv[1], argv[i]))
            misses++;
    return misses;
}
