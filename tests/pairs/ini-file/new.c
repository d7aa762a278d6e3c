#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#define LINE 256

static char host[64] = "localhost";
static int port = 80;
static int strict;
static int lineno;

static char *trim(char *s)
{
    char *e;

    while (isspace((unsigned char)*s))
        s++;
    e = s + strlen(s);
    while (e > s && isspace((unsigned char)e[-1]))
        e--;
    *e = '\0';
    return s;
}

static void complain(const char *msg)
{
    printf("line %d: %s\n", lineno, msg);
    if (strict)
        exit(1);
}

static void assign(const char *section, char *key, char *value)
{
    char *hash = strchr(value, '#');

    if (strcmp(section, "server") == 0) {
        if (hash != NULL && hash > value)
            *hash = '\0';
        value = trim(value);
        if (strcmp(key, "host") == 0) {
            if (*value == '\0')
                complain("empty host");
            else
                snprintf(host, sizeof host, "%s", value);
        } else if (strcmp(key, "port") == 0) {
            int p = atoi(value);

            if (p < 1 || p > 65535)
                complain("bad port");
            else
                port = p;
        } else {
            complain("unknown key");
        }
    } else if (strcmp(section, "parser") == 0) {
        if (strcmp(key, "strict") == 0)
            strict = strcmp(trim(value), "yes") == 0;
    }
}

static void parse(FILE *f)
{
    char buf[LINE], section[32] = "";

    while (fgets(buf, sizeof buf, f) != NULL) {
        char *s = trim(buf), *eq;

        lineno++;
        if (*s == '\0' || *s == ';')
            continue;
        if (*s == '[') {
            char *close = strchr(s, ']');

            if (close == NULL) {
                complain("no closing bracket");
                continue;
            }
            *close = '\0';
            strncpy(section, s + 1, sizeof section - 1);
            continue;
        }
        eq = strchr(s, '=');
        if (eq == NULL) {
            complain("no equals sign");
            continue;
        }
        *eq = '\0';
        assign(section, trim(s), eq + 1);
    }
}

int main(int argc, char **argv)
{
    FILE *f;

    if (argc != 2) {
        fprintf(stderr, "usage: conf FILE\n");
        return 2;
    }
    f = fopen(argv[1], "r");
    if (f == NULL) {
        fprintf(stderr, "conf: cannot open %s\n", argv[1]);
        return 2;
    }
    parse(f);
    fclose(f);
    printf("%s:%d\n", host, port);
    return 0;
}
