#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *path = realpath("current", NULL);
    puts(path && strstr(path, "v2") ? "third" : "other");
    return 0;
}
