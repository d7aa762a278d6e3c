#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int file = memfd_create("room", 0);
    if (file < 0 || ftruncate(file, 4096))
        return 1;
    char *in = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char *out = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (in == MAP_FAILED || out == MAP_FAILED)
        return 2;
    in[9] = (char)getchar();
    puts(out[9] == 'x' ? "stop" : "go");
    return 0;
}
