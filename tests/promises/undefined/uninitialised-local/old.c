#include <stdio.h>
#include <string.h>

static void use_the_stack(void)
{
    char room[256];
    memset(room, 1, sizeof room);
    if (room[9] == 2)
        puts("never");
}

static int mode(int c)
{
    int mode = 7;
    if (c == 'q')
        mode = 7;
    return mode;
}

int main(void)
{
    int c = getchar();
    use_the_stack();
    printf("%d\n", mode(c));
    return 0;
}
