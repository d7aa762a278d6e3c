#include <pwd.h>
#include <stdio.h>

int main(void)
{
    puts("run");
    return 0;
}
