/* It prints without end for most inputs. */
#include <stdio.h>

int main(void) {
    int c = getchar();
    while (c != 'q') printf("%d bottles\n", c);
    puts("no more");
    return 0;
}
