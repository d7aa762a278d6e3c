#include <stdio.h>

static int signed_byte(int c)
{
    return c < 128 ? c : c - 256;
}

static int add(int a, int b)
{
    int s = a + b;
    if (s > 127)
        return 127;
    if (s < -128)
        return -128;
    return s;
}

int main(void)
{
    int a = getchar();
    int b = getchar();
    if (a == EOF || b == EOF) {
        puts("two bytes, please");
        return 1;
    }
    int s = add(signed_byte(a), signed_byte(b));
    if (s == 127)
        puts("top");
    if (s == -128)
        puts("bottom");
    printf("sum %d\n", s);
    return 0;
}
