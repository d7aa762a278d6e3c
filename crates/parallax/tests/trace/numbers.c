// Integers of all widths, overflow, bit tricks and division are expressions.
// TEST: args = ["azA9"]
int main(int argc, char **argv) {
    unsigned char *text = (unsigned char *)argv[1];
    __int128 wide = (__int128)text[0] << 70 | text[1];
    if (wide >> 70 != 'a') return 1; // CHECK: @ arg[1][0] == 'a'
    int product;
    if (__builtin_mul_overflow(text[0], 100000000, &product)) product = 0; // CHECK: @ umuloverflow(arg[1][0], 100000000)
    if (__builtin_popcount(text[1]) != 5) return 2; // CHECK: @ popcount(arg[1][1]) == 5
    if (__builtin_bswap32(text[2]) != 0x41000000) return 3; // CHECK: @ arg[1][2] == 'A'
    if (__builtin_ctz(text[2]) != 0 || __builtin_clz(text[2]) != 25) return 4; // CHECK: @ trailingzeros(arg[1][2]) == 0
    unsigned rotated = text[3];
    rotated = rotated << 7 | rotated >> 25;
    if (rotated != 57 << 7) return 5; // CHECK: @ arg[1][3] == '9'
    if (1000 / (text[3] - '0') != 111) return 6; // CHECK: @ arg[1][3] != '0' (divisor)
    if (-7 % (text[3] - 50) != 0) return 7; // CHECK: @ arg[1][3] != '2' (divisor)
    signed char narrow = (signed char)(text[0] + text[1]);
    if (narrow >= 0) return 8; // CHECK: @ i8(arg[1][0] + arg[1][1]) < 0
    return 0;
}
// CHECK-NOT: undefined
