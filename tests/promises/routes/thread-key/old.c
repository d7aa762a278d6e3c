#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    pthread_key_t key;
    if (pthread_key_create(&key, NULL))
        return 1;
    pthread_setspecific(key, (void *)(intptr_t)(getchar() & 255));
    intptr_t got = (intptr_t)pthread_getspecific(key);
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
