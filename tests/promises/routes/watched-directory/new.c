#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(void)
{
    char name[2] = {0}, said[4096] __attribute__((aligned(8)));
    name[0] = (char)(getchar() & 127 | 64);
    int watcher = inotify_init();
    if (watcher < 0 || inotify_add_watch(watcher, ".", IN_CREATE) < 0)
        return 1;
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (file < 0 || close(file) || unlink(name) || read(watcher, said, sizeof said) <= 0)
        return 2;
    char got = ((struct inotify_event *)said)->name[0];
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
