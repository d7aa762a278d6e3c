#include <locale.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    setlocale(LC_ALL, "C");
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
