#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *work(void *given)
{
    return given;
}

int main(void)
{
    pthread_t thread;
    void *got = NULL;
    if (pthread_create(&thread, NULL, work, (void *)(intptr_t)getchar()) || pthread_join(thread, &got))
        return 1;
    if ((intptr_t)got == 'q')
        return 4;
    puts((intptr_t)got == 'x' ? "stop" : "go");
    return 0;
}
