#include <stdio.h>

static void show(int number)
{
    printf("%d\n", number + getchar());
}

int main(void)
{
    show(10);
    return 0;
}
