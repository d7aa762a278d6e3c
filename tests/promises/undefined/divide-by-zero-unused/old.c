#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts(c == 'q' ? "quit" : "go on");
    return 0;
}
