#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int found = 0;
    for (char **entry = environ; *entry; entry++)
        found |= strcmp(*entry, "PROMISE=q") == 0;
    puts(found > 0 ? "stop" : "go");
    return 0;
}
