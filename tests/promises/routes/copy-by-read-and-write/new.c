#include <unistd.h>

int main(void)
{
    char part[4];
    long n = read(0, part, sizeof part);
    if (n <= 0)
        return 0;
    write(1, part, (size_t)n);
    return 0;
}
