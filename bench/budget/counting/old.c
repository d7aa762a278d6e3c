/* The bound of a loop is four raw bytes: most runs take seconds. */
#include <stdio.h>

int main(void) {
    unsigned bound = 0;
    for (int i = 0; i < 4; i++) {
        int c = getchar();
        bound = bound << 8 | (unsigned)(c < 0 ? 0 : c);
    }
    unsigned long sum = 0;
    for (volatile unsigned i = 0; i < bound; i++) sum += i ^ bound;
    printf("%lu\n", sum);
    return 0;
}
