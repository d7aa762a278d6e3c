#include <stdio.h>

int main(void)
{
    char text[4];
    text[0] = (char)((getchar() & 63) + 64);
    puts(text[0] == 'X' ? "stop" : "go");
    return 0;
}
