#include <stdio.h>
#include <unistd.h>

static const unsigned char days[12] = {
    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
};

int main(void)
{
    unsigned char b[2];
    if (read(0, b, 2) != 2) {
        puts("need two bytes");
        return 1;
    }
    unsigned month = b[0];
    unsigned day = b[1];
    if (month < 1 || month > 12) {
        puts("no such month");
        return 1;
    }
    if (day < 1 || day > days[month - 1]) {
        puts("no such day");
        return 1;
    }
    if (day == days[month - 1])
        puts("last day");
    else
        puts("ordinary day");
    return 0;
}
