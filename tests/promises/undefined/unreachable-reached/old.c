#include <stdio.h>

static int kind(int c)
{
    switch (c) {
    case 'a':
        return 1;
    case 'q':
        return 1;
    default:
        return 2;
    }
}

int main(void)
{
    int c = getchar();
    printf("%d\n", kind(c));
    return 0;
}
