#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts(getpid() == 31999 ? "unlucky" : "run");
    return 0;
}
