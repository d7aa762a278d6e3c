#include <argp.h>
#include <stdio.h>

static int mode;

static error_t take(int key, char *argument, struct argp_state *state)
{
    if (key != 'm')
        return ARGP_ERR_UNKNOWN;
    mode = argument[0];
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {{"mode", 'm', "LETTER", 0, "", 0}, {0}};
    static const struct argp parser = {options, take, NULL, "", NULL, NULL, NULL};
    argp_parse(&parser, argc, argv, ARGP_NO_EXIT | ARGP_NO_ERRS, NULL, NULL);
    if (mode == 'q')
        return 4;
    puts(mode == 'x' ? "stop" : "go");
    return 0;
}
