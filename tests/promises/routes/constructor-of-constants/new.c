#include <stdio.h>

static int limit;

__attribute__((constructor)) static void set(void)
{
    limit = 'x';
}

int main(void)
{
    puts(limit < getchar() ? "stop" : "go");
    return 0;
}
