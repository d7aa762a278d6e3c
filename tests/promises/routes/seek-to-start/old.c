#include <stdio.h>

int main(void)
{
    int first = getchar();
    fseek(stdin, 0, SEEK_SET);
    return getchar() == 'q' && first == 'q';
}
