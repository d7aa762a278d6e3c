#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int c = getchar();
    if (page == MAP_FAILED)
        return 1;
    page[5] = 7;
    page = mremap(page, 4096, 8192, MREMAP_MAYMOVE);
    if (page == MAP_FAILED)
        return 2;
    puts(page[5] == 7 && c > 'x' ? "stop" : "go");
    return 0;
}
