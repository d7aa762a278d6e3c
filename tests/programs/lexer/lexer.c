/* lexer: splits a C-like language on stdin into tokens, one per line.
 *
 * Exit status: 0 all tokens are good, 1 some are not, 2 wrong usage, 3 unbalanced brackets. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INPUT = 4096, MAX_DEPTH = 16, MAX_ERRORS = 5 };

static char input[MAX_INPUT + 1];
static size_t length, pos;
static int line = 1, errors;

static char brackets[MAX_DEPTH];
static int depth;

static struct {
    int keywords, names, numbers, strings, operators;
} count;

static const char *const keywords[] = {
    "break", "case",   "char", "const", "continue",  "default", "do",     "else",
    "for",   "if",     "int",  "long",  "return",    "sizeof",  "static", "struct",
    "while", "switch", "void", "float", "interface",
};

/* Longest first, so that the first match is the longest. */
static const char *const operators[] = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+",  "-",
    "*",   "/",   "%",   "=",  "<",  ">",  "!",  "&",  "|",  "^",  "~",  "?",
    ":",   ";",   ",",   ".",
};

static int peek(size_t ahead)
{
    return pos + ahead < length ? (unsigned char)input[pos + ahead] : -1;
}

static void token(const char *kind, size_t from)
{
    printf("%d %s %.*s\n", line, kind, (int)(pos - from), input + from);
}

static void error(const char *what)
{
    printf("%d error: %s\n", line, what);
    errors++;
}

static void skip_line_comment(void)
{
    while (peek(0) != -1 && peek(0) != '\n')
        pos++;
}

static void skip_block_comment(void)
{
    int start = line;
    for (pos += 2; peek(0) != -1; pos++) {
        if (peek(0) == '*' && peek(1) == '/') {
            pos += 2;
            return;
        }
        if (peek(0) == '\n')
            line++;
    }
    printf("the comment of line %d is not closed\n", start);
    errors++;
}

static void name(void)
{
    size_t from = pos;
    while (isalnum(peek(0)) || peek(0) == '_')
        pos++;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        size_t n = strlen(keywords[i]);
        if (n == pos - from && memcmp(keywords[i], input + from, n) == 0) {
            token("keyword", from);
            count.keywords++;
            return;
        }
    }
    token("name", from);
    count.names++;
}

static void number_suffix(int is_float)
{
    if (is_float) {
        if (peek(0) == 'f' || peek(0) == 'F')
            pos++;
    } else {
        int u = 0, l = 0;
        for (;; pos++) {
            if (peek(0) == 'u' || peek(0) == 'U')
                u++;
            else if (peek(0) == 'l' || peek(0) == 'L')
                l++;
            else
                break;
        }
        if (u > 1 || l > 2)
            error("bad integer suffix");
    }
    if (isalnum(peek(0)) || peek(0) == '_')
        error("number runs into a name");
}

static void number(void)
{
    size_t from = pos;
    int is_float = 0;
    const char *kind = "decimal";

    if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
        kind = "hex";
        pos += 2;
        if (!isxdigit(peek(0)))
            error("no digits in a hex number");
        while (isxdigit(peek(0)))
            pos++;
    } else if (peek(0) == '0' && isdigit(peek(1))) {
        int bad = 0;
        kind = "octal";
        for (; isdigit(peek(0)); pos++)
            if (peek(0) > '7')
                bad = 1;
        if (bad)
            error("8 or 9 in an octal number");
    } else {
        while (isdigit(peek(0)))
            pos++;
        if (peek(0) == '.') {
            is_float = 1;
            for (pos++; isdigit(peek(0)); pos++)
                ;
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            is_float = 1;
            pos++;
            if (peek(0) == '+' || peek(0) == '-')
                pos++;
            if (!isdigit(peek(0)))
                error("no digits in an exponent");
            while (isdigit(peek(0)))
                pos++;
        }
        if (is_float)
            kind = "float";
    }
    number_suffix(is_float);
    token(kind, from);
    count.numbers++;
}

static void escape(void)
{
    static const char simple[] = "abfnrtv\\'\"?";
    pos++;
    int c = peek(0);
    if (c == 'x') {
        pos++;
        if (!isxdigit(peek(0)))
            error("no digits in a hex escape");
        for (int i = 0; i < 2 && isxdigit(peek(0)); i++)
            pos++;
    } else if (c >= '0' && c <= '7') {
        for (int i = 0; i < 3 && peek(0) >= '0' && peek(0) <= '7'; i++)
            pos++;
    } else if (c > 0 && strchr(simple, c) != NULL) {
        pos++;
    } else {
        error("unknown escape");
    }
}

static void quoted(char quote, const char *kind)
{
    size_t from = pos++;
    int characters = 0;
    while (peek(0) != quote) {
        if (peek(0) == -1 || peek(0) == '\n') {
            error(quote == '"' ? "string is not closed" : "character is not closed");
            return;
        }
        if (peek(0) == '\\')
            escape();
        else
            pos++;
        characters++;
    }
    pos++;
    if (quote == '\'' && characters != 1)
        error(characters == 0 ? "empty character" : "more than one character");
    token(kind, from);
    count.strings++;
}

static void bracket(int c)
{
    size_t from = pos++;
    token("bracket", from);
    if (c == '(' || c == '[' || c == '{') {
        if (depth == MAX_DEPTH)
            error("nested too deeply");
        else
            brackets[depth++] = (char)(c == '(' ? ')' : c + 2);
    } else if (depth > 0 && brackets[depth - 1] == c) {
        depth--;
    } else {
        error("bracket does not match");
    }
}

static void operator(int c)
{
    size_t from = pos;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i]);
        if (n <= length - pos && memcmp(operators[i], input + pos, n) == 0) {
            pos += n;
            token("operator", from);
            count.operators++;
            return;
        }
    }
    printf("%d error: stray byte %02x\n", line, (unsigned)c);
    errors++;
    pos++;
}

static void next(int c)
{
    if (c == '\n') {
        line++;
        pos++;
    } else if (isspace(c)) {
        pos++;
    } else if (isalpha(c) || c == '_') {
        name();
    } else if (isdigit(c) || (c == '.' && isdigit(peek(1)))) {
        number();
    } else if (c == '"') {
        quoted('"', "string");
    } else if (c == '\'') {
        quoted('\'', "character");
    } else if (c == '/' && peek(1) == '/') {
        skip_line_comment();
    } else if (c == '/' && peek(1) == '*') {
        skip_block_comment();
    } else if (c != 0 && strchr("()[]{}", c) != NULL) {
        bracket(c);
    } else {
        operator(c);
    }
}

int main(int argc, char **argv)
{
    int summary = argc == 2 && strcmp(argv[1], "--summary") == 0;
    if (argc > 1 && !summary) {
        fputs("usage: lexer [--summary] < FILE\n", stderr);
        return 2;
    }
    length = fread(input, 1, MAX_INPUT, stdin);
    while (pos < length && errors < MAX_ERRORS)
        next(peek(0));
    if (errors >= MAX_ERRORS)
        puts("too many errors");
    if (summary)
        printf("%d keywords, %d names, %d numbers, %d strings, %d operators\n", count.keywords,
               count.names, count.numbers, count.strings, count.operators);
    if (errors > 0)
        return 1;
    if (depth > 0) {
        printf("'%c' is missing\n", brackets[depth - 1]);
        return 3;
    }
    return 0;
}
