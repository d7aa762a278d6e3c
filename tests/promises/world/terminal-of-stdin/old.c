#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(isatty(0) ? "type" : "read");
    return 0;
}
