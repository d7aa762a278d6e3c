#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char value[2] = "";
    value[0] = (char)(getchar() | 1);
    setenv("PROMISE_STATE", value, 1);
    const char *got = getenv("PROMISE_STATE");
    puts(got && *got == 'y' ? "stop" : "go");
    return 0;
}
