/* calc: a desk calculator for 64-bit integers, one statement per line of stdin.
 *
 *   NAME = EXPR     sets a variable        EXPR        prints a value
 *   vars            lists the variables    delete NAME removes one
 *   base 2..16      sets the output base   # ...       comment
 *
 * Exit status: 0 no error, 1 a line had an error, 2 wrong usage. */
#include <ctype.h>
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { MAX_VARS = 6, MAX_NAME = 12, MAX_LINE = 200, MAX_NEST = 12 };

struct var {
    char name[MAX_NAME + 1];
    long value;
};

static struct var vars[MAX_VARS];
static int var_count;
static int base = 10;

static const char *cursor;
static int nesting;
static jmp_buf failed;
static const char *reason;

static void fail(const char *why)
{
    reason = why;
    longjmp(failed, 1);
}

static void blanks(void)
{
    while (*cursor == ' ' || *cursor == '\t')
        cursor++;
}

static int accept(const char *symbol)
{
    size_t n = strlen(symbol);
    blanks();
    if (strncmp(cursor, symbol, n) != 0)
        return 0;
    cursor += n;
    return 1;
}

static int read_name(char *name)
{
    int n = 0;
    blanks();
    if (!isalpha((unsigned char)*cursor))
        return 0;
    while (isalnum((unsigned char)*cursor) || *cursor == '_') {
        if (n == MAX_NAME)
            fail("name is too long");
        name[n++] = *cursor++;
    }
    name[n] = '\0';
    return 1;
}

static struct var *find(const char *name)
{
    for (int i = 0; i < var_count; i++)
        if (strcmp(vars[i].name, name) == 0)
            return &vars[i];
    return NULL;
}

static long expression(void);

