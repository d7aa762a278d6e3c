#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int lock = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (lock < 0)
        return 4;
    puts("started");
    return lock == 77;
}
