#include <stdio.h>

char name[8] = "program";
char before[8] = "b";
char after[8] = "\0after";

int main(void)
{
    int c = getchar();
    if (c == 'o')
        putchar(name[1] ? 'x' : 'y');
    return before[0] + after[0];
}
