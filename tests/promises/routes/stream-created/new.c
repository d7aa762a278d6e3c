#include <stdio.h>

int main(void)
{
    FILE *lock = fopen("lock", "wx");
    int missed = lock == NULL;
    if (!missed) {
        fputs("mine", lock);
        fclose(lock);
    }
    return missed;
}
