#include <unistd.h>

int main(void)
{
    char byte = 0;
    long at = lseek(0, -2, SEEK_END);
    return read(0, &byte, 1) == 1 && byte == 'l' && at == -3;
}
