#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(getppid() == 4000 ? "child" : "run");
    return 0;
}
