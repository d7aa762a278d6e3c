#include <errno.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    errno = c == 'x' ? EINVAL : 0;
    puts(errno == EINVAL ? "bad" : "fine");
    return 0;
}
