#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *progname = "fold";

static const char *opt_arg;     /* value of the option that was read */
static int opt_ind = 1;         /* next word */
static const char *opt_rest;    /* rest of a cluster */

static int next_opt(int argc, char **argv, const char *spec)
{
    const char *p;
    int c;

    opt_arg = NULL;
    if (opt_rest == NULL || *opt_rest == '\0') {
        if (opt_ind >= argc)
            return -1;
        if (argv[opt_ind][0] != '-' || argv[opt_ind][1] == '\0')
            return -1;
        if (strcmp(argv[opt_ind], "--") == 0) {
            opt_ind++;
            return -1;
        }
        opt_rest = argv[opt_ind++] + 1;
    }
    c = (unsigned char)*opt_rest++;
    p = strchr(spec, c);
    if (p == NULL || c == ':') {
        printf("%s: unknown option -%c\n", progname, c);
        return '?';
    }
    if (p[1] != ':')
        return c;
    if (*opt_rest != '\0') {
        opt_arg = opt_rest;
        opt_rest = NULL;
        return c;
    }
    if (opt_ind < argc) {
        opt_arg = argv[opt_ind++];
        return c;
    }
    printf("%s: option -%c needs a value\n", progname, c);
    return '?';
}

static void usage(void)
{
    printf("usage: %s [-sv] [-w width] [-m mark] word ...\n", progname);
    exit(2);
}

static void fold(const char *word, int width, char mark, int spaces)
{
    int col = 0;

    for (; *word != '\0'; word++) {
        if (col == width) {
            if (mark)
                putchar(mark);
            putchar('\n');
            col = 0;
        }
        if (spaces && *word == '_')
            putchar(' ');
        else
            putchar(*word);
        col++;
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    int c, width = 20, spaces = 0, verbose = 0;
    char mark = 0;

    while ((c = next_opt(argc, argv, "svw:m:")) != -1) {
        switch (c) {
        case 's':
            spaces = 1;
            break;
        case 'v':
            verbose++;
            break;
        case 'w':
            width = atoi(opt_arg);
            if (width < 1)
                usage();
            break;
        case 'm':
            mark = opt_arg[0];
            break;
        default:
            usage();
        }
    }
    if (opt_ind == argc && verbose == 0)
        usage();
    if (verbose > 1)
        printf("width %d, mark %d\n", width, mark);
    for (; opt_ind < argc; opt_ind++)
        fold(argv[opt_ind], width, mark, spaces);
    return 0;
}
