#include <pwd.h>
#include <stdio.h>

int main(void)
{
    puts(getpwnam("hugo") ? "hello hugo" : "run");
    return 0;
}
