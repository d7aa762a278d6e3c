#include <stdio.h>

static const char *classify(int n, const char *s)
{
    if (n == 1)
        return "nothing given";
    if (n > 3)
        return "too many";
    if (s[0] == '\0')
        return "empty";
    if (s[0] == '+' && s[1] == '\0')
        return "lonely plus";
    if (s[0] == '+')
        return n == 3 ? "plus with target" : "plus";
    if (n == 3)
        return "word with target";
    return "word";
}

int main(int argc, char **argv)
{
    if (argc < 1)
        return 3;
    printf("%s\n", classify(argc, argv[1]));
    return 0;
}
