#include <stdio.h>

struct note {
    long kind;
    char text[8];
};

int main(void)
{
    struct note sent = {1, ""};
    sent.text[0] = (char)getchar();
    struct note got = sent;
    puts(got.text[0] == 'x' ? "stop" : "go");
    return 0;
}
