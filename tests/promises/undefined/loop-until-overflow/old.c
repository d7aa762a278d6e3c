#include <stdio.h>

int main(void)
{
    int c = getchar();
    int step = c == 'q' ? 1 << 28 : 0, rounds = 0;
    for (unsigned x = 1; x < 1u << 31; x += 1 << 27)
        rounds++;
    puts(rounds + step ? "ended" : "odd");
    return 0;
}
