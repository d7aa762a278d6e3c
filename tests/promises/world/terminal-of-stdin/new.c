#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(isatty(0) ? "Type" : "read");
    return 0;
}
