//! A main for programs that are only a function to fuzz.
//!
//! libFuzzer would bring its own. Ours gives the function all of standard input, once, so that a
//! test case is the same for a harness as for any other program.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The function that a harness defines.
pub(crate) const ENTRY: &str = "LLVMFuzzerTestOneInput";

/// Our function that gives standard input to a harness: in a program that has it, `main` does
/// nothing else.
pub const HARNESS_MAIN: &str = "parallax_harness_main";

const SOURCE: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int parallax_harness_main(int argc, char **argv) {
    size_t size = 0, room = 4096;
    uint8_t *read_into = (uint8_t *)malloc(room), *data;
    ssize_t got;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    while (read_into && (got = read(0, read_into + size, room - size)) > 0) {
        size += (size_t)got;
        if (size == room) read_into = (uint8_t *)realloc(read_into, room *= 2);
    }
    if (!read_into) return 1;
    /* Of exactly this size, so that a read behind the end is noticed. */
    data = (uint8_t *)malloc(size ? size : 1);
    if (!data) return 1;
    for (size_t i = 0; i < size; i++) data[i] = read_into[i];
    free(read_into);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv) { return parallax_harness_main(argc, argv); }
#ifdef __cplusplus
}
#endif
"#;

/// Writes the source of our main into a folder.
pub(crate) fn write(folder: &Path) -> io::Result<PathBuf> {
    let path = folder.join("harness_main.c");
    fs::write(&path, SOURCE)?;
    Ok(path)
}
