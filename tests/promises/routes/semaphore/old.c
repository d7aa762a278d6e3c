#include <stdio.h>
#include <sys/ipc.h>
#include <sys/sem.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    int c = getchar() & 127;
    if (set < 0 || semctl(set, 0, SETVAL, c))
        return 1;
    int got = semctl(set, 0, GETVAL);
    semctl(set, 0, IPC_RMID);
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
