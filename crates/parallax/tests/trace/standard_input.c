// Every way of reading standard input ends in the same variables.
// TEST: args = ["1"], stdin = "xy"
// TEST: args = ["2"], stdin = "xy"
// TEST: args = ["3"], stdin = "xy"
// TEST: args = ["4"], stdin = "xy"
// TEST: args = ["5"], stdin = "xy"
// TEST: args = ["6"], stdin = " 42 z"
// TEST: args = ["7"], stdin = "xy"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char buffer[8] = "";
    switch (atoi(argv[1])) {
    case 1:
        if (read(0, buffer, sizeof buffer) == 2 && buffer[1] == 'y') return 1; // CHECK: @ read stdin.len != 0
        break;
    case 2:
        if (getc(stdin) == 'x' && getc(stdin) == 'y' && getc(stdin) == EOF) return 2; // CHECK: @ stdin[0] == 'x'
        break;
    case 3:
        if (fgets(buffer, sizeof buffer, stdin) && buffer[1] == 'y') return 3; // CHECK: @ fgets stdin[0] != '\n'
        break;
    case 4:
        if (fread(buffer, 1, sizeof buffer, stdin) == 2 && buffer[1] == 'y' && feof(stdin)) return 4; // CHECK: @ stdin.len == 2
        break;
    case 5: {
        char *line = NULL;
        size_t room = 0;
        if (getline(&line, &room, stdin) == 2 && line[1] == 'y') return 5; // CHECK: @ getline stdin[1] != '\n'
        break;
    }
    case 6: {
        int number;
        char letter;
        if (scanf("%d %c", &number, &letter) == 2 && number > 40 && letter == 'z') return 6; // CHECK: @ scanf stdin.len != 0
        break;
    }
    case 7:
        ungetc(getc(stdin), stdin);
        if (getc(stdin) == 'x') return 7;
        break;
    }
    return 0;
}
// CHECK: stdin[1] - 48 <u 10
// CHECK: i32((i64)(stdin[1] - 48) * 10 + (i64)(stdin[2] - 48)) > 40
// CHECK: stdin[4] == 'z'
// CHECK: exit status 7
// CHECK: stdin[0] == 'x'
