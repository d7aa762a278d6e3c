/* Only the new version sleeps. */
#include <stdio.h>

int main(int argc, char **argv) {
    puts(argc > 1 && argv[1][0] == 'x' ? "yes" : "no");
    return 0;
}
