#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int main(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN);
    puts(path && strcmp(path, "./hugo") == 0 ? "called hugo" : "run");
    return 0;
}
