#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    if (stat("data", &about))
        return 1;
    puts(S_ISDIR(about.st_mode) ? "special" : "plain");
    return 0;
}
