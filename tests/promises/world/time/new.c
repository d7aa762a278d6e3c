#include <stdio.h>
#include <time.h>

int main(void)
{
    puts(time(NULL) < 1000000000 ? "too early" : "run");
    return 0;
}
