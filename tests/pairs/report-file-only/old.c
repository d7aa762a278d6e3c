#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXACC 16

struct account {
    char name[12];
    long balance;
};

static struct account acc[MAXACC];
static int nacc;

static struct account *lookup(const char *name)
{
    int i;

    for (i = 0; i < nacc; i++)
        if (strcmp(acc[i].name, name) == 0)
            return &acc[i];
    if (nacc == MAXACC)
        return NULL;
    strcpy(acc[nacc].name, name);
    return &acc[nacc++];
}

int main(void)
{
    char line[100], name[12];
    long amount, total = 0;
    int i, n = 0;
    FILE *f;

    while (fgets(line, sizeof line, stdin) != NULL) {
        struct account *a;

        if (sscanf(line, "%11s %ld", name, &amount) != 2)
            continue;
        a = lookup(name);
        if (a == NULL) {
            fprintf(stderr, "too many accounts\n");
            return 1;
        }
        a->balance += amount;
        n++;
    }
    f = fopen("report.txt", "w");
    if (f == NULL) {
        perror("report.txt");
        return 1;
    }
    for (i = 0; i < nacc; i++) {
        total += acc[i].balance;
        fprintf(f, "%-12s%8ld%8ld\n", acc[i].name, acc[i].balance, total);
    }
    fclose(f);
    printf("%d bookings\n", n);
    return 0;
}
