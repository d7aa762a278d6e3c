/* radix: converts numbers between bases, Roman numerals, English words and time notation.
 *
 *   radix [-f BASE] [-t BASE|roman|words|time] [-g] [-w BITS] NUMBER...
 *
 *   -f  base of the input, 2 to 36, or 0 to go by the prefix (the default); "roman"
 *   -t  what to print (10 by default)      -g  groups digits
 *   -w  8, 16 or 32: numbers must fit in two's complement; negative ones print as such
 *
 * Exit status: 0 good, 1 a number is bad, 2 wrong usage. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROMAN = -1, WORDS = -2, TIME = -3, BAD = -4 };
enum { MAX_TEXT = 256 };

static int from, to = 10, grouped, bits;

static const struct {
    int value;
    const char *text;
} numerals[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"},
};
enum { NUMERALS = sizeof numerals / sizeof *numerals };

static const char *const small[] = {
    "zero",    "one",     "two",       "three",    "four",     "five",    "six",
    "seven",   "eight",   "nine",      "ten",      "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen",  "seventeen", "eighteen", "nineteen",
};
static const char *const tens[] = {"",      "",      "twenty",  "thirty", "forty",
                                   "fifty", "sixty", "seventy", "eighty", "ninety"};

static void roman(long n, char *out)
{
    *out = '\0';
    for (int i = 0; i < NUMERALS; i++) {
        while (n >= numerals[i].value) {
            strcat(out, numerals[i].text);
            n -= numerals[i].value;
        }
    }
}

/* Only the normal form is accepted: what is read must be what would be written. */
static const char *parse_roman(const char *text, long *n)
{
    char upper[MAX_TEXT], normal[MAX_TEXT];
    size_t length = strlen(text);
    const char *p = upper;
    *n = 0;
    if (length == 0 || length > 15)
        return "not a Roman numeral";
    for (size_t i = 0; i <= length; i++)
        upper[i] = (char)toupper((unsigned char)text[i]);
    for (int i = 0; i < NUMERALS; i++) {
        size_t k = strlen(numerals[i].text);
        while (strncmp(p, numerals[i].text, k) == 0) {
            *n += numerals[i].value;
            p += k;
        }
    }
    if (*p != '\0')
        return "not a Roman numeral";
    roman(*n, normal);
    if (strcmp(normal, upper) != 0)
        return "not a normal Roman numeral";
    if (*n > 3999)
        return "too large for a Roman numeral";
    return NULL;
}

static const char *parse(const char *text, long *n)
{
    char *end;
    if (from == ROMAN)
        return parse_roman(text, n);
    const char *digits = text;
    int base = from;
    if (base == 0 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) {
        base = 2;
        digits += 2;
        if (*digits == '-')
            return "not a number";
    }
    errno = 0;
    *n = strtol(digits, &end, base);
    if (end == digits)
        return "not a number";
    if (errno == ERANGE)
        return "too large";
    /* In bases above 20 this is a digit, and strtol has taken it. */
    if (*end == 'k' && end[1] == '\0') {
        if (__builtin_mul_overflow(*n, 1000L, n))
            return "too large";
    } else if (*end != '\0') {
        return "garbage after the number";
    }
    if (bits > 0 && (*n < -(1L << (bits - 1)) || *n >= 1L << bits))
        return "does not fit";
    return NULL;
}

static void in_base(long n, int base, char *out)
{
    char reversed[MAX_TEXT];
    int length = 0, count = 0;
    int group = base == 10 ? 3 : 4;
    unsigned long rest = (unsigned long)n;
    if (n < 0) {
        if (bits > 0)
            rest &= (1UL << bits) - 1;
        else {
            *out++ = '-';
            rest = 0UL - rest;
        }
    }
    do {
        if (grouped && count > 0 && count % group == 0)
            reversed[length++] = base == 10 ? ',' : '_';
        reversed[length++] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % (unsigned)base];
        rest /= (unsigned)base;
        count++;
    } while (rest != 0);
    while (length > 0)
        *out++ = reversed[--length];
    *out = '\0';
}

