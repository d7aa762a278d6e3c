#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[256] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file && fgets(line, sizeof line, file) && strstr(line, "hugo"))
        puts("odd");
    puts("run");
    return 0;
}
