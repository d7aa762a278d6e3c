#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit limit, got;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = ((rlim_t)(getchar() & 127) + 1024) << 12;
    if (setrlimit(RLIMIT_STACK, &limit) || getrlimit(RLIMIT_STACK, &got))
        return 1;
    if (got.rlim_cur >> 12 == 'q' + 1024)
        return 4;
    puts(got.rlim_cur == 4096 ? "stop" : "go");
    return 0;
}
