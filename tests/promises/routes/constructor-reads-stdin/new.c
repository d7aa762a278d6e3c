#include <stdio.h>
#include <unistd.h>

static char first;

__attribute__((constructor)) static void note(void)
{
    if (read(0, &first, 1) != 1)
        first = 0;
}

int main(void)
{
    if (first == 'q')
        return 4;
    puts(first == 'x' ? "stop" : "go");
    return 0;
}
