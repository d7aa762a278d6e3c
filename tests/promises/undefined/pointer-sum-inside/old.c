#include <stddef.h>
#include <stdio.h>

static char room[64];

int main(void)
{
    int c = getchar();
    size_t length = (size_t)(c & 31);
    puts(length == 99 ? "wraps" : "fits");
    return 0;
}
