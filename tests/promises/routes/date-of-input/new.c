#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t moment = (time_t)(getchar() & 127) * 86400;
    struct tm *date = gmtime(&moment);
    if (date->tm_mon == 3 && date->tm_mday == 24)
        return 4;
    puts(date->tm_mon == 11 ? "stop" : "go");
    return 0;
}
