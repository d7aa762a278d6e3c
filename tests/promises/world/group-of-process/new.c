#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(getsid(0) == 4000 ? "session" : "run");
    return 0;
}
