// Byte 15 of a value followed by its byte 0: counting on from a label of the last byte led to the
// first one, and sixteen rotated bytes were taken for a value in order.
// stdin: 0123456789abcdefXYZ
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    unsigned char in[16] = { 0 }, turned[32];
    unsigned __int128 value;
    unsigned long part;
    (void)!read(0, in, sizeof in);
    memcpy(&value, in, 16);
    value *= 3;
    memcpy(turned, &value, 16);
    memcpy(turned + 16, &value, 16);
    for (int at = 8; at < 24; at += 3) {
        memcpy(&part, turned + at, 8);
        printf("%lx\n", part);
    }
    memcpy(&value, turned + 15, 16);
    printf("%lx %lx\n", (unsigned long)value, (unsigned long)(value >> 64));
    return 0;
}