static void below_thousand(int n, char *out)
{
    if (n >= 100) {
        out += sprintf(out, "%s hundred", small[n / 100]);
        n %= 100;
        if (n == 0)
            return;
        out += sprintf(out, " and ");
    }
    if (n < 20)
        strcpy(out, small[n]);
    else if (n % 10 == 0)
        strcpy(out, tens[n / 10]);
    else
        sprintf(out, "%s-%s", tens[n / 10], small[n % 10]);
}

static const char *words(long n, char *out)
{
    char part[MAX_TEXT];
    if (n < -999999 || n > 999999)
        return "too large for words";
    *out = '\0';
    if (n < 0) {
        strcpy(out, "minus ");
        n = -n;
    }
    if (n >= 1000) {
        below_thousand((int)(n / 1000), part);
        strcat(out, part);
        strcat(out, " thousand");
        n %= 1000;
        if (n == 0)
            return NULL;
        strcat(out, n < 100 ? " and " : ", ");
    }
    below_thousand((int)n, part);
    strcat(out, part);
    return NULL;
}

static const char *as_time(long n, char *out)
{
    if (n < 0)
        return "time cannot be negative";
    long days = n / 86400, hours = n / 3600 % 24, minutes = n / 60 % 60;
    if (days > 9999)
        return "too long a time";
    if (days > 0)
        snprintf(out, MAX_TEXT, "%ldd %02ld:%02ld:%02ld", days, hours, minutes, n % 60);
    else if (hours > 0)
        snprintf(out, MAX_TEXT, "%ld:%02ld:%02ld", hours, minutes, n % 60);
    else
        snprintf(out, MAX_TEXT, "%ld:%02ld", minutes, n % 60);
    return NULL;
}

static const char *convert(const char *text, char *out)
{
    long n;
    const char *wrong = parse(text, &n);
    if (wrong != NULL)
        return wrong;
    switch (to) {
    case ROMAN:
        if (n < 1 || n > 3999)
            return "no Roman numeral";
        roman(n, out);
        return NULL;
    case WORDS:
        return words(n, out);
    case TIME:
        return as_time(n, out);
    default:
        in_base(n, to, out);
        return NULL;
    }
}

static int parse_base(const char *text, int lowest)
{
    char *end;
    if (strcmp(text, "roman") == 0)
        return ROMAN;
    if (lowest == 2 && strcmp(text, "words") == 0)
        return WORDS;
    if (lowest == 2 && strcmp(text, "time") == 0)
        return TIME;
    long base = strtol(text, &end, 10);
    if (end == text || *end != '\0' || base < lowest || base > 36 || base == 1)
        return BAD;
    return (int)base;
}

static int usage(void)
{
    fputs("usage: radix [-f BASE] [-t BASE|roman|words|time] [-g] [-w BITS] NUMBER...\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    int c, status = 0;
    while ((c = getopt(argc, argv, "+f:t:gw:")) != -1) {
        switch (c) {
        case 'f':
            from = parse_base(optarg, 0);
            break;
        case 't':
            to = parse_base(optarg, 2);
            break;
        case 'g':
            grouped = 1;
            break;
        case 'w':
            bits = atoi(optarg);
            if (bits != 8 && bits != 16 && bits != 32)
                return usage();
            break;
        default:
            return usage();
        }
    }
    if (from == BAD || to == BAD || optind == argc)
        return usage();
    if (grouped && to < 0) {
        fputs("radix: only digits can be grouped\n", stderr);
        return 2;
    }
    for (; optind < argc; optind++) {
        char out[MAX_TEXT];
        const char *wrong = convert(argv[optind], out);
        if (wrong != NULL) {
            printf("%s: %s\n", argv[optind], wrong);
            status = 1;
        } else {
            puts(out);
        }
    }
    return status;
}
