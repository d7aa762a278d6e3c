// Classes of bytes are counted; one byte of 4,096 is symbolic: the first of an argument.
#include <stdio.h>
#include <stdlib.h>

static unsigned char text[4096];

static __attribute__((noinline)) void count(const unsigned char *bytes, int length, unsigned *classes) {
    for (int i = 0; i < length; i++) {
        unsigned char byte = bytes[i];
        if (byte >= '0' && byte <= '9') classes[0]++;
        else if ((byte | 32) >= 'a' && (byte | 32) <= 'z') classes[1]++;
        else if (byte == ' ' || byte == '\n') classes[2]++;
        else classes[3]++;
    }
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    unsigned classes[4] = {0}, random = 1;
    for (int i = 0; i < 4096; i++) text[i] = (random = random * 1103515245 + 12345) >> 18;
    if (argc > 2) text[1000] = argv[2][0];
    for (int pass = 0; pass < passes; pass++) count(text, 4096, classes);
    printf("%u %u %u %u\n", classes[0], classes[1], classes[2], classes[3]);
    return 0;
}
