#include <stdio.h>

static union {
    int whole;
    float real;
    short halves[2];
} value;

int main(void)
{
    value.real = 1.5f;
    value.whole = getchar();
    printf("%d %d\n", value.halves[0], value.halves[1]);
    return 0;
}
