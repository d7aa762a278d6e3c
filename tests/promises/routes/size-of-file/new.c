#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    if (stat("data", &about))
        return 1;
    puts(about.st_size == 5 ? "odd" : "fine");
    return 0;
}
