#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

typedef int four __attribute__((vector_size(16)));

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    four numbers = {0, 1, 2, 3};
    printf("%d\n", numbers[rare(argv[1]) * 5] + 1);
    return 0;
}
