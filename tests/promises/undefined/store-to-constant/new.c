#include <stdio.h>

int main(void)
{
    char *word = "hello";
    int c = getchar();
    if (c == 'q')
        word[0] = 'h';
    puts(word);
    return c == EOF;
}
