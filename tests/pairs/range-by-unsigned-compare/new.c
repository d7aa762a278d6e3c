#include <stdio.h>

static int is_letter(char c)
{
    return ((unsigned char)c | 0x20u) - 'a' < 26u;
}

static int is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10u;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    const char *s = argv[1];

    if (is_digit(s[0]))
        puts("number");
    else if (!is_letter(s[0]))
        puts("other");
    else
        puts(is_digit(s[1]) ? "cell" : "name");
    return 0;
}
