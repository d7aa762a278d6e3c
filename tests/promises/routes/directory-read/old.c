#include <dirent.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    int found = 0;
    while (directory && (entry = readdir(directory)))
        found += strcmp(entry->d_name, "quit") == 0;
    puts(found > 1 ? "stop" : "go");
    return 0;
}
