#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    if (fstat(0, &about))
        return 1;
    puts(about.st_size == 5 ? "stop" : "go");
    return 0;
}
