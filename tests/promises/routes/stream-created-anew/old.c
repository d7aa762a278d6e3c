#include <stdio.h>

int main(void)
{
    FILE *lock = fopen("lock", "wx");
    puts("started");
    return 0;
}
