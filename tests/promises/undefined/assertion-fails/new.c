#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c != 'q');
    puts("checked");
    return c == EOF;
}
