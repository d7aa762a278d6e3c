#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 0;
    opterr = 0;
    return getopt(argc, argv, "a") == 'a' ? 1 : 0;
}
