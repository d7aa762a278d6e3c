#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    char *in = shmat(segment, NULL, 0), *out = shmat(segment, NULL, 0);
    if (in == (char *)-1 || out == (char *)-1)
        return 1;
    shmctl(segment, IPC_RMID, NULL);
    in[7] = (char)getchar();
    if (out[7] == 'q')
        return 4;
    puts(out[7] == 'x' ? "stop" : "go");
    return 0;
}
