#include <stdio.h>
#include <stdlib.h>

static int calls;

static int compare(const void *left, const void *right)
{
    calls++;
    return *(const char *)left - *(const char *)right;
}

int main(void)
{
    char bytes[4] = "";
    if (fread(bytes, 1, 4, stdin) != 4)
        return 1;
    qsort(bytes, 4, 1, compare);
    puts(calls > 100 ? "many" : "few");
    return bytes[0] == 'x' || (bytes[0] == 'a' && bytes[3] == 'd');
}
