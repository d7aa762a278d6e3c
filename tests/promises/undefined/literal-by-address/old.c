#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "go";
    puts(strcmp(word, "quit") == 0 ? "bye" : "hello");
    return 0;
}
