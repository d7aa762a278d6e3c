/* Only the new version sleeps. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    sleep(3);
    puts(argc > 1 && argv[1][0] == 'x' ? "yes" : "no");
    return 0;
}
