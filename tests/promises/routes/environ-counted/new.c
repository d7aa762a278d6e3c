#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int count = 0;
    while (environ[count])
        count++;
    puts(count > 12 ? "many" : "few");
    return 0;
}
