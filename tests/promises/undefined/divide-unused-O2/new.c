#include <stdio.h>

int main(void)
{
    int c = getchar();
    int share = 100 / (c - 'q');
    puts(c == 'q' ? "quit" : "go on");
    return 0;
}
