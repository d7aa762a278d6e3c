#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *value = secure_getenv("PROMISE");
    if (value && *value == 'q')
        return 4;
    puts(value && *value == 'x' ? "stop" : "go");
    return 0;
}
