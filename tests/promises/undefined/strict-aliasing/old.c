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
    puts(refresh(&cells[0], (float *)&cells[c != 'q']) == 1 ? "kept" : "lost");
    return 0;
}
