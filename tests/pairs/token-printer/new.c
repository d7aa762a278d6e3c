#include <stdio.h>
#include <string.h>
#include <ctype.h>

static const char *const keywords[] = {
    "and", "or", "if", "xor", "lambda", "=>", NULL
};

static const char specials[] = "()[],`'";

static int is_keyword(const char *s)
{
    int i;

    for (i = 0; keywords[i] != NULL; i++)
        if (strcmp(keywords[i], s) == 0)
            return 1;
    return 0;
}

static int is_number(const char *s)
{
    if (*s == '-')
        s++;
    if (!isdigit((unsigned char)*s))
        return 0;
    while (isdigit((unsigned char)*s))
        s++;
    return *s == '\0';
}

static int is_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s))
        return 0;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    return *s == '\0';
}

static int is_constant(const char *s)
{
    return s[0] == '#' && (s[1] == '\0' || s[2] == '\0');
}

static void word(const char *s)
{
    if (is_keyword(s))
        printf("keyword,\"%s\".\n", s);
    else if (is_number(s))
        printf("numeric,%s.\n", s);
    else if (is_identifier(s))
        printf("identifier,\"%s\".\n", s);
    else if (is_constant(s))
        printf("character,\"%s\".\n", s + 1);
    else
        printf("error,\"%s\".\n", s);
}

static void special(int c)
{
    static const char *const names[] = {
        "lparen", "rparen", "lsquare", "rsquare", "comma", "bquote", "quote"
    };
    const char *p = strchr(specials, c);

    printf("%s.\n", names[p - specials]);
}

int main(void)
{
    char buf[82];
    int n = 0, c;

    for (;;) {
        c = getchar();
        if (c == '"' && n == 0) {
            do {
                if (n < 80)
                    buf[n++] = (char)c;
                c = getchar();
            } while (c != EOF && c != '\n' && c != '"');
            buf[n] = '\0';
            if (c == '"')
                printf("string,%s\".\n", buf);
            else
                printf("error,%s.\n", buf);
            n = 0;
            if (c == EOF)
                break;
            continue;
        }
        if (c == EOF || isspace(c) || c == ';' || (c != 0 && strchr(specials, c))) {
            if (n > 0) {
                buf[n] = '\0';
                word(buf);
                n = 0;
            }
            if (c == EOF)
                break;
            if (c == ';')
                while (c != EOF && c != '\n')
                    c = getchar();
            else if (!isspace(c))
                special(c);
            continue;
        }
        if (n < 80)
            buf[n++] = (char)c;
    }
    printf("eof.\n");
    return 0;
}
