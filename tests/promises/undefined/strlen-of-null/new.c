#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *home = getenv("PROMISE_HOME");
    size_t length = strlen(home);
    puts(home ? "home" : "away");
    return 0;
}
