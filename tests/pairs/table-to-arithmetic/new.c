#include <stdio.h>
#include <unistd.h>

static unsigned length_of(unsigned month)
{
    if (month == 2)
        return 28;
    return 30 + ((month + (month >> 3)) & 1);
}

int main(void)
{
    unsigned char b[2];
    if (read(0, b, 2) != 2) {
        puts("need two bytes");
        return 1;
    }
    unsigned month = b[0];
    unsigned day = b[1];
    if (month - 1u >= 12u) {
        puts("no such month");
        return 1;
    }
    unsigned n = length_of(month);
    if (day - 1u >= n) {
        puts("no such day");
        return 1;
    }
    puts(day < n ? "ordinary day" : "last day");
    return 0;
}
