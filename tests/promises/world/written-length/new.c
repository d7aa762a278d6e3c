#include <unistd.h>

int main(void)
{
    long done = write(1, "run\n", 4);
    return done != 4;
}
