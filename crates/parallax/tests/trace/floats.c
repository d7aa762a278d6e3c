// Floats and doubles are expressions; what becomes a long double is concrete, and counted.
// TEST: args = ["8", "2.5"]
#include <stdlib.h>
int main(int argc, char **argv) {
    float single = (float)(argv[1][0] - '0') / 3.0f;
    if (single < 2.6f || single > 2.7f) return 1; // CHECK: @ !(f32_of_i32((i32)arg[1][0] - 48) /f 3.0 <f 2.6)
    double real = atof(argv[2]); // CHECK: @ atof arg[2][1] == '.'
    if (!(real * 2 == 5.0)) return 2; // CHECK: @ f64_of_u64((i64)(arg[2][0] - 48) * 10 + (i64)(arg[2][2] - 48)) /f 10.0 *f 2.0 ==f 5.0
    if ((int)(real + 0.6) != 3) return 3; // CHECK: @ i32_of_f64(
    long double extended = argv[1][0]; // CHECK: 1 symbolic values as long double @
    if (extended == 56.0L) return 4;
    return 5;
}
