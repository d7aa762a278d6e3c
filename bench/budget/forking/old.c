/* It forks until nothing is left to fork with. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int c = getchar(), depth = 0;
    while (c != 'q' && fork() >= 0) depth++;
    if (depth == 0) puts("none");
    return 0;
}
