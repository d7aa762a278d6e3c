#include <unistd.h>

static int add(int x) { return x + 1; }
static int drop(int x) { return x - 1; }
static int twice(int x) { return 2 * x; }
static int half(int x) { return x / 2; }
static int (*const does[])(int) = {add, drop, twice, half};

int main(void)
{
    unsigned char c[2] = {0};
    if (read(0, c, 2) != 2)
        return 1;
    return does[c[0] >> 6](c[1] & 31);
}
