#include <stdio.h>

int main(int argc, char **argv)
{
    puts(argc >= 3 ? "many" : "few");
    return 0;
}
