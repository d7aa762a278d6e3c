#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;

__attribute__((noinline)) static void leave(int c)
{
    if (c == 'q')
        longjmp(again, 1);
}

int main(void)
{
    int c = getchar();
    int tries = 0;
    if (setjmp(again) == 0) {
        tries = 1;
        leave(c);
    }
    puts(tries ? "tried" : "fresh");
    return 0;
}
