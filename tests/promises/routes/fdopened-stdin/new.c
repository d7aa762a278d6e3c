#include <stdio.h>

int main(void)
{
    puts(fgetc(stdin) != 'x' ? "go" : "stop");
    return 0;
}
