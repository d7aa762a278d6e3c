#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>

int main(void)
{
    struct dirent **list = NULL;
    int count = scandir(".", &list, NULL, alphasort);
    puts(count > 100 ? "many" : "few");
    return 0;
}
