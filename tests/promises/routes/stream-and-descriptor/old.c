#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char rest = 0;
    setvbuf(stdin, NULL, _IONBF, 0);
    int c = getchar();
    if (read(fileno(stdin), &rest, 1) < 0)
        return 1;
    puts(c == 'x' && rest == 'x' ? "stop" : "go");
    return 0;
}
