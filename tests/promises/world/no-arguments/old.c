#include <stdio.h>

int main(int argc, char **argv)
{
    puts("run");
    return 0;
}
