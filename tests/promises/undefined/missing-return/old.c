#include <stdio.h>
#include <string.h>

static void use_the_stack(void)
{
    char room[256];
    memset(room, 1, sizeof room);
    if (room[9] == 2)
        puts("never");
}

static int rank(int c)
{
    if (c == 'q')
        return 3;
    return 3;
}

int main(void)
{
    int c = getchar();
    use_the_stack();
    printf("%d\n", rank(c));
    return 0;
}
