#include <stdio.h>

static int add(int *restrict sum, int *restrict term)
{
    *sum = 10;
    return *sum;
}

int main(void)
{
    int cells[2] = {0, 0};
    int c = getchar();
    puts(add(&cells[0], &cells[c != 'q']) == 10 ? "ten" : "more");
    return 0;
}
