#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    puts(limit.rlim_cur < 8 ? "cramped" : "run");
    return 0;
}
