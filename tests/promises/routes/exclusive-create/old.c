#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int lock = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
    puts("started");
    return lock == 77;
}
