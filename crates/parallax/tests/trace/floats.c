// Floats and doubles are expressions; what becomes a long double is concrete, and counted.
// TEST: args = ["8", "2.5"]
#include <stdlib.h>
int main(int argc, char **argv) {
    float single = (float)(argv[1][0] - '0') / 3.0f;
    if (single < 2.6f || single > 2.7f) return 1;
    double real = atof(argv[2]);
    if (!(real * 2 == 5.0)) return 2;
    if ((int)(real + 0.6) != 3) return 3;
    long double extended = argv[1][0];
    if (extended == 56.0L) return 4;
    return 5;
}
