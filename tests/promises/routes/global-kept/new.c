#include <stdio.h>

static int kept;

static void keep(int value)
{
    kept = value;
}

static int asked(void)
{
    return kept;
}

int main(void)
{
    keep(getchar());
    puts(asked() != 'x' ? "go" : "stop");
    return 0;
}
