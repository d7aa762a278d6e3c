//! Effects on pointers of functions without a body, by name.
//!
//! The table covers the C library as far as pointers are concerned: allocation, returned arguments,
//! callbacks. An unknown function may do anything with its arguments and everything reachable from
//! them.

use std::{collections::HashSet, sync::LazyLock};

use super::harmless::HARMLESS;

/// An effect of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It returns new memory.
    Fresh,
    /// It returns new memory whose size is the product of these arguments.
    FreshOf(&'static [usize]),
    /// It returns new memory with the contents that an argument points to.
    Renewed(usize),
    /// It stores the address of new memory where an argument points to.
    FreshAt(usize),
    /// It returns an argument.
    Same(usize),
    /// It returns an address in the object that an argument points into.
    Into(usize),
    /// It returns the address of its own memory.
    Own,
    /// It stores the address of its own memory where an argument points to.
    OwnAt(usize),
    /// It stores an address into the second argument's object where the first argument points to.
    IntoAt(usize, usize),
    /// It copies bytes.
    Copies {
        /// The argument that points to the copy.
        to: usize,
        /// The argument that points to the original.
        from: usize,
        /// The argument with the size.
        size: Option<usize>,
    },
    /// It registers an argument with the library for good.
    Keep(usize),
    /// It returns a registered argument.
    Kept,
    /// It returns the contents of an argument's target.
    Held(usize),
    /// It stores the contents of an argument's target in a variable of the library.
    Name(&'static str, usize),
    /// It calls an argument.
    Call(usize, &'static [Given]),
    /// It calls the contents of an argument's target.
    CallHeld(usize, &'static [Given]),
    /// It starts reading the unnamed arguments.
    Variadic(usize),
}

/// An argument of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// An argument of the registering call.
    Argument(usize),
    /// An element of the array that such an argument points to; another one is its size.
    Element(usize, usize),
    /// Memory of the library.
    Own,
    /// A value without addresses.
    Number,
}

use Effect::{
    Call, CallHeld, Copies, Fresh, FreshAt, FreshOf, Held, Into, IntoAt, Keep, Kept, Name, Own,
    OwnAt, Renewed, Same, Variadic,
};

/// The effects of a function; `None` if it is unknown.
pub(super) fn effects(name: &str) -> Option<&'static [Effect]> {
    let name = plain(name);
    allocating(name)
        .or_else(|| returning(name))
        .or_else(|| storing(name))
        .or_else(|| calling(name))
        .or_else(|| owning(name))
        .or_else(|| intrinsic(name))
        .or_else(|| is_harmless(name).then_some(&[][..]))
}

/// A name without the decoration of checked versions and standards.
fn plain(name: &str) -> &str {
    let checked = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    let name = checked.unwrap_or(name);
    let versions = ["__isoc99_", "__isoc23_", "__xpg_", "__gnu_"];
    let name = versions.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
    name.strip_suffix("_unlocked").unwrap_or(name)
}

fn allocating(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "malloc" | "valloc" | "_Znwm" | "_Znam" => &[FreshOf(&[0])],
        "memalign" | "aligned_alloc" => &[FreshOf(&[1])],
        "calloc" => &[FreshOf(&[0, 1])],
        "pvalloc"
        | "strdup"
        | "strndup"
        | "wcsdup"
        | "__strdup"
        | "__strndup"
        | "fopen"
        | "fopen64"
        | "fdopen"
        | "popen"
        | "tmpfile"
        | "tmpfile64"
        | "fmemopen"
        | "opendir"
        | "fdopendir"
        | "tempnam"
        | "mmap"
        | "mmap64"
        | "newlocale"
        | "duplocale"
        | "get_current_dir_name"
        | "canonicalize_file_name"
        | "dlopen"
        | "iconv_open"
        | "setmntent"
        | "if_nameindex"
        | "opendir64"
        | "gzopen"
        | "gzopen64"
        | "gzdopen" => &[Fresh],
        "realloc" => &[FreshOf(&[1]), Renewed(0)],
        "reallocarray" => &[FreshOf(&[1, 2]), Renewed(0)],
        "mremap" => &[Fresh, Renewed(0)],
        "freopen" | "freopen64" => &[Same(2)],
        "getcwd" | "getwd" | "tmpnam" => &[Same(0), Fresh],
        "realpath" => &[Same(1), Fresh],
        "posix_memalign" | "asprintf" | "vasprintf" | "open_memstream" | "getline" | "getdelim"
        | "__getdelim" => &[FreshAt(0)],
        "scandir" | "scandir64" => {
            &[FreshAt(1), Call(2, &[Given::Own]), Call(3, &[Given::Own, Given::Own])]
        }
        "getaddrinfo" => &[FreshAt(3)],
        _ => return None,
    })
}

