#include <stdio.h>
#include <unistd.h>

int main(void)
{
    execlp("cat", "cat", (char *)NULL);
    return 1;
}
