#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    const char *name = getlogin();
    puts(name && strcmp(name, "hugo") == 0 ? "hello hugo" : "run");
    return 0;
}
