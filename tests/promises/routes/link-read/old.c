#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char target[64] = "";
    long length = readlink("current", target, sizeof target - 1);
    puts(length > 60 ? "long" : "short");
    return 0;
}
