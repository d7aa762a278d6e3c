#include <stdio.h>

static volatile char cell;

int main(void)
{
    cell = (char)getchar();
    puts(cell == 'x' ? "/proc/self/mem" : "go");
    return 0;
}
