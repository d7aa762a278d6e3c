#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(float number)
{
    unsigned bits;
    memcpy(&bits, &number, sizeof bits);
    printf("%08x\n", bits);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char text[] = "1.250451147556000";
    for (int i = 0; i < 3 && argv[1][i]; i++)
        text[14 + i] = (char)('0' + (argv[1][i] & 7));
    show(strtof(text, NULL));
    return 0;
}
