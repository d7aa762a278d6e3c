//! Memory effects of library functions.
//!
//! A function that is not listed may read and write everything reachable from its arguments, and
//! the internal state of the library.

/// A set of arguments, as digits; a `+` after the last one includes all that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arguments(&'static str);

impl Arguments {
    /// Whether an argument is in the set.
    pub(super) fn contains(self, index: usize) -> bool {
        let listed = self.0.bytes().filter(u8::is_ascii_digit);
        let mut listed = listed.map(|digit| usize::from(digit - b'0'));
        let last = listed.clone().next_back();
        listed.any(|listed| listed == index)
            || self.0.ends_with('+') && last.is_some_and(|last| index > last)
    }
}

/// The effect of a call of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// The arguments that it reads through.
    pub(super) reads: Arguments,
    /// The arguments that it writes through.
    pub(super) writes: Arguments,
    /// Its use of the outside world.
    pub(super) world: World,
}

/// The use that a library function makes of the world outside of the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum World {
    /// Nothing.
    Nothing,
    /// Output that later output does not depend on.
    Output,
    /// Input, which advances the input position.
    Input,
    /// Input that may be earlier output.
    Files,
    /// It uses and changes internal state of the library: the locale, the seed.
    State,
    /// All of it.
    Everything,
}

const UNKNOWN: Effect =
    Effect { reads: Arguments("0+"), writes: Arguments("0+"), world: World::Everything };

/// The effect of a function that is not part of the program.
pub(super) fn effect(name: &str) -> Effect {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"));
    let plain = plain.unwrap_or(name);
    let is_marker = MARKERS.iter().any(|marker| plain.starts_with(marker));
    let (reads, writes, world) = match () {
        () if is_marker || NOTHING.contains(&plain) => ("", "", World::Nothing),
        () => match EFFECTS.iter().find(|(names, ..)| names.contains(&plain)) {
            Some((_, reads, writes, world)) => (*reads, *writes, *world),
            None => return intrinsic(plain).unwrap_or(UNKNOWN),
        },
    };
    Effect { reads: Arguments(reads), writes: Arguments(writes), world }
}

/// LLVM's intrinsics are pure, except for those that copy.
fn intrinsic(name: &str) -> Option<Effect> {
    let name = name.strip_prefix("llvm.")?;
    let (reads, writes) = match () {
        () if name.starts_with("memcpy") || name.starts_with("memmove") => ("1", "0"),
        () if name.starts_with("memset") || name.starts_with("va_start") => ("", "0"),
        () if name.starts_with("va_copy") => ("1", "0"),
        () if name.starts_with("eh.") || name.starts_with("init.") => return None,
        () => ("", ""),
    };
    let (reads, writes) = (Arguments(reads), Arguments(writes));
    Some(Effect { reads, writes, world: World::Nothing })
}

/// Markers without effect.
const MARKERS: &[&str] = &[
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.assume",
    "llvm.expect",
    "llvm.donothing",
    "llvm.va_end",
    "llvm.invariant.",
    "llvm.experimental.noalias",
    "llvm.prefetch",
];

/// Pure functions of their arguments.
const NOTHING: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "toascii",
    "iswalnum",
    "iswalpha",
    "iswblank",
    "iswcntrl",
    "iswdigit",
    "iswprint",
    "iswpunct",
    "iswspace",
    "iswupper",
    "iswlower",
    "towlower",
    "towupper",
    "wcwidth",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__ctype_get_mb_cur_max",
    "__errno_location",
    "malloc",
    "calloc",
    "aligned_alloc",
    "valloc",
    "free",
    "getpagesize",
    "sqrt",
    "pow",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "floor",
    "ceil",
    "round",
    "lround",
    "trunc",
    "fabs",
    "fmod",
    "ldexp",
    "sqrtf",
    "powf",
    "floorf",
    "ceilf",
    "fabsf",
    "hypot",
    "cbrt",
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "atexit",
    "on_exit",
    "getpid",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
    "alloca",
    "sysconf",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "isatty",
    "fileno",
    "__fpending",
    "pthread_self",
    "getenv",
    "secure_getenv",
    "localeconv",
    "nl_langinfo",
    "sched_yield",
    "btowc",
    "wctob",
    "ffs",
    "ffsl",
];

