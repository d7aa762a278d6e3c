#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t moment = 86400;
    struct tm *date = localtime(&moment);
    puts(date->tm_hour == 5 ? "odd" : "run");
    return 0;
}
