//! Flags that gcc takes and clang does not.
//!
//! A build that was configured for gcc may pass them, and it must not fail for that. The other way
//! round, a configure script that *asks* whether a flag exists must hear no if gcc would say no.
//! So nothing is filtered in advance: only when clang refuses a flag is gcc asked, and only what
//! it accepts is left out. Where there is no gcc to ask, a list of its documented own flags answers.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    process::{Command, Stdio},
};

use crate::toolchain;

/// The words of `words` that clang refused in `stderr` and gcc would have accepted.
pub(crate) fn to_leave_out(words: &[OsString], stderr: &[u8]) -> Vec<OsString> {
    let refused = refused(&String::from_utf8_lossy(stderr));
    let mut found: Vec<OsString> = Vec::new();
    for word in words {
        let text = word.to_string_lossy();
        if refused.iter().any(|flag| *flag == text) && !found.contains(word) && gcc_takes(word) {
            found.push(word.clone());
        }
    }
    found
}

/// The flags that clang's errors name.
fn refused(stderr: &str) -> Vec<String> {
    stderr.lines().filter(|line| line.contains("error: ")).filter_map(refused_in_line).collect()
}

fn refused_in_line(line: &str) -> Option<String> {
    let message = line.split_once("error: ")?.1;
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let first = quoted.next()?;
    if message.starts_with("unsupported argument") || message.starts_with("invalid value") {
        let option = quoted.next()?;
        return Some(if option.ends_with(first) {
            option.into()
        } else {
            format!("{option}{first}")
        });
    }
    let names_flag = [
        "unknown argument",
        "unsupported option",
        "unknown warning option",
        "optimization flag",
        "argument unused during compilation",
        "unknown warning group",
    ];
    names_flag.iter().any(|start| message.starts_with(start)).then(|| first.to_string())
}

fn gcc_takes(flag: &OsStr) -> bool {
    let Some(gcc) = toolchain::on_path("gcc") else { return is_documented_by_gcc(flag) };
    let probe = Command::new(gcc)
        .arg(flag)
        .args(["-fsyntax-only", "-x", "c", "/dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    probe.is_ok_and(|status| status.success())
}

/// Flags from gcc's manual that clang does not have.
fn is_documented_by_gcc(flag: &OsStr) -> bool {
    const PREFIXES: &[&str] = &[
        "-fno-tree-",
        "-ftree-",
        "-fipa-",
        "-fno-ipa-",
        "-fira-",
        "-fno-ira-",
        "-fsched-",
        "-fgcse",
        "-fno-gcse",
        "-fmodulo-sched",
        "-floop-",
        "-fgraphite",
        "-fdelete-dead-exceptions",
        "-fpartial-inlining",
        "-fno-partial-inlining",
        "-fcrossjumping",
        "-fno-crossjumping",
        "-freorder-blocks",
        "-fno-reorder-",
        "-fconserve-stack",
        "-fno-conserve-stack",
        "-fvar-tracking",
        "-fno-var-tracking",
        "-fstack-clash-protection",
        "-fno-printf-return-value",
        "-fcallgraph-info",
        "-fallow-store-data-races",
        "-fno-allow-store-data-races",
        "-fno-aggressive-loop-optimizations",
        "-fno-cse-follow-jumps",
        "-fmerge-all-constants",
        "-fno-toplevel-reorder",
        "-fno-section-anchors",
        "-fcf-protection",
        "-fno-guess-branch",
        "-Wlogical-op",
        "-Wduplicated-",
        "-Wsuggest-attribute",
        "-Wstringop-",
        "-Walloc-",
        "-Wjump-misses-init",
        "-Wunsafe-loop-optimizations",
        "-Wtrampolines",
        "-Wvector-operation",
        "-Wsync-nand",
        "-Wnormalized",
        "-Wmaybe-uninitialized",
        "-Wformat-signedness",
        "-Wformat-overflow",
        "-Wformat-truncation",
        "-Wunused-const-variable",
        "-Wopenmp-simd",
        "-Warith-conversion",
        "-Wattribute-alias",
        "-Wdouble-promotion",
        "-Wpacked-bitfield",
        "-Wstack-usage",
        "-Wclobbered",
        "-Wanalyzer-",
        "-Wcast-align=strict",
        "-Wunused-but-set",
        "-mpreferred-stack-boundary",
        "-mno-fp-ret-in-387",
        "-maccumulate-outgoing-args",
        "-mindirect-branch",
        "-mfunction-return",
        "-mrecord-mcount",
        "--param",
    ];
    let flag = flag.as_bytes();
    PREFIXES.iter().any(|prefix| flag.starts_with(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, flag: Option<&str>) {
        assert_eq!(refused_in_line(line).as_deref(), flag, "{line}");
    }

    #[test]
    fn clangs_refusals_name_their_flag() {
        check("clang: error: unknown argument: '-fipa-pta'", Some("-fipa-pta"));
        check("clang: error: unknown argument '-fipa'; did you mean '-fipx'?", Some("-fipa"));
        check("clang: error: unsupported option '-mfoo' for target 'x86_64'", Some("-mfoo"));
        check("clang: error: unsupported argument 'x' to option '-fabi='", Some("-fabi=x"));
        check("error: invalid value 'gnu9x9' in '-std=gnu9x9'", Some("-std=gnu9x9"));
        check(
            "error: unknown warning option '-Wlogical-op' [-Werror,-Wunknown-warning-option]",
            Some("-Wlogical-op"),
        );
        check("a.c:3:5: error: use of undeclared identifier 'x'", None);
        check("a.c:3:5: warning: unknown argument: '-x'", None);
    }
}
