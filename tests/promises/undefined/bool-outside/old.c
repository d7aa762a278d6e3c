#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char byte = (unsigned char)getchar();
    bool on = byte != 0;
    puts(on ? "on" : "off");
    return 0;
}
