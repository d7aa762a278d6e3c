#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        if (t == NULL)
            abort();
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static struct tree *delete(struct tree *t, int key)
{
    struct tree **pp, *s;

    if (t == NULL)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else {
        if (t->left == NULL) {
            s = t->right;
            free(t);
            return s;
        }
        if (t->right == NULL) {
            s = t->left;
            free(t);
            return s;
        }
        pp = &t->right;
        while ((*pp)->left != NULL)
            pp = &(*pp)->left;
        s = *pp;
        t->key = s->key;
        *pp = s->right;
        free(s);
    }
    return t;
}

static void print(const struct tree *t)
{
    if (t == NULL) {
        putchar('.');
        return;
    }
    putchar('(');
    print(t->left);
    printf("%d", t->key);
    print(t->right);
    putchar(')');
}

/* Arguments are keys; one that starts with a minus sign is deleted. */
int main(int argc, char **argv)
{
    struct tree *root = NULL;
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            root = delete(root, atoi(argv[i] + 1));
        else
            root = insert(root, atoi(argv[i]));
    }
    print(root);
    putchar('\n');
    return 0;
}
