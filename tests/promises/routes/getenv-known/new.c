#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *value = getenv("PROMISE");
    if (!value || *value != 'q')
        puts("go");
    else
        puts("stop");
    return 0;
}
