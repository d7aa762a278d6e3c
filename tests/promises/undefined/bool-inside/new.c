#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char byte = (unsigned char)getchar() & 1;
    bool on;
    memcpy(&on, &byte, 1);
    puts(on ? "on" : "off");
    return 0;
}
