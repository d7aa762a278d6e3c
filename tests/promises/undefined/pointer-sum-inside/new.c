#include <stddef.h>
#include <stdio.h>

static char room[64];

int main(void)
{
    int c = getchar();
    size_t length = (size_t)(c & 31);
    char *middle = room + 32;
    puts(middle + length < middle ? "wraps" : "fits");
    return 0;
}
