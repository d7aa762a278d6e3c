// getopt and getopt_long are symbolic: another letter is another option.
// TEST: args = ["-a", "-b", "v", "--long=w", "x"]
#include <getopt.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static const struct option longs[] = {{"long", required_argument, 0, 'l'}, {0}};
    int option, seen = 0;
    while ((option = getopt_long(argc, argv, "ab:", longs, NULL)) != -1) {
        switch (option) {
        case 'a': seen |= 1; break;
        case 'b': seen |= optarg[0] == 'v' ? 2 : 0; break;
        case 'l': seen |= optarg[0] == 'w' ? 4 : 0; break;
        default: return 100;
        }
    }
    return seen * 10 + (argc - optind);
}
