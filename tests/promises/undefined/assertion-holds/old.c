#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts("checked");
    return c == EOF;
}
