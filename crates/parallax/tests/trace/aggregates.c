// Labels follow structures by value, unions, bit-fields and copies of memory.
// TEST: args = ["abcdefgh"]
#include <string.h>
struct pair { char one; int two; };
struct large { char bytes[40]; int last; };
struct bits { unsigned low : 3, middle : 7, high : 6; };
static struct pair swapped(struct pair p) { return (struct pair){(char)p.two, p.one}; }
__attribute__((noinline)) static struct large changed(struct large l) { l.bytes[1] = 'x'; l.last++; return l; }
int main(int argc, char **argv) {
    struct pair p = swapped((struct pair){argv[1][0], argv[1][1]});
    if (p.one == 'b' && p.two == 'a') {
        struct large l = {.last = argv[1][2]};
        memcpy(l.bytes, argv[1], 8);
        l = changed(l);
        if (l.bytes[0] != 'a' || l.bytes[1] != 'x' || l.last != 'd') return 1; // CHECK: @ arg[1][0] == 'a'
    }
    union { unsigned char bytes[4]; unsigned number; } u;
    memcpy(u.bytes, argv[1] + 3, 4);
    if (u.number != 0x67666564) return 2; // CHECK: @ arg[1][3..7] == 1734763876
    struct bits b = {.low = argv[1][4], .middle = argv[1][5]};
    if (b.low != 5 || b.middle != 'f') return 3; // CHECK: @ i3(arg[1][4]) == -3
    char filled[16];
    memset(filled, argv[1][6], sizeof filled);
    if (filled[9] != 'g') return 4; // CHECK: @ arg[1][6] == 'g'
    char copy[16];
    strcpy(copy, argv[1]); // CHECK: @ strcpy arg[1][8] == 0
    memmove(copy + 1, copy, 8);
    if (copy[8] != 'h') return 5; // CHECK: @ arg[1][7] == 'h'
    return 0;
}
