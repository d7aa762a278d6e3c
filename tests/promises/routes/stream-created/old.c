#include <stdio.h>

int main(void)
{
    FILE *lock = fopen("lock", "wx");
    if (!lock)
        return 1;
    fputs("mine", lock);
    fclose(lock);
    return 0;
}
