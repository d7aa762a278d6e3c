//! Which environment variables belong to a test.
//!
//! Those that the suite set: the differences from the environment the suite itself was started in.
//! Variables that a shell or `make` sets on its own say nothing about the test, and variables that
//! say where things are on this machine would make it fail on another.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStringExt;

/// Variables and their values.
pub(crate) type Environment = BTreeMap<Vec<u8>, Vec<u8>>;

/// Set by a shell or by `make` for itself.
const BY_ITSELF: &[&str] = &[
    "-*-command-variables-*-",
    "BASHOPTS",
    "CURDIR",
    "GNUMAKEFLAGS",
    "MAKE",
    "MAKEFILES",
    "MAKEFILE_LIST",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MAKE_COMMAND",
    "MAKE_TERMERR",
    "MAKE_TERMOUT",
    "MFLAGS",
    "OLDPWD",
    "PWD",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "_",
];

/// Variables that name places on this machine, or that the lab which runs the test fixes.
const OF_THE_MACHINE: &[&str] = &[
    "HOME",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "PATH",
    "TEMP",
    "TMP",
    "TMPDIR",
    "abs_builddir",
    "abs_srcdir",
    "abs_top_builddir",
    "abs_top_srcdir",
    "builddir",
    "srcdir",
    "top_builddir",
    "top_srcdir",
];

/// The environment of this process.
pub(crate) fn of_this_process() -> Environment {
    std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
}

/// The variables that the caller added to `baseline` or changed in it.
pub(crate) fn set_by_caller(baseline: &Environment, now: Environment) -> Environment {
    let differs = |name: &Vec<u8>, value: &Vec<u8>| baseline.get(name) != Some(value);
    now.into_iter().filter(|(name, value)| differs(name, value) && belongs_to_test(name)).collect()
}

fn belongs_to_test(name: &[u8]) -> bool {
    let listed = |names: &[&str]| names.iter().any(|listed| listed.as_bytes() == name);
    !listed(BY_ITSELF) && !listed(OF_THE_MACHINE) && !name.starts_with(b"BASH_FUNC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(entries: &[(&str, &str)]) -> Environment {
        entries.iter().map(|&(name, value)| (name.into(), value.into())).collect()
    }

    fn check(baseline: &[(&str, &str)], now: &[(&str, &str)], expected: &[(&str, &str)]) {
        let found = set_by_caller(&environment(baseline), environment(now));
        assert_eq!(found, environment(expected));
    }

    #[test]
    fn keeps_what_was_added_or_changed() {
        check(&[("A", "1")], &[("A", "1"), ("B", "")], &[("B", "")]);
        check(&[("LANG", "C")], &[("LANG", "fr")], &[("LANG", "fr")]);
        check(&[("A", "1")], &[], &[]);
    }

    #[test]
    fn drops_what_shells_make_and_the_machine_set() {
        check(&[], &[("PWD", "/x"), ("MAKELEVEL", "1"), ("PATH", "/bin"), ("_", "x")], &[]);
        check(&[], &[("BASH_FUNC_f%%", "() { :; }"), ("TZ", "UTC")], &[("TZ", "UTC")]);
    }
}
