#include <stdio.h>

int main(void)
{
    char *word = "hello";
    int c = getchar();
    puts(word);
    return c == EOF;
}
