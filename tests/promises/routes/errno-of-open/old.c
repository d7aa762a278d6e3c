#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    errno = 0;
    int file = argc > 1 ? open(argv[1], O_WRONLY) : -1;
    puts(errno == EMFILE ? "full" : "fine");
    return file == 77;
}
