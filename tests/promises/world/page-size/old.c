#include <stdio.h>
#include <unistd.h>

int main(void)
{
    long page = sysconf(_SC_PAGESIZE);
    puts(getchar() > 'x' && page == 4096 ? "stop" : "go");
    return 0;
}
