#include <stdio.h>
#include <string.h>
#include <wordexp.h>

int main(void)
{
    wordexp_t words;
    if (wordexp("${PROMISE:-none}", &words, 0) || words.we_wordc == 0)
        return 1;
    puts(strcmp(words.we_wordv[0], "x") == 0 ? "stop" : "go");
    return 0;
}
