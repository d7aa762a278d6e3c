#include <stdio.h>

int main(void)
{
    unsigned moment = (unsigned)getchar() & 127;
    puts(moment % 24 == 5 ? "five" : "other");
    return 0;
}
