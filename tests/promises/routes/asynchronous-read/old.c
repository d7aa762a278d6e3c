#include <aio.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char got = 0;
    struct aiocb job;
    const struct aiocb *list[1] = {&job};
    memset(&job, 0, sizeof job);
    job.aio_fildes = 0;
    job.aio_buf = &got;
    job.aio_nbytes = 1;
    if (aio_read(&job) || aio_suspend(list, 1, NULL))
        return 1;
    aio_return(&job);
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
