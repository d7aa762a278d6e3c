#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *in = malloc(4096), *out = in;
    if (!in)
        return 1;
    in[7] = (char)getchar();
    puts(out[7] == 'x' ? "stop" : "go");
    return 0;
}
