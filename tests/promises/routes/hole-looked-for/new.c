#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return lseek(0, 0, SEEK_HOLE) == 5;
}
