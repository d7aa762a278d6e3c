#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int age, years, days;

    if (argc != 3) {
        fprintf(stderr, "usage: leave AGE YEARS\n");
        return 2;
    }
    age = atoi(argv[1]);
    years = atoi(argv[2]);
    if (age < 16 || age > 70 || years < 0 || years > age - 16) {
        fprintf(stderr, "leave: not plausible\n");
        return 2;
    }
    days = 24;
    if (years > 33)
        days = 30;
    else if (age > 57)
        days = 28;
    printf("%d days\n", days);
    return 0;
}
