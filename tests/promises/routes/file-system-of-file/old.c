#include <stdio.h>
#include <sys/statvfs.h>

int main(void)
{
    struct statvfs about;
    int failed = statvfs("entry", &about);
    return failed == 77;
}
