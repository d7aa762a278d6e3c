#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *home = getenv("PROMISE_HOME");
    puts(home ? "home" : "away");
    return 0;
}
