#include <stdio.h>

struct size {
    int width, height;
};

struct place {
    int x, y;
};

static struct size size;
static struct size *volatile first = &size;
static struct size *volatile second = (struct size *)&size;

__attribute__((noinline)) static int set(struct size *one, struct size *two, int c)
{
    one->width = c;
    two->width = c ^ (c == 123);
    return one->width;
}

int main(void)
{
    int c = getchar();
    if (c < 0)
        return 1;
    printf("%d\n", set(first, second, c));
    return 0;
}
