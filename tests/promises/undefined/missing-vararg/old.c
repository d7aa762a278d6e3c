#include <stdarg.h>
#include <stdio.h>

static int last(int count, ...)
{
    va_list list;
    int value = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(void)
{
    int c = getchar();
    printf("%d\n", last(2, 5, 0));
    return c == EOF;
}
