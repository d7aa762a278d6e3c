#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat about;
    struct timespec times[2] = {{0, 0}, {0, 0}};
    int file = open("room", O_RDWR | O_CREAT, 0600);
    times[1].tv_sec = getchar() & 127;
    if (file < 0 || futimens(file, times) || fstat(file, &about))
        return 1;
    unlink("room");
    if (about.st_mtime == 'q')
        return 4;
    puts(about.st_mtime == 'x' ? "stop" : "go");
    return 0;
}
