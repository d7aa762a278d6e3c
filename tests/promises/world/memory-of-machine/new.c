#include <stdio.h>
#include <sys/sysinfo.h>

int main(void)
{
    struct sysinfo about;
    sysinfo(&about);
    puts(about.totalram < 1 << 20 ? "small" : "run");
    return 0;
}
