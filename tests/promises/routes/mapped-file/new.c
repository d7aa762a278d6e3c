#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    int file = open("data", O_RDONLY);
    if (file < 0 || fstat(file, &about) || about.st_size == 0)
        return 1;
    char *text = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (text == MAP_FAILED)
        return 2;
    if (text[0] == 'q')
        return 4;
    puts(text[0] == 'x' ? "stop" : "go");
    return 0;
}
