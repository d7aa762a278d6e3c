/* Makes arguments, standard input and a file of one text: for fuzzers that have no more than that.
   Up to a byte 1 it is arguments, each ended by a zero; then standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int subject_main(int argc, char **argv);

enum { MOST = 1 << 16, MOST_ARGUMENTS = 16 };

int main(void) {
    static char text[MOST + 1];
    static char *arguments[MOST_ARGUMENTS + 2] = {"program"};
    size_t length = 0, at = 0;
    ssize_t got;
    while (length < MOST && (got = read(0, text + length, MOST - length)) > 0) length += (size_t)got;
    char *end = memchr(text, 1, length);
    size_t words = end ? (size_t)(end - text) : 0;
    int count = 1;
    if (end) *end = 0;
    while (at < words && count <= MOST_ARGUMENTS) {
        arguments[count++] = text + at;
        at += strlen(text + at) + 1;
    }
    size_t rest = end ? words + 1 : 0;
    int pipes[2];
    FILE *input = tmpfile();
    if (!input || pipe(pipes)) return 99;
    fwrite(text + rest, 1, length - rest, input);
    fflush(input);
    lseek(fileno(input), 0, SEEK_SET);
    dup2(fileno(input), 0);
    exit(subject_main(count, arguments));
}
