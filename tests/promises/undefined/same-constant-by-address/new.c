#include <stdio.h>

static const char quit[] = "quit", go[] = "go";

int main(void)
{
    int c = getchar();
    const char *word = c == 'q' ? quit : go;
    puts(word == quit ? "bye" : "hello");
    return 0;
}
