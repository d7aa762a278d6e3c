#include <stdio.h>

static _Thread_local int kept;

int main(void)
{
    kept = getchar();
    puts(kept >= 'y' ? "stop" : "go");
    return 0;
}
