#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    umask((mode_t)(getchar() & 127));
    mode_t got = umask(0);
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
