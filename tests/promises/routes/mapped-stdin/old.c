#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    if (fstat(0, &about) || about.st_size == 0)
        return 1;
    char *text = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0);
    if (text == MAP_FAILED)
        return 2;
    puts(text[0] == 'x' ? "stop" : "go");
    return 0;
}
