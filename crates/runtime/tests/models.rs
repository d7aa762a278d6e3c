//! The models of pure library functions against the library.
//!
//! A model is compiled natively, with a runtime that has no labels but answers as if there were
//! some (`c/stub.c`), and is run beside the real function on thousands of inputs, edges first. So
//! its fast way and its slow way are both checked against the library: results, `errno`, memory.
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The files with models that this test is about.
const FILES: &[&str] = &["string", "ctype", "number", "float", "sort", "getopt", "format"];

/// The functions that are modelled, by header.
const PROMISED: &[&str] = &[
    // string.h and strings.h
    "strlen strnlen strcpy stpcpy strncpy stpncpy strcat strncat strcmp strncmp strcasecmp",
    "strncasecmp strcoll strxfrm strchr strrchr strchrnul index rindex memchr memrchr rawmemchr",
    "strstr strcasestr memmem strspn strcspn strpbrk strtok strtok_r strsep strdup strndup memcpy",
    "mempcpy memmove memset bzero explicit_bzero memcmp bcmp bcopy memccpy swab strverscmp",
    "ffs ffsl ffsll __strdup __strndup __stpcpy __stpncpy __mempcpy __rawmemchr __strtok_r",
    "__memcpy_chk __memmove_chk __mempcpy_chk __memset_chk __explicit_bzero_chk __strcpy_chk",
    "__stpcpy_chk __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk",
    // ctype.h
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper",
    "isxdigit isascii toascii tolower toupper _tolower _toupper isalnum_l isalpha_l isblank_l",
    "iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l isxdigit_l",
    "tolower_l toupper_l __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    // stdlib.h and inttypes.h
    "strtol strtoul strtoll strtoull strtoq strtouq strtoimax strtoumax atoi atol atoll",
    "__isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax",
    "__isoc23_strtoumax __strtol_internal __strtoul_internal __strtoll_internal",
    "__strtoull_internal abs labs llabs imaxabs div ldiv lldiv imaxdiv rand_r",
    "strtod strtof strtold atof __strtod_internal __strtof_internal __strtold_internal",
    "qsort qsort_r bsearch lfind lsearch",
    // getopt.h and unistd.h
    "getopt __posix_getopt getopt_long getopt_long_only",
    // stdio.h
    "snprintf sprintf vsnprintf vsprintf asprintf vasprintf __snprintf_chk __sprintf_chk",
    "__vsnprintf_chk __vsprintf_chk __asprintf_chk __vasprintf_chk",
];

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// Runs clang and returns its output; fails if clang fails.
fn clang(arguments: impl FnOnce(&mut Command)) -> Result<(), String> {
    let mut command = Command::new("clang-19");
    arguments(&mut command);
    let output = command.output().map_err(|error| format!("failed to run clang-19: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// The models and the stub, compiled once, in a directory that also holds their headers.
///
/// Models are compiled as for a traced program: for the optimiser, but not by it. Undefined
/// behaviour is a trap.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("abi.h"), parallax_runtime::abi_header()).unwrap();
        let sources = parallax_runtime::HEADERS.iter().chain(parallax_runtime::MODELS);
        for (name, text) in sources {
            let path = place.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for file in FILES {
            compile(&place, &place.join(format!("models/{file}.c")), file);
        }
        compile(&place, &source_dir().join("stub.c"), "stub");
        place
    })
}

fn compile(place: &Path, source: &Path, name: &str) {
    let done = clang(|command| {
        command.args(["-std=gnu17", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-builtin"]);
        command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument"]);
        command.args(["-fsanitize=undefined", "-fsanitize-trap=undefined", "-c"]);
        command.arg("-I").arg(place).arg(source).arg("-o").arg(place.join(format!("{name}.o")));
    });
    assert_eq!(done, Ok(()), "{} does not compile", source.display());
}

/// Links a driver to the models.
fn link(driver: &Path, program: &Path) -> Result<(), String> {
    let place = built();
    clang(|command| {
        command.args(["-std=gnu17", "-O1", "-fno-builtin", "-Wall", "-Wextra", "-Werror"]);
        command.arg("-I").arg(place).arg("-I").arg(source_dir()).arg(driver);
        command.args(FILES.iter().map(|file| place.join(format!("{file}.o"))));
        command.arg(place.join("stub.o")).args(["-lm", "-o"]).arg(program);
    })
}

/// Runs `c/NAME_check.c`, which prints differences.
fn check(name: &str) {
    let program = built().join(format!("{name}_check"));
    let driver = source_dir().join(format!("{name}_check.c"));
    assert_eq!(link(&driver, &program), Ok(()), "{} does not link", driver.display());
    let output = Command::new(&program).env_remove("POSIXLY_CORRECT").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name}: {}\n{said}", output.status);
}

#[test]
fn strings_and_bytes() {
    check("string");
}

#[test]
fn classes_of_characters() {
    check("ctype");
}

#[test]
fn integers_in_text() {
    check("number");
}

#[test]
fn floating_numbers_in_text() {
    check("float");
}

#[test]
fn sorting_and_searching() {
    check("sort");
}

#[test]
fn options() {
    check("getopt");
}

#[test]
fn formatted_printing() {
    check("format");
}

/// The linker names what is missing.
fn link_references(names: &[&str], file: &str) -> Result<(), String> {
    let mut text = String::new();
    for name in names {
        writeln!(text, "extern char plx_model_{name};").unwrap();
    }
    writeln!(text, "char *models[] = {{").unwrap();
    for name in names {
        writeln!(text, "    &plx_model_{name},").unwrap();
    }
    writeln!(text, "}};\nvoid check(void) {{}}").unwrap();
    let driver = built().join(format!("{file}.c"));
    fs::write(&driver, text).unwrap();
    link(&driver, &built().join(file))
}

#[test]
fn every_promised_model_exists() {
    let names: Vec<&str> = PROMISED.iter().flat_map(|line| line.split(' ')).collect();
    assert_eq!(link_references(&names, "promised"), Ok(()), "a model is missing");
    let missing = link_references(&["strlen", "no_such_function"], "missing").unwrap_err();
    assert!(missing.contains("plx_model_no_such_function"), "{missing}");
}
