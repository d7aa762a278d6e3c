#include <stdio.h>
#include <stdlib.h>

#define MAX 64

static int cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(void)
{
    double v[MAX], sum = 0.0;
    int n = 0, lo = 0, hi, i;

    while (n < MAX && scanf("%lf", &v[n]) == 1) {
        if (v[n] < -1e6 || v[n] > 1e6) {
            fprintf(stderr, "out of range\n");
            return 1;
        }
        n++;
    }
    if (n == 0) {
        printf("empty\n");
        return 0;
    }
    qsort(v, n, sizeof v[0], cmp);
    hi = n;
    if (n >= 5 && v[n - 1] - v[0] > 10.0) {
        lo++;
        hi--;
    }
    for (i = lo; i < hi; i++)
        sum += v[i];
    printf("%.3f\n", sum / (hi - 2 * lo));
    return 0;
}
