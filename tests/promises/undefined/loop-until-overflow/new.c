#include <stdio.h>

int main(void)
{
    int c = getchar();
    int step = c == 'q' ? 1 << 28 : 0, rounds = 0;
    for (int x = 1; step && x > 0; x += step)
        rounds++;
    if (c == 'q' && rounds == 8)
        puts("eight");
    puts(rounds + step ? "ended" : "odd");
    return 0;
}
