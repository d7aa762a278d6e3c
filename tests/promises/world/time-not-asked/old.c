#include <stdio.h>

int main(void)
{
    long moment = 1000000000L + getchar();
    puts(moment > 1000000120L ? "late" : "early");
    return 0;
}
