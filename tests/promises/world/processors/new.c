#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(sysconf(_SC_NPROCESSORS_ONLN) == 77 ? "big" : "run");
    return 0;
}
