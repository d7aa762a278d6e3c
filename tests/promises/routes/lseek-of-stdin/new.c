#include <stdio.h>
#include <unistd.h>

int main(void)
{
    long length = lseek(0, 0, SEEK_END);
    puts(length == 5 ? "stop" : "go");
    return 0;
}
