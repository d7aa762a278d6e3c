#include <stdio.h>

static const char quit[] = "quit", go[] = "go";

int main(void)
{
    int c = getchar();
    puts(c == 'q' ? "bye" : "hello");
    return 0;
}
