#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    puts(getauxval(AT_PAGESZ) == 65536 ? "large pages" : "run");
    return 0;
}
