#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    char *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return 2;
    room[9] = (char)getchar();
    puts(room[9] > 'x' ? "stop" : "go");
    return 0;
}
