// Descriptors, names, the environment, the heap and the start of a program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "effects_stub.h"

extern int plx_model_open(const char *path, int flags, ...);
extern int plx_model_openat(int directory, const char *path, int flags, ...);
extern int plx_model_stat(const char *path, struct stat *status);
extern int plx_model_access(const char *path, int mode);
extern int plx_model_unlink(const char *path);
extern int plx_model_rename(const char *from, const char *to);
extern ssize_t plx_model_read(int descriptor, void *to, size_t wanted);
extern ssize_t plx_model_pread(int descriptor, void *to, size_t wanted, off_t at);
extern ssize_t plx_model_readv(int descriptor, const struct iovec *pieces, int count);
extern off_t plx_model_lseek(int descriptor, off_t offset, int whence);
extern ssize_t plx_model_write(int descriptor, const void *from, size_t length);
extern void *plx_model_mmap(void *, size_t, int, int, int, off_t);
extern int plx_model_munmap(void *start, size_t length);
extern char *plx_model_getenv(const char *name);
extern int plx_model_setenv(const char *name, const char *value, int overwrite);
extern int plx_model_unsetenv(const char *name);
extern void *plx_model_malloc(size_t length);
extern void *plx_model_realloc(void *object, size_t length);
extern void plx_model_free(void *object);
extern int plx_model_mkstemp(char *template);
extern void plx_model_error(int status, int number, const char *format, ...);
extern void plx_model_perror(const char *text);
extern void plx_model_warnx(const char *format, ...);

static void make_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file);
    fputs(text, file);
    fclose(file);
}

static void check_labels(const char *start, size_t length, uint32_t input, size_t offset) {
    for (size_t i = 0; i < length; i++)
        CHECK(plx_label_at(start + i) == STUB_LABEL(input, offset + i));
}

static uint32_t input_of(const char *name) {
    unsigned before = stub_inputs_count;
    uint32_t input = plx_input(PLX_INPUT_FILE, 0, name);
    CHECK(stub_inputs_count == before);
    return input;
}

