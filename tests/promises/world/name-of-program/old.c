#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    puts("run");
    return argc > 90;
}
