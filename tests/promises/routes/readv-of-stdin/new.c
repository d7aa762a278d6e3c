#include <stdio.h>
#include <sys/uio.h>

int main(void)
{
    char head[2] = "", tail[2] = "";
    struct iovec parts[2] = {{head, 2}, {tail, 2}};
    if (readv(0, parts, 2) < 0)
        return 1;
    if (tail[0] == 'q')
        return 4;
    puts(tail[0] == 'x' ? "stop" : "go");
    return 0;
}
