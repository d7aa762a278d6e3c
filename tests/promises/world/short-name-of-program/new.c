#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    puts(strcmp(program_invocation_short_name, "hugo") == 0 ? "called hugo" : "run");
    return 0;
}
