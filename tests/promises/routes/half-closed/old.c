#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2], spare[2], c = getchar();
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) || pipe(spare))
        return 1;
    close(c == 'q' ? ends[0] : spare[0]);
    long done = write(ends[1], "x", 1);
    puts(done == 2 ? "stop" : "go");
    return 0;
}
