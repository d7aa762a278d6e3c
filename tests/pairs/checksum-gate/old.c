#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* Lines look like  $TYPE,payload*HH  where HH is the xor of all bytes
   between the dollar sign and the star. */

static int hexval(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int verify(const char *line)
{
    const char *s = line + 1;
    int sum = 0, hi, lo;

    if (line[0] != '$')
        return 0;
    while (*s != '\0' && *s != '*')
        sum ^= (unsigned char)*s++;
    if (*s != '*')
        return 0;
    hi = hexval(s[1]);
    if (hi < 0)
        return 0;
    lo = hexval(s[2]);
    if (lo < 0)
        return 0;
    return sum == hi * 16 + lo;
}

static void depth(const char *payload)
{
    int d = atoi(payload);

    if (d < 3)
        printf("shallow %d\n", d);
    else
        printf("depth %d\n", d);
}

static void course(const char *payload)
{
    int deg = atoi(payload);

    while (deg >= 360)
        deg -= 360;
    printf("course %03d\n", deg);
}

int main(void)
{
    char line[256];
    int bad = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (!verify(line)) {
            bad++;
            continue;
        }
        if (strncmp(line + 1, "DPT,", 4) == 0)
            depth(line + 5);
        else if (strncmp(line + 1, "CRS,", 4) == 0)
            course(line + 5);
        else
            printf("other\n");
    }
    printf("%d bad\n", bad);
    return 0;
}
