#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    puts(localtime(&now)->tm_year > 300 ? "far" : "run");
    return 0;
}
