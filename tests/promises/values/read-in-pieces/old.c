#include <unistd.h>

int main(void)
{
    unsigned char in[4] = {0};
    if (read(0, in, 4) < 0)
        return 9;
    return in[2] == 'q' ? 3 : in[0] == 'y';
}
