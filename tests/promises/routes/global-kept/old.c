#include <stdio.h>

static int kept;

int main(void)
{
    kept = getchar();
    puts(kept == 'x' ? "stop" : "go");
    return 0;
}
