#include <stdio.h>

static int refresh(int *number, float *value)
{
    *number = 1;
    return *number;
}

int main(void)
{
    static int cells[2];
    int c = getchar();
    puts(refresh(&cells[0], (float *)&cells[1]) == 1 ? "kept" : "lost");
    return c == EOF;
}