static long call(const char *name)
{
    long a = expression();
    if (strcmp(name, "abs") == 0) {
        if (a == LONG_MIN)
            fail("overflow");
        return a < 0 ? -a : a;
    }
    if (strcmp(name, "sign") == 0)
        return (a > 0) - (a < 0);
    if (strcmp(name, "factorial") == 0) {
        long product = 1;
        if (a < 0 || a > 20)
            fail("factorial is out of range");
        for (long i = 2; i <= a; i++)
            product *= i;
        return product;
    }
    if (!accept(","))
        fail("',' expected");
    long b = expression();
    if (strcmp(name, "min") == 0)
        return a < b ? a : b;
    if (strcmp(name, "max") == 0)
        return a > b ? a : b;
    if (strcmp(name, "gcd") == 0) {
        if (a < 1 || b < 1)
            fail("gcd needs positive numbers");
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
    fail("unknown function");
    return 0;
}

static long literal(void)
{
    long value = 0;
    int radix = 10;
    if (cursor[0] == '0' && cursor[1] == 'x') {
        radix = 16;
        cursor += 2;
        if (!isxdigit((unsigned char)*cursor))
            fail("hex digits expected");
    }
    for (; isxdigit((unsigned char)*cursor); cursor++) {
        int digit = isdigit((unsigned char)*cursor) ? *cursor - '0' : tolower(*cursor) - 'a' + 10;
        if (digit >= radix)
            fail("digit is too large");
        if (__builtin_mul_overflow(value, (long)radix, &value) ||
            __builtin_add_overflow(value, (long)digit, &value))
            fail("number is too large");
    }
    return value;
}

static long primary(void)
{
    char name[MAX_NAME + 1];
    if (isdigit((unsigned char)*cursor))
        return literal();
    if (accept("(")) {
        if (++nesting > MAX_NEST)
            fail("nested too deeply");
        long value = expression();
        if (!accept(")"))
            fail("')' expected");
        nesting--;
        return value;
    }
    if (!read_name(name))
        fail(*cursor == '\0' ? "unexpected end" : "unexpected character");
    if (accept("(")) {
        if (++nesting > MAX_NEST)
            fail("nested too deeply");
        long value = call(name);
        if (!accept(")"))
            fail("')' expected after the arguments");
        nesting--;
        return value;
    }
    struct var *var = find(name);
    if (var == NULL)
        fail("unknown variable");
    return var->value;
}

static long unary(void)
{
    int negate = 0;
    for (blanks(); *cursor == '-' || *cursor == '+'; blanks())
        negate ^= *cursor++ == '-';
    long value = primary();
    if (negate && __builtin_sub_overflow(0L, value, &value))
        fail("overflow");
    return value;
}

/* Right associative: 2^3^2 is 512. */
static long power(void)
{
    long value = unary();
    if (!accept("^"))
        return value;
    if (++nesting > MAX_NEST)
        fail("nested too deeply");
    long exponent = power();
    nesting--;
    if (exponent < 0 || exponent > 64)
        fail("bad exponent");
    long result = 1;
    while (exponent-- > 0)
        if (__builtin_mul_overflow(result, value, &result))
            fail("overflow");
    return result;
}

static long term(void)
{
    long value = power();
    for (;;) {
        if (accept("*")) {
            if (__builtin_mul_overflow(value, power(), &value))
                fail("overflow");
        } else if (accept("/") || accept("%")) {
            char op = cursor[-1];
            long by = power();
            if (by == 0)
                fail("division by zero");
            if (by == -1 && value == LONG_MIN)
                fail("overflow");
            value = op == '/' ? value / by : value % by;
        } else {
            return value;
        }
    }
}

static long sum(void)
{
    long value = term();
    for (;;) {
        if (accept("+")) {
            if (__builtin_add_overflow(value, term(), &value))
                fail("overflow");
        } else if (accept("-")) {
            if (__builtin_sub_overflow(value, term(), &value))
                fail("overflow");
        } else {
            return value;
        }
    }
}

static long expression(void)
{
    long value = sum();
    if (accept("=="))
        return value == sum();
    if (accept("<"))
        return value < sum();
    if (accept(">"))
        return value > sum();
    return value;
}

static void print(long value)
{
    char text[sizeof value * CHAR_BIT + 1];
    size_t at = sizeof text;
    unsigned long rest = value < 0 ? 0UL - (unsigned long)value : (unsigned long)value;
    text[--at] = '\0';
    do
        text[--at] = "0123456789abcdef"[rest % (unsigned long)base];
    while ((rest /= (unsigned long)base) != 0);
    printf("%s%s\n", value < 0 ? "-" : "", text + at);
}

static void end_of_line(void)
{
    blanks();
    if (*cursor != '\0' && *cursor != '#')
        fail("end of line expected");
}

static void assign(const char *name, long value)
{
    struct var *var = find(name);
    if (var == NULL) {
        if (var_count == MAX_VARS)
            fail("too many variables");
        var = &vars[var_count++];
        strcpy(var->name, name);
    }
    var->value = value;
}

static void statement(const char *text)
{
    char name[MAX_NAME + 1];
    cursor = text;
    nesting = 0;
    blanks();
    if (*cursor == '\0' || *cursor == '#')
        return;
    const char *start = cursor;
    if (read_name(name)) {
        blanks();
        if (strcmp(name, "vars") == 0) {
            end_of_line();
            for (int i = 0; i < var_count; i++) {
                printf("%s = ", vars[i].name);
                print(vars[i].value);
            }
            return;
        }
        if (strcmp(name, "delete") == 0 && read_name(name)) {
            end_of_line();
            struct var *var = find(name);
            if (var == NULL)
                fail("unknown variable");
            *var = vars[--var_count];
            return;
        }
        if (strcmp(name, "base") == 0 && isdigit((unsigned char)*cursor)) {
            long wanted = literal();
            end_of_line();
            if (wanted < 2 || wanted > 16)
                fail("base must be 2 to 16");
            base = (int)wanted;
            return;
        }
        if (*cursor == '=' && cursor[1] != '=') {
            cursor++;
            long value = expression();
            end_of_line();
            assign(name, value);
            return;
        }
    }
    cursor = start;
    long value = expression();
    end_of_line();
    print(value);
}

int main(int argc, char **argv)
{
    static char text[MAX_LINE];
    static int number, status;
    (void)argv;
    if (argc != 1) {
        fputs("usage: calc < FILE\n", stderr);
        return 2;
    }
    while (fgets(text, sizeof text, stdin) != NULL) {
        number++;
        text[strcspn(text, "\n")] = '\0';
        if (strcmp(text, "quit") == 0)
            break;
        if (setjmp(failed) == 0) {
            statement(text);
        } else {
            printf("line %d: %s\n", number, reason);
            status = 1;
        }
    }
    return status;
}
