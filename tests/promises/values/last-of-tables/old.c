#include <stdio.h>
#include <unistd.h>

static int a[4] = {1, 2, 3, 4}, b[6] = {3, 4, 5, 6, 7, 8}, d[5] = {9, 8, 7, 6, 5}, e[7] = {5, 5, 5, 5, 5, 5, 5};
static int *tables[] = {a, b, d, e};

int main(void)
{
    unsigned char c[2] = {0};
    if (read(0, c, 2) != 2)
        return 1;
    int *table = tables[c[0] & 3];
    if (table[c[1] & 3] == 6)
        printf("six\n");
    return 0;
}
