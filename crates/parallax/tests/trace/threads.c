// Only the first thread is traced; the others run as they would.
// TEST: args = ["tu"]
// FLAGS: --ldflags=-pthread
#include <pthread.h>
#include <string.h>
static char *text;
static int seen[4];
static void *work(void *given) {
    char copy[64];
    for (int round = 0; round < 200000; round++) {
        strcpy(copy, text);
        if (copy[1] == 'u') seen[(long)given] = copy[0];
    }
    return given;
}
int main(int argc, char **argv) {
    pthread_t threads[4];
    text = argv[1];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    char own[8] = "abcdefg";
    int sum = 0;
    for (int round = 0; round < 200000; round++) sum += own[round % 7];
    for (long i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    if (argv[1][0] != 't') return 1; // CHECK: @ arg[1][0] == 't'
    return seen[0] == 't' && seen[3] == 't' ? 0 : 2;
}
// CHECK: 4 threads that were not traced
