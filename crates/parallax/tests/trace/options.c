// getopt and getopt_long are symbolic: another letter is another option.
// TEST: args = ["-a", "-b", "v", "--long=w", "x"]
#include <getopt.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static const struct option longs[] = {{"long", required_argument, 0, 'l'}, {0}};
    int option, seen = 0;
    while ((option = getopt_long(argc, argv, "ab:", longs, NULL)) != -1) { // CHECK: @ getopt_long arg[1][0] == '-'
        switch (option) {
        case 'a': seen |= 1; break;
        case 'b': seen |= optarg[0] == 'v' ? 2 : 0; break;
        case 'l': seen |= optarg[0] == 'w' ? 4 : 0; break;
        default: return 100;
        }
    }
    return seen * 10 + (argc - optind);
}
// CHECK: arg[1][1] == 'a'
// CHECK: arg[2][1] == 'b'
// CHECK: arg[4][1] == '-'
// CHECK: argc > 5
// CHECK: exit status
// CHECK: ((arg[3][0] == 'v' ? 2 : 0) | 1 | (arg[4][7] == 'w' ? 4 : 0)) * 10 + argc - 5
