#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    const unsigned char *key = (const unsigned char *)getauxval(AT_RANDOM);
    int c = getchar();
    puts(key && c > 'x' ? "stop" : "go");
    return 0;
}
