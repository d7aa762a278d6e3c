#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    mode_t mask = umask(022);
    puts(mask == 0751 ? "odd" : "run");
    return 0;
}
