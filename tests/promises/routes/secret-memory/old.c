#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    int c = getchar(), both = PROT_READ | PROT_WRITE;
    int secret = (int)syscall(SYS_memfd_secret, 0);
    if (secret < 0)
        secret = memfd_create("no secret", 0);
    if (secret < 0 || ftruncate(secret, 4096))
        return 1;
    char *in = mmap(NULL, 4096, both, MAP_SHARED, secret, 0);
    char *out = mmap(NULL, 4096, both, MAP_SHARED, secret, 0);
    if (in == MAP_FAILED || out == MAP_FAILED)
        return 2;
    in[5] = (char)c;
    puts(out[5] == 'x' ? "stop" : "go");
    return 0;
}
