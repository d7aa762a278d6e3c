#include <stdio.h>

static int leap(int y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int valid(int y, int m, int d)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int n;

    if (y < 1583 || y > 4099 || m < 1 || m > 12 || d < 1)
        return 0;
    n = days[m - 1];
    if (m == 2 && leap(y))
        n++;
    return d <= n;
}

int main(void)
{
    char line[64];
    int y, m, d;

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%4d-%2d-%2d", &y, &m, &d) != 3)
            printf("no date\n");
        else if (!valid(y, m, d))
            printf("no such day\n");
        else
            printf("fine\n");
    }
    return 0;
}
