#include <stdio.h>

int main(void)
{
    int c = getchar();
    int n = c - 'b';
    puts(-8 >> n == -1 ? "left" : "gone");
    return 0;
}
