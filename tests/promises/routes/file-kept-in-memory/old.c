#include <stdio.h>

int main(void)
{
    char note[4] = "";
    note[0] = (char)getchar();
    puts(note[0] == 'x' ? "stop" : "go");
    return 0;
}
