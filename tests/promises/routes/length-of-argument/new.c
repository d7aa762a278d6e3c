#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    puts(word[0] && word[1] && !word[2] ? "stop" : "go");
    return 0;
}
