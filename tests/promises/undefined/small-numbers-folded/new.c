#include <stdio.h>

int main(void)
{
    int c = getchar();
    double least = 1e-308, part = least * 0.01;
    return (part == 0) & (c == 'q');
}
