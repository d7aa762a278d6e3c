#include <stdio.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    return *(const char *)left - *(const char *)right;
}

int main(void)
{
    char c = (char)getchar();
    puts(bsearch(&c, "abc", 3, 1, compare) ? "known" : "unknown");
    return 0;
}