void test_descriptors(void) {
    char one[64], two[8];
    make_file("data", "0123456789abcdef");
    int file = plx_model_open("data", O_RDONLY);
    CHECK(plx_model_read(file, one, 10) == 10);
    uint32_t input = input_of("data");
    check_labels(one, 10, input, 0);
    CHECK(plx_label_at(one + 10) == 0);
    CHECK(plx_model_read(file, one, 64) == 6 && memcmp(one, "abcdef", 6) == 0);
    check_labels(one, 6, input, 10);
    CHECK(plx_model_read(file, one, 64) == 0);
    CHECK(plx_model_lseek(file, 0, SEEK_CUR) == 16);
    CHECK(plx_model_lseek(file, -4, SEEK_END) == 12);
    struct iovec pieces[2] = {{one, 3}, {two, 8}};
    CHECK(plx_model_readv(file, pieces, 2) == 4 && memcmp(one, "cde", 3) == 0 && two[0] == 'f');
    check_labels(one, 3, input, 12);
    check_labels(two, 1, input, 15);
    CHECK(plx_model_pread(file, two, 8, 3) == 8);
    check_labels(two, 8, input, 3);
    int copy = dup(file);
    CHECK(plx_model_lseek(copy, 1, SEEK_SET) == 1 && plx_model_read(file, two, 2) == 2);
    check_labels(two, 2, input, 1);
    char *map = plx_model_mmap(NULL, 16, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(map != MAP_FAILED && memcmp(map, "0123", 4) == 0);
    check_labels(map, 16, input, 0);
    CHECK(plx_label_at(map + 16) == 0 && plx_model_munmap(map, 16) == 0 && plx_is_clean(map, 16));
    errno = 0;
    CHECK(plx_model_read(-1, one, 1) == -1 && errno == EBADF);
}

void test_names(void) {
    struct stat status;
    make_file("there", "x");
    CHECK(mkdir("folder", 0777) == 0);
    errno = 0;
    CHECK(plx_model_open("folder/../missing", O_RDONLY) == -1 && errno == ENOENT);
    input_of("missing");
    CHECK(stub_exists == 1);
    CHECK(plx_model_access("./there", R_OK) == 0 && stub_exists == 2);
    input_of("there");
    CHECK(plx_model_stat("there", &status) == 0 && status.st_size == 1 && stub_exists == 3);
    unsigned inputs = stub_inputs_count;
    CHECK(plx_model_open("folder", O_RDONLY) >= 0 && plx_model_open("/dev/null", O_RDONLY) >= 0);
    CHECK(plx_model_open("/etc/no such file", O_RDONLY) == -1);
    CHECK(plx_model_open("../outside", O_RDONLY) == -1);
    CHECK(stub_inputs_count == inputs && stub_exists == 3);
    char path[4200];
    CHECK(getcwd(path, 4000) && chdir("folder") == 0);
    CHECK(plx_model_access("../there", F_OK) == 0 && stub_exists == 4);
    strcat(path, "/there");
    CHECK(plx_model_access(path, F_OK) == 0 && stub_exists == 5);
    CHECK(plx_model_access("inner", F_OK) == -1);
    input_of("folder/inner");
    CHECK(chdir("..") == 0);
    int folder = open("folder", O_RDONLY);
    CHECK(plx_model_openat(folder, "inner", O_RDONLY) == -1);
    CHECK(stub_inputs_count == inputs + 1 && stub_exists == 7);
}

// What the program makes or removes itself is no choice.
void test_own_files(void) {
    char bytes[8], name[] = "tempXXXXXX";
    int file = plx_model_open("made", O_RDWR | O_CREAT, 0666);
    CHECK(plx_model_write(file, "abc", 3) == 3 && plx_model_lseek(file, 0, SEEK_SET) == 0);
    CHECK(plx_model_read(file, bytes, 8) == 3 && plx_label_at(bytes) == 0);
    CHECK(plx_model_access("made", F_OK) == 0 && stub_exists == 0);
    make_file("data", "0123");
    file = plx_model_open("data", O_RDWR);
    CHECK(stub_exists == 1 && plx_model_read(file, bytes, 2) == 2 && plx_label_at(bytes) != 0);
    CHECK(plx_model_write(file, "x", 1) == 1);
    CHECK(plx_model_read(file, bytes, 2) == 1 && plx_label_at(bytes) == 0);
    CHECK(stub_counters[PLX_COUNTER_REWRITTEN] > 0);
    CHECK(plx_model_unlink("data") == 0 && stub_exists == 2);
    CHECK(plx_model_open("data", O_RDONLY) == -1 && stub_exists == 2);
    CHECK(plx_model_mkstemp(name) >= 0 && plx_model_access(name, F_OK) == 0 && stub_exists == 2);
    unsigned before = stub_counters[PLX_COUNTER_REWRITTEN];
    file = fileno(tmpfile());
    CHECK(plx_model_write(file, "abc", 3) == 3 && plx_model_lseek(file, 0, SEEK_SET) == 0);
    CHECK(plx_model_read(file, bytes, 8) == 3 && stub_counters[PLX_COUNTER_REWRITTEN] > before);
    make_file("from", "1");
    CHECK(plx_model_rename("from", "to") == 0 && stub_exists == 3);
    CHECK(plx_model_access("from", F_OK) == -1 && plx_model_access("to", F_OK) == 0);
    CHECK(stub_exists == 3);
}

// Standard input is an input by whatever descriptor and path it is read.
void test_stdin(void) {
    char bytes[8];
    CHECK(plx_model_read(0, bytes, 4) == 4);
    uint32_t input = plx_input(PLX_INPUT_STDIN, 0, NULL);
    CHECK(stub_inputs_count == 1);
    check_labels(bytes, 4, input, 0);
    int again = plx_model_open("/dev/stdin", O_RDONLY);
    CHECK(plx_model_read(again, bytes, 2) == 2);
    CHECK(stub_inputs_count == 1 && plx_label_at(bytes) >= STUB_LABEL(input, 0));
}

void test_environment(void) {
    CHECK(setenv("GIVEN", "value", 1) == 0 && setenv("fixed", "f", 1) == 0);
    char *value = plx_model_getenv("GIVEN");
    CHECK(value && strcmp(value, "value") == 0 && stub_exists == 1);
    uint32_t input = plx_input(PLX_INPUT_ENVIRONMENT, 0, "GIVEN");
    check_labels(value, 16, input, 0);
    CHECK(plx_label_at(value + 16) == 0 && value[16] == 0);
    CHECK(plx_model_getenv("GIVEN") == value && stub_exists == 1);
    CHECK(plx_model_getenv("NOT_GIVEN") == NULL && stub_exists == 2);
    CHECK(plx_model_getenv("PATH") == getenv("PATH") && stub_exists == 2);
    CHECK(plx_model_getenv("fixed") == getenv("fixed") && stub_exists == 2);
    CHECK(plx_model_setenv("GIVEN", "other", 0) == 0 && plx_model_getenv("GIVEN") == value);
    CHECK(plx_model_setenv("GIVEN", "other", 1) == 0);
    CHECK(strcmp(plx_model_getenv("GIVEN"), "other") == 0);
    CHECK(plx_model_unsetenv("GIVEN") == 0 && plx_model_getenv("GIVEN") == NULL);
    CHECK(plx_model_setenv("OWN", "1", 1) == 0 && strcmp(plx_model_getenv("OWN"), "1") == 0);
    CHECK(stub_exists == 2);
}

void test_heap(void) {
    char *object = plx_model_malloc(10);
    plx_label_input(object, 10, 0, 0);
    object = plx_model_realloc(object, 100000);
    check_labels(object, 10, 0, 0);
    CHECK(plx_label_at(object + 10) == 0);
    object = plx_model_realloc(object, 4);
    check_labels(object, 4, 0, 0);
    CHECK(plx_label_at(object + 4) == 0);
    plx_model_free(object);
    CHECK(plx_label_at(object) == 0 && stub_births == 1 && stub_deaths == 1);
    CHECK(plx_model_malloc((size_t)STUB_SYMBOLIC) && stub_pins == 1);
}

// What is printed on standard error, by the models and by the library.
static char *messages(int by_models) {
    static char texts[2][1000];
    int pipes[2], status;
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        errno = ENOENT;
        if (by_models) {
            plx_model_perror("some");
            errno = EPERM;
            plx_model_perror("");
            plx_model_warnx("w%d", 1);
            plx_model_error(0, ENOENT, "%s", "text");
            plx_model_error(3, 0, "last");
        }
        extern void perror(const char *), error(int, int, const char *, ...), warnx(const char *, ...);
        perror("some");
        errno = EPERM;
        perror("");
        warnx("w%d", 1);
        error(0, ENOENT, "%s", "text");
        error(3, 0, "last");
    }
    close(pipes[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(pipes[0], texts[by_models] + length, 999 - length)) > 0) length += (size_t)got;
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    texts[by_models][length] = '\0';
    return texts[by_models];
}

void test_messages(void) {
    CHECK(strcmp(messages(0), messages(1)) == 0);
}
