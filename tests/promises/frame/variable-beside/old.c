#include <stdio.h>

char name[8] = "program";
char after[8] = "\0after";
char before[8] = "b";

int main(void)
{
    int c = getchar();
    if (c == 'o')
        putchar(name[9] ? 'x' : 'y');
    return before[0] + after[0];
}
