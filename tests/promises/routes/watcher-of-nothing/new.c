#include <stdio.h>
#include <sys/inotify.h>

int main(void)
{
    int c = getchar();
    int watcher = inotify_init();
    puts(watcher >= 0 && c >= 'y' ? "stop" : "go");
    return 0;
}
