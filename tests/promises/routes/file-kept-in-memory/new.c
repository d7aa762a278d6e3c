#include <stdio.h>

int main(void)
{
    char note[4] = "";
    note[0] = (char)getchar();
    if (note[0] != 'x')
        puts("go");
    else
        puts("stop");
    return 0;
}
