#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int main(void)
{
    int failed = chmod("entry", 0600);
    return !failed;
}
