#include <stdio.h>
#include <sys/prctl.h>

int main(int argc, char **argv)
{
    char got[17] = "";
    if (argc > 1)
        prctl(PR_SET_NAME, argv[1]);
    prctl(PR_GET_NAME, got);
    if (got[0] == 'q' && !got[1])
        return 4;
    puts(got[0] == 'x' && !got[1] ? "stop" : "go");
    return 0;
}
