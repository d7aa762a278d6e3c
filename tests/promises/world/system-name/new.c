#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

int main(void)
{
    struct utsname name;
    uname(&name);
    puts(strcmp(name.machine, "alpha") == 0 ? "old machine" : "run");
    return 0;
}
