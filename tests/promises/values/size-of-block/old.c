#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char c[2] = {0};
    if (read(0, c, 2) != 2)
        return 1;
    size_t length = 1 + (c[0] & 7);
    unsigned char *text = calloc(length, 1);
    if (!text)
        return 2;
    memset(text, c[1], length - 1);
    int last = text[length - 1];
    free(text);
    return last == 'x';
}
