#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    if (stat("data", &about))
        return 1;
    puts(about.st_mode & (S_ISUID | S_IXUSR) ? "special" : "plain");
    return 0;
}
