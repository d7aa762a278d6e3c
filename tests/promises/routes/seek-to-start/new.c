#include <stdio.h>

int main(void)
{
    fseek(stdin, 0, SEEK_SET);
    return getchar() == 'q';
}
