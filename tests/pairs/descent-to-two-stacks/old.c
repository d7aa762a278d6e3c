#include <stdio.h>
#include <string.h>

static const char *at;
static int failed;

static unsigned expression(void);

static void blanks(void)
{
    while (*at == ' ')
        at++;
}

static unsigned factor(void)
{
    unsigned v = 0;
    blanks();
    if (*at == '(') {
        at++;
        v = expression();
        if (*at == ')')
            at++;
        else
            failed = 1;
    } else if (*at >= '0' && *at <= '9') {
        while (*at >= '0' && *at <= '9')
            v = v * 10 + (unsigned)(*at++ - '0');
    } else {
        failed = 1;
    }
    blanks();
    return v;
}

static unsigned term(void)
{
    unsigned v = factor();
    while (!failed && (*at == '*' || *at == '/')) {
        char op = *at++;
        unsigned w = factor();
        if (op == '*')
            v *= w;
        else if (w)
            v /= w;
        else
            failed = 1;
    }
    return v;
}

static unsigned expression(void)
{
    unsigned v = term();
    while (!failed && (*at == '+' || *at == '-')) {
        char op = *at++;
        unsigned w = term();
        v = op == '+' ? v + w : v - w;
    }
    return v;
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) > 200) {
        puts("usage: calc EXPRESSION");
        return 2;
    }
    at = argv[1];
    unsigned v = expression();
    if (failed || *at) {
        puts("bad expression");
        return 1;
    }
    printf("%u\n", v);
    return 0;
}
