#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *value = secure_getenv("PROMISE");
    puts(value && *value == 'x' ? "stop" : "go");
    return 0;
}
