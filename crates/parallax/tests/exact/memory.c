// Memory that is written behind the program's back or used again: what a label said before must
// not be said of what is there now.
// stdin: abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
// stdin: 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct padded { char a; long b; short c; };
struct __attribute__((packed)) packed { char a; int b; };
static struct packed packs[9];
static __thread unsigned own[4];
static unsigned char many[5000];

static __attribute__((noinline)) int deep(const unsigned char *in, int level) {
    unsigned char copy[40];
    memcpy(copy, in, sizeof copy);
    return level == 0 ? copy[3] : deep(copy, level - 1) + copy[level];
}
static __attribute__((noinline)) int fresh(int set) {
    int array[10];
    for (int i = 0; i < 10; i++) array[i] = i * set;
    return array[set & 7];
}

int main(void) {
    unsigned char in[64] = { 0 };
    long got = read(0, in, sizeof in);
    printf("%ld %d %d\n", got, deep(in, 5), fresh(3));
    char *one = malloc(100);
    memcpy(one, in, 60);
    free(one);
    unsigned char *two = calloc(1, 100);
    printf("%d\n", two[7] + two[50]);
    memcpy(two, in, 20);
    two = realloc(two, 3000);
    printf("%d %d\n", two[3], two[in[0] & 15]);
    free(two);
    snprintf((char *)in + 30, 10, "%d", 1234);
    printf("%d %s\n", in[31], (char *)in + 30);
    struct padded padded = { (char)in[0], in[1], in[2] }, copied;
    copied = padded;
    printf("%d %ld %d\n", copied.a, copied.b, copied.c);
    packs[in[1] & 7].b = in[2] * 7;
    packs[3].b += 5;
    for (int i = 0; i < 9; i++) printf("%d ", packs[i].b);
    own[in[3] & 3] = in[4];
    printf("%u %u\n", own[0] + own[1], own[in[5] & 3]);
    many[in[6] * 16] = in[7];
    printf("%d %d\n", many[in[6] * 16], many[in[8] + 4000]);
    long shifted = 0;
    memcpy((char *)&shifted + 1, in, 5);
    memmove(&shifted, (char *)&shifted + 2, 4);
    printf("%lx\n", shifted);
    int negative = (signed char)in[9] % 8;
    unsigned char *middle = in + 20;
    printf("%d\n", middle[negative]);
    union { double real; unsigned long word; float parts[2]; } pun = { .word = in[10] };
    pun.parts[1] = in[11] * 0.25f;
    printf("%lx %a\n", pun.word, pun.real);
    return in[15] & 63;
}
