#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *value = getenv("PROMISE");
    puts(value && *value == 'q' ? "stop" : "go");
    return 0;
}
