#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    int *number = malloc(16);
    if (!number)
        return 1;
    *number = c;
    int kept = *number;
    free(number);
    double *real = malloc(16);
    if (!real)
        return 1;
    *real = c;
    printf("%d %d\n", kept, (int)*real);
    return 0;
}
