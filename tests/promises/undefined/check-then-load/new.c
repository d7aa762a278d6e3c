#include <stdio.h>

struct node {
    int value;
};

static struct node nodes[4];

static struct node *find(int c)
{
    return c >= '0' && c <= '3' ? &nodes[c - '0'] : NULL;
}

int main(void)
{
    struct node *node = find(getchar());
    if (!node) {
        puts("none");
        return 1;
    }
    int value = node->value;
    puts("one");
    return 0;
}
