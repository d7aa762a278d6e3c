#include <regex.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    regex_t pattern;
    if (argc < 2 || regcomp(&pattern, "^s.*p$", REG_NOSUB))
        return 2;
    puts(regexec(&pattern, argv[1], 0, NULL, 0) == 0 ? "stop" : "go");
    return 0;
}
