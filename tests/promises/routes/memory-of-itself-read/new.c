#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static volatile char cell;

int main(void)
{
    char got = 0;
    cell = (char)getchar();
    int memory = open("/proc/self/mem", O_RDONLY);
    if (memory < 0 || pread(memory, &got, 1, (off_t)(uintptr_t)&cell) != 1)
        return 1;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
