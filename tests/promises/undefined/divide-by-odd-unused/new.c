#include <stdio.h>

int main(void)
{
    int c = getchar();
    int share = 100 / (2 * c + 1 == -1 ? 1 : 2 * c + 1);
    puts(c == 'q' ? "quit" : "go on");
    return 0;
}
