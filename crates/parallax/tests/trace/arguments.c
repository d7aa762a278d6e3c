// Arguments grow: the byte that ends one is symbolic, so is argc, and argv[argc] depends on it.
// TEST: args = ["ab"]
// TEST: args = []
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 2) return 9;
    if (argv[1] == NULL) return 8;
    int length = 0;
    while (argv[1][length]) length++;
    if (argv[argc] != NULL) return 7;
    return length;
}
