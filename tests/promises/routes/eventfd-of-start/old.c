#include <stdio.h>
#include <sys/eventfd.h>

int main(void)
{
    int c = getchar();
    int counter = eventfd(3, 0);
    puts(counter >= 0 && c > 'x' ? "stop" : "go");
    return 0;
}