/// Functions that return an argument, or a place in it.
fn returning(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "memcpy" | "memmove" => &[Copies { to: 0, from: 1, size: Some(2) }, Same(0)],
        "mempcpy" | "__mempcpy" => &[Copies { to: 0, from: 1, size: Some(2) }, Into(0)],
        "bcopy" => &[Copies { to: 1, from: 0, size: Some(2) }],
        "wmemcpy" | "wmemmove" => &[Copies { to: 0, from: 1, size: None }, Same(0)],
        "memccpy" | "wmempcpy" => &[Copies { to: 0, from: 1, size: None }, Into(0)],
        "memset" | "wmemset" | "strcpy" | "strncpy" | "strcat" | "strncat" | "wcscpy"
        | "wcsncpy" | "wcscat" | "wcsncat" | "fgets" | "fgetws" | "gets" | "strfry" | "memfrob" => {
            &[Same(0)]
        }
        "stpcpy" | "stpncpy" | "__stpcpy" | "__stpncpy" | "wcpcpy" | "wcpncpy" | "strchr"
        | "strrchr" | "strchrnul" | "strstr" | "strcasestr" | "strpbrk" | "memchr" | "memrchr"
        | "rawmemchr" | "memmem" | "__rawmemchr" | "index" | "rindex" | "wcschr" | "wcsrchr"
        | "wcsstr" | "wcspbrk" | "wmemchr" | "wcschrnul" | "basename" | "__xpg_basename"
        | "dirname" => &[Into(0)],
        "strtok" => &[Into(0), Keep(0), Kept],
        "bindtextdomain" | "bind_textdomain_codeset" => &[Own, Same(1)],
        "gettext" | "textdomain" => &[Own, Same(0)],
        "dgettext" | "dcgettext" => &[Own, Same(1)],
        "ngettext" => &[Own, Same(0), Same(1)],
        "dngettext" | "dcngettext" => &[Own, Same(1), Same(2)],
        "inet_ntop" => &[Same(2)],
        "gzgets" => &[Same(1)],
        "strerror_r" | "ctime_r" | "asctime_r" | "strsignal_r" => &[Own, Same(1)],
        "localtime_r" | "gmtime_r" => &[Same(1), OwnAt(1)],
        "uselocale" => &[Same(0), Own],
        _ => return None,
    })
}

/// Functions that store addresses through their arguments, or keep them.
fn storing(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold"
        | "strtoimax" | "strtoumax" | "strtoq" | "strtouq" | "wcstol" | "wcstoul" | "wcstoll"
        | "wcstoull" | "wcstod" | "wcstof" | "wcstold" | "wcstoimax" | "wcstoumax" => {
            &[IntoAt(1, 0)]
        }
        "strsep" => &[Held(0)],
        "strtok_r" | "__strtok_r" => &[Into(0), IntoAt(2, 0), Held(2)],
        "wcstok" => &[Into(0), IntoAt(2, 0), Held(2)],
        "getopt" | "getopt_long" | "getopt_long_only" => &[Name("optarg", 1)],
        "getsubopt" => &[],
        "setvbuf" | "setbuf" | "setbuffer" => &[Keep(1)],
        "putenv" => &[Keep(0)],
        "sigaltstack" => &[],
        "pthread_setspecific" => &[Keep(1)],
        "pthread_getspecific" => &[Own, Kept],
        "mbsrtowcs" | "mbsnrtowcs" | "wcsrtombs" | "wcsnrtombs" => &[],
        "getpwnam_r" | "getpwuid_r" | "getgrnam_r" | "getgrgid_r" => &[OwnAt(1), IntoAt(4, 1)],
        "readdir_r" | "readdir64_r" => &[IntoAt(2, 1)],
        "iconv" => &[],
        "deflateInit_" | "deflateInit2_" | "inflateInit_" | "inflateInit2_" => &[OwnAt(0)],
        "regcomp" => &[OwnAt(0)],
        "re_compile_pattern" => &[OwnAt(2), Own],
        "glob" | "glob64" => &[FreshAt(3)],
        "wordexp" => &[FreshAt(1)],
        _ => return None,
    })
}

