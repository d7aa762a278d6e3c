// A read that the compiler can see to be of nothing.
#include <string.h>

int main(int argc, char **argv)
{
    int *nothing = 0;
    if (argc > 1 && strcmp(argv[1], "magic") == 0)
        return *(volatile int *)nothing;
    return 0;
}
