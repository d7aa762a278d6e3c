#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    puts(strcmp(name, "hugo") == 0 ? "home" : "run");
    return 0;
}
