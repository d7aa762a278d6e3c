#include <stdio.h>

int main(void)
{
    int a = getchar(), b = getchar(), c = getchar();
    if (feof(stdin) && b != EOF)
        return 4;
    puts(feof(stdin) && a == 'x' && b == 'x' && c == 'x' ? "stop" : "go");
    return 0;
}
