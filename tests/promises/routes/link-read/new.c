#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char target[64] = "";
    long length = readlink("current", target, sizeof target - 1);
    if (length > 0 && strcmp(target, "v2") == 0)
        return 4;
    puts(length > 60 ? "long" : "short");
    return 0;
}
