#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts(c == 'q' || 100 / (c - 'q') < 10 ? "far" : "near");
    return 0;
}
