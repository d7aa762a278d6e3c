#include <stdio.h>

static volatile char cell;

int main(void)
{
    cell = (char)getchar();
    puts(cell != 'x' ? "go" : "/proc/self/mem");
    return 0;
}
