#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c < 256 && c >= EOF);
    puts("checked");
    return c == EOF;
}
