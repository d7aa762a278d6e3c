// A loop whose memory is concrete when it starts and which stores something symbolic into it: the
// copy of the loop that knows no labels must not be taken, in whatever way the value gets there.
// stdin: abcdefghijklmnopqrstuvwx
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned long input(const unsigned char *from, int count) {
    unsigned long value = 0;
    for (int i = 0; i < count; i++) value |= (unsigned long)from[i] << (8 * i);
    return value;
}

int main(void) {
    unsigned char in[32] = { 0 };
    (void)!read(0, in, sizeof in);
    long a = (long)input(in, 8), kept = 5;
    long b[4] = { 0 }, c[8] = { 0 }, d[8] = { 0 };
    volatile int late = in[9];
    for (int i = 0; i < 4; i += 2) b[i] = -a;
    for (int i = 0; i < 8; i++) c[i] = kept, kept += a;
    for (int i = 0; i < 8; i++) d[i] = i == 3 ? late : i;
    for (int i = 0; i < 4; i++) printf("%ld ", b[i]);
    for (int i = 0; i < 8; i++) printf("%ld %ld ", c[i], d[i]);
    int sum = 0;
    for (int i = 0; i < in[10] % 8; i++) sum += i;
    printf("%d\n", sum);
    return 0;
}
