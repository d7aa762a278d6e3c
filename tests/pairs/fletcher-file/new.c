#include <stdio.h>
#include <string.h>

#define MAXDATA 200

static unsigned char data[MAXDATA];

/* Layout: magic 'P' 'k', length n, n bytes of tags, two sums. */
static int load(const char *name)
{
    FILE *f = fopen(name, "rb");
    unsigned a = 1, b = 0;
    int n, i, c1, c2;

    if (f == NULL)
        return -1;
    if (getc(f) != 'P' || getc(f) != 'k') {
        fclose(f);
        return -2;
    }
    n = getc(f);
    if (n == EOF || n > MAXDATA || (int)fread(data, 1, n, f) != n) {
        fclose(f);
        return -3;
    }
    for (i = 0; i < n; i++) {
        a = (a + data[i]) % 251;
        b = (b + a) % 251;
    }
    c1 = getc(f);
    c2 = getc(f);
    fclose(f);
    if (c1 != (int)a || c2 != (int)b)
        return -4;
    return n;
}

static void show(int n)
{
    int i = 0;

    while (i < n) {
        int tag = data[i] >> 6, len = data[i] & 3;

        i++;
        if (i + len > n) {
            printf("cut off\n");
            return;
        }
        switch (tag) {
        case 0:
            printf("skip %d\n", len);
            break;
        case 1:
            printf("text %.*s\n", len, (const char *)data + i);
            break;
        case 2:
            if (len == 2)
                printf("number %d\n", data[i + 1] << 8 | data[i]);
            else
                printf("number?\n");
            break;
        case 3:
            printf("end\n");
            return;
        }
        i += len;
    }
}

int main(int argc, char **argv)
{
    int n;

    if (argc != 2)
        return 2;
    n = load(argv[1]);
    if (n < 0) {
        printf("error %d\n", -n);
        return 1;
    }
    show(n);
    return 0;
}
