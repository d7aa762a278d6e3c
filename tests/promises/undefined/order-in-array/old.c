#include <stdio.h>

int main(void)
{
    static int cells[4];
    int c = getchar();
    puts((c & 1) < (c & 3) ? "below" : "not below");
    return 0;
}
