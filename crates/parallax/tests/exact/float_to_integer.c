// The least integer of 64 bits is a double that can be converted to it, and is no undefined
// behaviour.
// stdin: \x01
// stdin: \x00\x05
#include <stdio.h>
#include <unistd.h>

int main(void) {
    unsigned char in[4] = { 0 };
    (void)!read(0, in, sizeof in);
    double big = -9223372036854775808.0 * in[0] + in[1];
    printf("%ld\n", big >= -9223372036854775808.0 && big < 9e18 ? (long)big : 0);
    printf("%d\n", (int)(big / 4294967296.0));
    printf("%lu\n", big < 0 ? (unsigned long)-big : (unsigned long)big);
    printf("%hhu\n", (unsigned char)(in[1] * 0.99));
    return 0;
}
