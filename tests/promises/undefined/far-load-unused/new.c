#include <stdio.h>

static const int weights[8] = {1, 2, 3, 5, 8, 13, 21, 34};

int main(void)
{
    int c = getchar();
    int weight = weights[(c - 'a') << 20];
    puts("weighed");
    return c == EOF;
}
