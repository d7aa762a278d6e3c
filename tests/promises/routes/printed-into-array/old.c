#include <stdio.h>

int main(void)
{
    char text[4];
    snprintf(text, sizeof text, "%c", (getchar() & 63) + 64);
    puts(text[0] == 'X' ? "stop" : "go");
    return 0;
}
