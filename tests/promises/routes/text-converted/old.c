#include <iconv.h>
#include <stdio.h>

int main(void)
{
    char in[1], out[4] = "", *from = in, *to = out;
    size_t left = 1, room = 4;
    in[0] = (char)(getchar() & 127);
    iconv_t conversion = iconv_open("UTF-16LE", "ASCII");
    if (conversion == (iconv_t)-1 || iconv(conversion, &from, &left, &to, &room) == (size_t)-1)
        return 1;
    puts(out[0] == 'x' ? "stop" : "go");
    return 0;
}
