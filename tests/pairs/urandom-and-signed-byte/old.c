#include <stdio.h>

int main(void)
{
    unsigned char token[8] = {0};
    FILE *f = fopen("/dev/urandom", "rb");
    if (f) {
        if (fread(token, 1, sizeof token, f) != sizeof token)
            puts("short token");
        fclose(f);
    }
    unsigned char data[4] = {0};
    size_t n = fread(data, 1, sizeof data, stdin);
    int total = 0;
    for (size_t i = 0; i < n; i++)
        total += data[i];
    printf("total %d\n", total);

    printf("token ");
    for (size_t i = 0; i < sizeof token; i++)
        printf("%02x", token[i]);
    putchar('\n');
    return 0;
}
