#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <setjmp.h>

static const char *in;
static jmp_buf fail;

static long expr(void);

static void error(const char *msg)
{
    printf("error: %s\n", msg);
    longjmp(fail, 1);
}

static void skip(void)
{
    while (*in == ' ' || *in == '\t')
        in++;
}

static int accept(int c)
{
    skip();
    if (*in != c)
        return 0;
    in++;
    return 1;
}

static long number(void)
{
    long v = 0;

    skip();
    if (!isdigit((unsigned char)*in))
        error("number expected");
    while (isdigit((unsigned char)*in)) {
        v = v * 10 + (*in++ - '0');
        if (v > 1000000)
            error("number too large");
    }
    return v;
}

static long primary(void)
{
    long v;

    if (accept('(')) {
        v = expr();
        if (!accept(')'))
            error("missing )");
        return v;
    }
    return number();
}

static long power(long base, long e)
{
    long r = 1;

    if (e < 0)
        error("negative exponent");
    if (e > 40)
        error("exponent too large");
    while (e-- > 0) {
        r *= base;
        if (r > 1000000000L || r < -1000000000L)
            error("overflow");
    }
    return r;
}

static long factor(void)
{
    long v = primary();

    while (accept('^'))
        v = power(v, primary());
    return v;
}

static long unary(void)
{
    if (accept('-'))
        return -unary();
    if (accept('+'))
        return unary();
    return factor();
}

static long term(void)
{
    long v = unary(), d;

    for (;;) {
        if (accept('*')) {
            v *= unary();
        } else if (accept('/')) {
            d = unary();
            if (d == 0)
                error("division by zero");
            v /= d;
        } else {
            return v;
        }
    }
}

static long expr(void)
{
    long v = term();

    for (;;) {
        if (accept('+'))
            v += term();
        else if (accept('-'))
            v -= term();
        else
            return v;
    }
}

int main(void)
{
    char line[256];
    long v;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        in = line;
        skip();
        if (*in == '\0')
            continue;
        if (setjmp(fail) != 0)
            continue;
        v = expr();
        skip();
        if (*in != '\0')
            error("trailing text");
        printf("%ld\n", v);
    }
    return 0;
}
