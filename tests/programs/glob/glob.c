/* glob: matches names against shell patterns.
 *
 *   glob [-i] [-p] [-v] [-x PATTERN] PATTERN NAME...
 *
 *   -i  ignores case          -p  '*' and '?' do not match '/', "**" does
 *   -v  prints what does not match      -x  excludes names
 *
 * Patterns: * ? [a-z] [!a-z] [[:digit:]] \c {one,two}
 * Exit status: 0 a name matched, 1 none did, 2 wrong usage, 3 bad pattern. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NO = 0, YES = 1, BAD = -1, GIVE_UP = -2 };
enum { MAX_STEPS = 4000, MAX_PATTERN = 48, MAX_EXPANSIONS = 16 };

static int ignore_case, pathnames;
static int steps;

static int fold(int c)
{
    return ignore_case ? tolower(c) : c;
}

static int in_class(const char *name, size_t n, int c)
{
    if (n == 5 && memcmp(name, "alpha", 5) == 0)
        return isalpha(c) != 0;
    if (n == 5 && memcmp(name, "digit", 5) == 0)
        return isdigit(c) != 0;
    if (n == 5 && memcmp(name, "upper", 5) == 0)
        return isupper(c) != 0;
    if (n == 9 && memcmp(name, "printable", 9) == 0)
        return isprint(c) != 0;
    return BAD;
}

/* A bracket expression after its '['; *end is set behind the ']'. */
static int match_bracket(const char *p, int c, const char **end)
{
    int negated = 0, found = 0, first = 1;
    if (*p == '!' || *p == '^') {
        negated = 1;
        p++;
    }
    for (; *p != ']' || first; first = 0) {
        if (*p == '\0')
            return BAD;
        if (p[0] == '[' && p[1] == ':') {
            const char *close = strstr(p, ":]");
            if (close == NULL)
                return BAD;
            int inside = in_class(p + 2, (size_t)(close - p - 2), c);
            if (inside == BAD)
                return BAD;
            found |= inside;
            p = close + 2;
            continue;
        }
        if (*p == '\\' && p[1] != '\0')
            p++;
        int low = fold((unsigned char)*p++), high = low;
        if (p[0] == '-' && p[1] != ']' && p[1] != '\0') {
            high = fold((unsigned char)p[1]);
            p += 2;
            if (high < low)
                return BAD;
        }
        if (fold(c) >= low && fold(c) <= high)
            found = 1;
    }
    *end = p + 1;
    return found != negated;
}

static int match(const char *p, const char *name)
{
    while (*p != '\0') {
        int c = (unsigned char)*name;
        if (++steps > MAX_STEPS)
            return GIVE_UP;
        switch (*p) {
        case '*': {
            int deep = p[1] == '*' || !pathnames;
            while (*p == '*')
                p++;
            for (;; name++) {
                int result = match(p, name);
                if (result != NO)
                    return result;
                if (*name == '\0' || (*name == '/' && !deep))
                    return NO;
            }
        }
        case '?':
            if (c == '\0' || (c == '/' && pathnames))
                return NO;
            p++;
            break;
        case '[': {
            int result = match_bracket(p + 1, c, &p);
            if (result == BAD)
                return BAD;
            if (c == '\0' || result == NO || (c == '/' && pathnames))
                return NO;
            break;
        }
        case '\\':
            if (*++p == '\0')
                return BAD;
            /* fall through */
        default:
            if (fold((unsigned char)*p) != fold(c))
                return NO;
            p++;
        }
        name++;
    }
    return *name == '\0' ? YES : NO;
}

/* Matches each of the alternatives that the first {...} stands for. */
static int match_alternatives(const char *pattern, const char *name, int level)
{
    char copy[MAX_PATTERN];
    const char *open = strchr(pattern, '{');
    while (open != NULL && open > pattern && open[-1] == '\\')
        open = strchr(open + 1, '{');
    if (open == NULL)
        return match(pattern, name);
    const char *close = strchr(open, '}');
    if (close == NULL || level == 3)
        return BAD;
    int expansions = 0;
    const char *from = open + 1;
    for (;;) {
        size_t n = strcspn(from, ",}");
        if (++expansions > MAX_EXPANSIONS)
            return BAD;
        int length = snprintf(copy, sizeof copy, "%.*s%.*s%s", (int)(open - pattern), pattern,
                              (int)n, from, close + 1);
        if (length >= MAX_PATTERN)
            return BAD;
        int result = match_alternatives(copy, name, level + 1);
        if (result != NO)
            return result;
        if (from[n] == '}')
            return NO;
        from += n + 1;
    }
}

static int matches(const char *pattern, const char *name)
{
    const char *base = name;
    steps = 0;
    if (strrchr(name, '/') != NULL)
        base = strrchr(name, '/') + 1;
    /* Hidden names match only patterns that have a point. */
    if (*base == '.' && strchr(pattern, '.') == NULL)
        return NO;
    return match_alternatives(pattern, name, 0);
}

static const char *explain(int result)
{
    return result == BAD ? "bad pattern" : "pattern is too complex";
}

int main(int argc, char **argv)
{
    const char *exclude = NULL;
    int inverted = 0, matched = 0, c;

    while ((c = getopt(argc, argv, "ipvx:")) != -1) {
        switch (c) {
        case 'i':
            ignore_case = 1;
            break;
        case 'p':
            pathnames = 1;
            break;
        case 'v':
            inverted = 1;
            break;
        case 'x':
            exclude = optarg;
            break;
        default:
            optind = argc;
        }
    }
    if (argc - optind < 2) {
        fputs("usage: glob [-i] [-p] [-v] [-x PATTERN] PATTERN NAME...\n", stderr);
        return 2;
    }
    const char *pattern = argv[optind++];
    for (; optind < argc; optind++) {
        int result = matches(pattern, argv[optind]);
        if (result == YES && exclude != NULL) {
            result = matches(exclude, argv[optind]);
            if (result >= 0)
                result = !result;
        }
        if (result < 0) {
            fprintf(stderr, "glob: %s: %s\n", argv[optind], explain(result));
            return 3;
        }
        if (result != inverted) {
            puts(argv[optind]);
            matched++;
        }
    }
    if (matched >= 5)
        printf("%d names\n", matched);
    return matched > 0 ? 0 : 1;
}
