#include <stdio.h>

static char word[] = "abc";

int main(void)
{
    if (getchar() == 'q')
        ((char *)word)[0] = 'x';
    puts(word);
    return 0;
}
