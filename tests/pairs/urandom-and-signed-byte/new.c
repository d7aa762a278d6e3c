#include <stdio.h>

static void print_token(void)
{
    unsigned char token[8] = {0};
    FILE *f = fopen("/dev/urandom", "rb");
    if (f) {
        if (fread(token, 1, sizeof token, f) != sizeof token)
            puts("short token");
        fclose(f);
    }
    printf("token ");
    for (size_t i = 0; i < sizeof token; i++)
        printf("%02x", token[i]);
    putchar('\n');
}

int main(void)
{
    signed char data[4] = {0};
    size_t n = fread(data, 1, sizeof data, stdin);
    int total = 0;
    while (n-- > 0)
        total += data[n];
    printf("total %d\n", total);
    print_token();
    return 0;
}
