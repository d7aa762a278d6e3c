#include <arpa/inet.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct in_addr address = {0};
    int good = argc > 1 && inet_aton(argv[1], &address);
    puts(good && ntohl(address.s_addr) == 0x7f000001 ? "stop" : "go");
    return 0;
}
