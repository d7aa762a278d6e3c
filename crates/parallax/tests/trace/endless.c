// A run that is stopped by its time limit leaves a trace that can be read.
// TEST: args = ["x"]
// FLAGS: --time-limit 0.3
int main(int argc, char **argv) {
    if (argv[1][0] != 'x') return 1;
    for (volatile int i = 0;; i++) if (i < 0) return 2;
}
// CHECK: stopped at the time limit
// CHECK: arg[1][0] == 'x'
