#include <stdio.h>

int main(void)
{
    static int cells[4];
    int c = getchar();
    puts(&cells[c & 1] < &cells[c & 3] ? "below" : "not below");
    return 0;
}
