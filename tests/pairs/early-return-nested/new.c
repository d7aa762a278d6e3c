#include <stdio.h>

static const char *classify(int n, const char *s)
{
    const char *what = "too many";

    if (n <= 3) {
        if (n != 1) {
            if (s[0] != '+') {
                if (s[0] != '\0')
                    what = n == 2 ? "word" : "word with target";
                else
                    what = "empty";
            } else if (s[1] != '\0') {
                what = n == 2 ? "plus" : "plus with target";
            } else {
                what = "lonely plus";
            }
        } else {
            what = "nothing given";
        }
    }
    return what;
}

int main(int argc, char **argv)
{
    if (argc >= 1) {
        puts(classify(argc, argv[1]));
        return 0;
    }
    return 3;
}
