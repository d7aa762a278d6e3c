#include <stdio.h>

typedef int (*function)(int);
extern function __start_plugins[], __stop_plugins[];
#define PLUGIN __attribute__((used, section("plugins")))

static int twice(int x)
{
    return 2 * x;
}

static int thrice(int x)
{
    return 3 * x;
}

static function PLUGIN first = twice;

int main(void)
{
    int c = getchar(), sum = thrice(0);
    for (function *it = __start_plugins; it < __stop_plugins; it++)
        sum += (*it)(c);
    printf("%d\n", sum);
    return 0;
}
