#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int main(void)
{
    int failed = chdir("entry");
    return failed == 77;
}
