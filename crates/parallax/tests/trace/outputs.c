// What is printed is told with its expressions, by whatever it is printed.
// TEST: args = ["5", "word"]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = argv[1][0] - '0';
    printf("n=%d %x|%5s|%c\n", n, n + 1, argv[2], argv[2][0]);
    puts(argv[2]);
    putchar('0' + n);
    putchar('\n');
    fflush(stdout);
    char text[16];
    snprintf(text, sizeof text, "<%d>", n);
    if (strcmp(text, "<5>") == 0) write(1, text, strlen(text));
    fprintf(stderr, "%s", argv[1]);
    return 0;
}
