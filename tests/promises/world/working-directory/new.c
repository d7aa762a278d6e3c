#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char where[4096] = "";
    getcwd(where, sizeof where);
    puts(strcmp(where, "/opt/hugo") == 0 ? "home" : "run");
    return 0;
}
