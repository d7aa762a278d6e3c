// What Parallax does not follow (atomic operations, assembler, functions it has no model of) leaves
// concrete values behind, also where symbolic ones were before.
// stdin: abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int four __attribute__((vector_size(16)));

int main(void) {
    unsigned char in[64] = { 0 };
    (void)!read(0, in, sizeof in);
    struct tm when;
    time_t zero = 0;
    memcpy(&when, in, sizeof when);
    gmtime_r(&zero, &when);
    printf("%d %d\n", when.tm_year, when.tm_mday);
    volatile unsigned long odd[3] = { in[12], 2, in[13] };
    __atomic_fetch_add(&odd[0], 5, __ATOMIC_SEQ_CST);
    printf("%lu %lu\n", odd[0], __atomic_load_n(&odd[2], __ATOMIC_SEQ_CST));
    unsigned out;
    __asm__("addl %1, %0" : "=r"(out) : "r"((unsigned)in[14]), "0"(4u));
    printf("%u\n", out);
    four lanes = { in[0], in[1], 3, in[2] };
    lanes = lanes * lanes + 1;
    printf("%d %d\n", lanes[0], lanes[in[3] & 3]);
    long double longer = in[4] / 3.0L;
    printf("%.5Lf %d\n", longer, (int)longer);
    return 0;
}
