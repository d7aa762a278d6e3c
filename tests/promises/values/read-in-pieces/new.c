#include <unistd.h>

int main(void)
{
    unsigned char in[4] = {0};
    long have = 0, got;
    while (have < 4 && (got = read(0, in + have, (size_t)(4 - have))) > 0)
        have += got;
    return in[2] == 'q' ? 3 : in[0] == 'y';
}
