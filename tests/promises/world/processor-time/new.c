#include <stdio.h>
#include <time.h>

int main(void)
{
    puts(clock() > 3600L * CLOCKS_PER_SEC ? "tired" : "run");
    return 0;
}
