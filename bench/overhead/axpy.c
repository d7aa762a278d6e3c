// a * x + y over arrays of doubles that native code vectorises, while an argument is symbolic.
#include <stdio.h>
#include <stdlib.h>

static double x[2048], y[2048];

static __attribute__((noinline)) void axpy(double a, const double *restrict from, double *restrict to,
                                           int count) {
    for (int i = 0; i < count; i++) to[i] += a * from[i];
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    int other = argc > 2 ? argv[2][0] : 0;
    for (int i = 0; i < 2048; i++) x[i] = i * 0.5;
    for (int pass = 0; pass < passes; pass++) axpy(1.0 / (pass + 1), x, y, 2048);
    printf("%f %d\n", y[77], other);
    return 0;
}
