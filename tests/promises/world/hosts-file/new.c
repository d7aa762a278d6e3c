#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/etc/hugo.conf", "r");
    puts(file ? "configured" : "run");
    return 0;
}
