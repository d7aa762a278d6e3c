#include <stdio.h>

int main(int argc, char **argv)
{
    puts(argc > 2 ? "many" : "few");
    return 0;
}
