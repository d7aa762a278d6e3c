#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    const unsigned char *key = (const unsigned char *)getauxval(AT_RANDOM);
    int c = getchar();
    puts(key[0] == key[1] + 999 ? "odd" : "run");
    return c == 'x' || c == 'q';
}