/// Functions with callbacks.
fn calling(name: &str) -> Option<&'static [Effect]> {
    use Given::{Argument, Number};
    const TWO: &[Given] = &[Given::Element(0, 2), Given::Element(0, 2)];
    Some(match name {
        "qsort" => &[Call(3, TWO)],
        "qsort_r" => &[Call(3, &[Given::Element(0, 2), Given::Element(0, 2), Argument(4)])],
        "bsearch" => &[Into(1), Call(4, &[Argument(0), Given::Element(1, 3)])],
        "lfind" | "lsearch" => &[Into(1), Same(0), Call(4, &[Argument(0), Given::Element(1, 3)])],
        "tsearch" => &[Keep(0), Own, Kept, Call(2, &[Argument(0), Given::Own])],
        "tfind" | "tdelete" => &[Own, Kept, Call(2, &[Argument(0), Given::Own])],
        "twalk" => &[Call(1, &[Given::Own, Number, Number])],
        "tdestroy" => &[Call(1, &[Given::Own])],
        "atexit" | "at_quick_exit" => &[Call(0, &[])],
        "on_exit" => &[Call(0, &[Number, Argument(1)])],
        "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" | "sigset" => {
            &[Call(1, &[Number]), Keep(1), Kept]
        }
        "sigaction" => &[CallHeld(1, &[Number, Given::Own, Given::Own]), OwnAt(2)],
        "pthread_create" => &[Call(2, &[Argument(3)])],
        "pthread_once" => &[Call(1, &[])],
        "pthread_key_create" => &[Call(1, &[Given::Own])],
        "pthread_atfork" => &[Call(0, &[]), Call(1, &[]), Call(2, &[])],
        "pthread_cleanup_push" => &[Call(0, &[Argument(1)])],
        "ftw" | "ftw64" | "nftw" | "nftw64" => {
            &[Call(1, &[Given::Own, Given::Own, Number, Given::Own])]
        }
        "makecontext" => &[Call(1, &[])],
        "__cxa_atexit" => &[Call(0, &[Argument(1)])],
        _ => return None,
    })
}

/// Functions that return memory of their own.
fn owning(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "__errno_location"
        | "__ctype_b_loc"
        | "__ctype_tolower_loc"
        | "__ctype_toupper_loc"
        | "__h_errno_location"
        | "localeconv"
        | "nl_langinfo"
        | "nl_langinfo_l"
        | "setlocale"
        | "strerror"
        | "strsignal"
        | "strerror_l"
        | "sigabbrev_np"
        | "sigdescr_np"
        | "strerrorname_np"
        | "strerrordesc_np"
        | "gmtime"
        | "localtime"
        | "ctime"
        | "asctime"
        | "getpwnam"
        | "getpwuid"
        | "getpwent"
        | "getgrnam"
        | "getgrgid"
        | "getgrent"
        | "getservbyname"
        | "getservbyport"
        | "gethostbyname"
        | "gethostbyaddr"
        | "getprotobyname"
        | "readdir"
        | "readdir64"
        | "ttyname"
        | "getlogin"
        | "ctermid"
        | "cuserid"
        | "dlerror"
        | "gai_strerror"
        | "hstrerror"
        | "inet_ntoa"
        | "getmntent"
        | "getutent"
        | "getutxent"
        | "gnu_get_libc_version"
        | "zlibVersion"
        | "zError"
        | "gzerror"
        | "getspnam"
        | "crypt"
        | "getpass"
        | "l64a"
        | "ecvt"
        | "fcvt"
        | "gcvt"
        | "getusershell"
        | "fgetpwent"
        | "fgetgrent"
        | "sbrk"
        | "shmat"
        | "get_crc_table"
        | "re_comp"
        | "ptsname" => &[Own],
        "dlsym" | "dlvsym" => &[Own, Kept],
        "getenv" | "secure_getenv" | "__secure_getenv" => &[Own, Kept],
        _ => return None,
    })
}

/// Intrinsics that the compiler inserts.
fn intrinsic(name: &str) -> Option<&'static [Effect]> {
    let name = name.strip_prefix("llvm.")?;
    let starts = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    Some(if starts(&["memcpy", "memmove"]) {
        &[Copies { to: 0, from: 1, size: Some(2) }]
    } else if starts(&["va_start"]) {
        &[Variadic(0)]
    } else if starts(&["va_copy"]) {
        &[Copies { to: 0, from: 1, size: None }]
    } else if starts(&["expect", "launder.", "strip.", "ssa.copy", "ptr.annotation"]) {
        &[Same(0)]
    } else if starts(&["ptrmask"]) {
        &[Into(0)]
    } else if starts(&["threadlocal.address"]) {
        &[Same(0)]
    } else {
        &[]
    })
}

/// Whether a function neither returns, stores, keeps nor calls its arguments.
fn is_harmless(name: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> = LazyLock::new(|| HARMLESS.split_whitespace().collect());
    TABLE.contains(name)
}
