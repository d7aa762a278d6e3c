#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    int both = PROT_READ | PROT_WRITE, private = MAP_PRIVATE | MAP_ANONYMOUS;
    char *in = mmap(NULL, 4096, both, private, -1, 0), *out = mmap(NULL, 4096, both, private, -1, 0);
    if (in == MAP_FAILED || out == MAP_FAILED)
        return 1;
    in[5] = (char)getchar();
    if (mremap(in, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, out) != out)
        return 2;
    if (out[5] == 'q')
        return 4;
    puts(out[5] == 'x' ? "stop" : "go");
    return 0;
}