/// Names; the arguments that are read through and written through; the use of the world.
const EFFECTS: &[(&[&str], &str, &str, World)] = &[
    (
        &[
            "strlen",
            "strnlen",
            "wcslen",
            "atoi",
            "atol",
            "atoll",
            "atof",
            "strdup",
            "strndup",
            "strchr",
            "strrchr",
            "memchr",
            "rawmemchr",
            "memrchr",
            "strchrnul",
            "wcschr",
            "__strdup",
        ],
        "0",
        "",
        World::Nothing,
    ),
    (
        &[
            "strcmp",
            "strncmp",
            "strcasecmp",
            "strncasecmp",
            "strcoll",
            "memcmp",
            "bcmp",
            "strstr",
            "strcasestr",
            "strpbrk",
            "strspn",
            "strcspn",
            "wcscmp",
            "wcsncmp",
            "strverscmp",
            "memmem",
            "fnmatch",
            "strcoll_l",
            "gnu_get_libc_version",
        ],
        "01",
        "",
        World::Nothing,
    ),
    (
        &[
            "memcpy",
            "memmove",
            "mempcpy",
            "strcpy",
            "strncpy",
            "stpcpy",
            "stpncpy",
            "strlcpy",
            "__memcpy_chk",
            "__memmove_chk",
            "__strcpy_chk",
            "__strncpy_chk",
            "__mempcpy_chk",
            "wcscpy",
            "wmemcpy",
            "swab",
        ],
        "1",
        "0",
        World::Nothing,
    ),
    (&["bcopy"], "0", "1", World::Nothing),
    (
        &["strcat", "strncat", "strlcat", "__strcat_chk", "__strncat_chk", "wcscat"],
        "01",
        "0",
        World::Nothing,
    ),
    (
        &[
            "memset",
            "bzero",
            "explicit_bzero",
            "__memset_chk",
            "sigemptyset",
            "sigfillset",
            "wmemset",
        ],
        "",
        "0",
        World::Nothing,
    ),
    (&["sigaddset", "sigdelset", "strtok", "strsep"], "01", "0", World::State),
    (&["strtok_r"], "012", "02", World::Nothing),
    (&["memccpy"], "1", "0", World::Nothing),
    (&["realloc", "reallocarray", "__libc_realloc"], "0", "", World::Nothing),
    (
        &[
            "strtol",
            "strtoul",
            "strtoll",
            "strtoull",
            "strtod",
            "strtof",
            "strtold",
            "strtoimax",
            "strtoumax",
        ],
        "0",
        "1",
        World::State,
    ),
    (&["sprintf", "vsprintf", "__sprintf_chk", "__vsprintf_chk"], "1+", "0", World::Nothing),
    (
        &["snprintf", "vsnprintf", "__snprintf_chk", "__vsnprintf_chk", "swprintf"],
        "2+",
        "0",
        World::Nothing,
    ),
    (&["asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk"], "1+", "0", World::Nothing),
    (&["sscanf", "vsscanf"], "01", "2+", World::Nothing),
    (&["qsort", "qsort_r"], "0", "0", World::Nothing),
    (&["bsearch", "lfind"], "01", "", World::Nothing),
    (
        &[
            "mbstowcs",
            "wcstombs",
            "mbrtowc",
            "mbtowc",
            "mbsrtowcs",
            "wcsrtombs",
            "wcrtomb",
            "mbrlen",
            "mbsinit",
        ],
        "013",
        "0123",
        World::State,
    ),
    (
        &[
            "printf",
            "vprintf",
            "__printf_chk",
            "__vprintf_chk",
            "wprintf",
            "puts",
            "perror",
            "psignal",
            "warn",
            "warnx",
            "vwarn",
            "err",
            "errx",
            "verr",
            "error",
            "error_at_line",
            "syslog",
            "__fprintf_chk",
            "__vfprintf_chk",
            "fprintf",
            "vfprintf",
            "dprintf",
            "vdprintf",
            "fputs",
            "fputs_unlocked",
            "fputc",
            "fputc_unlocked",
            "putc",
            "putc_unlocked",
            "putchar",
            "putchar_unlocked",
            "fwrite",
            "fwrite_unlocked",
            "write",
            "pwrite",
            "send",
            "sendto",
            "writev",
            "putw",
            "fputwc",
            "putwchar",
            "fflush",
            "fflush_unlocked",
            "_IO_putc",
            "__overflow",
            "__assert_fail",
            "__assert",
            "unlink",
            "remove",
            "rename",
            "mkdir",
            "rmdir",
            "link",
            "symlink",
            "chmod",
            "chown",
            "ftruncate",
            "truncate",
            "creat",
            "system",
            "execv",
            "execve",
            "execvp",
            "execl",
            "execlp",
        ],
        "0+",
        "",
        World::Output,
    ),
    (
        &[
            "fopen",
            "freopen",
            "fopen64",
            "fdopen",
            "open",
            "open64",
            "openat",
            "creat64",
            "opendir",
            "popen",
            "tmpfile",
            "access",
            "chdir",
            "fclose",
            "pclose",
            "closedir",
            "close",
            "lseek",
            "fseek",
            "fseeko",
            "ftell",
            "ftello",
            "rewind",
            "dup",
            "dup2",
            "fcntl",
            "ioctl",
            "fork",
            "posix_fadvise",
            "mmap",
            "munmap",
        ],
        "0+",
        "",
        World::Files,
    ),
    (
        &[
            "feof",
            "feof_unlocked",
            "ferror",
            "ferror_unlocked",
            "clearerr",
            "ungetc",
            "getc",
            "getc_unlocked",
            "fgetc",
            "fgetc_unlocked",
            "getchar",
            "getchar_unlocked",
            "_IO_getc",
            "__uflow",
            "getw",
            "fgetwc",
            "getwc",
            "getwchar",
            "readdir",
            "readdir64",
            "__freadable",
            "__freading",
        ],
        "0+",
        "",
        World::Input,
    ),
    (
        &[
            "setlocale",
            "bindtextdomain",
            "textdomain",
            "gettext",
            "dcgettext",
            "dgettext",
            "ngettext",
            "dcngettext",
            "setvbuf",
            "setbuf",
            "fileno_unlocked",
            "rand",
            "srand",
            "random",
            "srandom",
            "umask",
            "clock",
            "setenv",
            "unsetenv",
            "putenv",
            "getlogin",
            "ttyname",
            "nanosleep",
            "sleep",
            "usleep",
            "alarm",
            "signal",
            "raise",
            "kill",
            "strerror",
            "strsignal",
            "sem_post",
            "pthread_mutex_lock",
            "pthread_mutex_unlock",
            "__fwriting",
        ],
        "0+",
        "",
        World::State,
    ),
    (
        &[
            "time",
            "times",
            "fstat",
            "fstat64",
            "wait",
            "pipe",
            "gettimeofday",
            "getrusage",
            "uname",
            "sigpending",
            "getcwd",
            "gethostname",
        ],
        "",
        "01",
        World::State,
    ),
    (
        &[
            "stat",
            "lstat",
            "stat64",
            "lstat64",
            "readlink",
            "clock_gettime",
            "getrlimit",
            "waitpid",
            "realpath",
            "utime",
            "strftime",
            "sigprocmask",
            "sigaction",
        ],
        "0123",
        "012",
        World::State,
    ),
    (&["read", "pread", "recv"], "", "1", World::Input),
    (
        &[
            "fgets",
            "fgets_unlocked",
            "fread",
            "fread_unlocked",
            "__fgets_chk",
            "__fread_chk",
            "gets",
        ],
        "",
        "0",
        World::Input,
    ),
    (&["getline", "getdelim", "__getdelim"], "01", "01", World::Input),
    (&["scanf", "fscanf", "vscanf", "vfscanf"], "01", "1+", World::Input),
    (&["gmtime", "localtime", "ctime", "asctime"], "0", "", World::State),
    (&["gmtime_r", "localtime_r", "asctime_r", "ctime_r"], "0", "1", World::State),
    (&["mktime", "timegm"], "0", "0", World::State),
    (&["frexp", "modf", "frexpl", "modfl"], "", "1", World::Nothing),
    (&["getopt", "getopt_long", "getopt_long_only"], "0123", "14", World::State),
    (&["regcomp"], "1", "0", World::Nothing),
    (&["regexec"], "01", "3", World::Nothing),
    (&["regfree"], "", "0", World::Nothing),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_listed_by_digits() {
        assert!(Arguments("03").contains(3) && !Arguments("03").contains(4));
        assert!(Arguments("2+").contains(7) && !Arguments("2+").contains(1));
        assert!(!Arguments("").contains(0));
    }

    #[test]
    fn no_function_is_listed_twice() {
        let mut seen = std::collections::HashSet::new();
        let listed = EFFECTS.iter().flat_map(|(names, ..)| names.iter()).chain(NOTHING);
        let twice: Vec<_> = listed.filter(|name| !seen.insert(**name)).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn what_is_not_known_may_do_anything() {
        assert_eq!(effect("frobnicate"), UNKNOWN);
        assert!(effect("__isoc99_sscanf").writes.contains(2));
        assert_eq!(effect("printf").world, World::Output);
        assert_eq!(effect("strlen").world, World::Nothing);
        assert!(effect("llvm.memcpy.p0.p0.i64").writes.contains(0));
    }
}
