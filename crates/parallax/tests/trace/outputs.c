// Outputs are shown with their expressions, whichever function prints them.
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
// CHECK: exit status 0
// CHECK: outputs.c:9 printf arg[2][4] == 0
// CHECK: snprintf
// CHECK: outputs.c:16 strcmp
// CHECK: stdout
// CHECK: outputs.c:9 "n="
// CHECK: outputs.c:9 "%d" of (i64)((i32)arg[1][0] - 48)
// CHECK: outputs.c:9 "%x" of i32((i32)arg[1][0] - 47)
// CHECK: "| " arg[2][0] arg[2][1] arg[2][2] arg[2][3] "|" arg[2][0] "\n"
// CHECK: outputs.c:10 arg[2][0] arg[2][1] arg[2][2] arg[2][3]
// CHECK: "<" i8(((i32)arg[1][0] - 48) %u 10 + 48) ">"
// CHECK: stderr
// CHECK: outputs.c:17 arg[1][0]
