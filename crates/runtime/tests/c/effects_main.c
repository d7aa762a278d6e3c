// Runs one test by name: `effects NAME SEED`, in a directory of its own. `start` begins like a
// traced program.
#include <string.h>

#include "effects_stub.h"

extern void test_reading(void), test_reading_concrete(void), test_writing(void),
    test_updating(void), test_descriptors(void), test_names(void), test_own_files(void),
    test_stdin(void), test_environment(void), test_heap(void), test_messages(void),
    test_opaque(void);
extern int plx_start(int argc, char **argv, char **envp);
extern int plx_fuzz_main(int argc, char **argv, char **envp);

static const struct {
    const char *name;
    void (*test)(void);
} tests[] = {
    {"reading", test_reading},         {"reading_concrete", test_reading_concrete},
    {"writing", test_writing},         {"updating", test_updating},
    {"descriptors", test_descriptors}, {"names", test_names},
    {"own_files", test_own_files},     {"stdin", test_stdin},
    {"environment", test_environment}, {"heap", test_heap},
    {"messages", test_messages},       {"opaque", test_opaque},
};

// The program that `start` starts: it gets its arguments in labelled buffers.
int plx_main(int argc, char **argv, char **envp) {
    CHECK(argc == 3 && envp && strcmp(argv[1], "start") == 0 && argv[3] == NULL && argv[5] == NULL);
    for (int i = 1; i < 3; i++) {
        uint32_t input = plx_input(PLX_INPUT_ARGUMENT, (uint32_t)i, NULL);
        for (int j = 0; j < 16; j++) CHECK(plx_label_at(argv[i] + j) == STUB_LABEL(input, j));
        CHECK(plx_label_at(argv[i] + 16) == 0);
    }
    CHECK(stub_inputs_count == 5);
    return 7;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size; i++) putchar(data[i] ^ 1);
    return 0;
}

int main(int argc, char **argv, char **envp) {
    const char *name = argv[1];
    stub_seed = argc > 2 ? strtoull(argv[2], NULL, 10) + 1 : 1;
    if (strcmp(name, "start") == 0) return plx_start(argc, argv, envp);
    if (strcmp(name, "fuzz") == 0) return plx_fuzz_main(argc, argv, envp);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, name) == 0) {
            tests[i].test();
            return 0;
        }
    return 1;
}
