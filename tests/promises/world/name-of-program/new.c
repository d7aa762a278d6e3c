#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    puts(slash && strcmp(slash + 1, "hugo") == 0 ? "called hugo" : "run");
    return argc > 90;
}
