#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

int main(void)
{
    int status = system("read word; [ \"$word\" = q ]");
    int found = WEXITSTATUS(status) == 0;
    puts("asked");
    return found ? 4 : 0;
}
