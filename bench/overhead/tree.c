// A binary search tree on the heap, while an argument is symbolic.
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *less, *more; unsigned key, count; };

static void insert(struct node **tree, unsigned key) {
    while (*tree && (*tree)->key != key) tree = key < (*tree)->key ? &(*tree)->less : &(*tree)->more;
    if (!*tree) {
        *tree = calloc(1, sizeof **tree);
        (*tree)->key = key;
    }
    (*tree)->count++;
}

static unsigned weigh(const struct node *tree) {
    return tree ? weigh(tree->less) + tree->count * 3 + weigh(tree->more) : 0;
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    int other = argc > 2 ? argv[2][0] : 0;
    struct node *tree = 0;
    unsigned total = 0, random = 1;
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 0; i < 512; i++) insert(&tree, ((random = random * 1103515245 + 12345) >> 16) % 1024);
        total += weigh(tree);
    }
    printf("%u %d\n", total, other);
    return 0;
}
