//! Memory errors, as AddressSanitizer reports them.

use std::fmt;

use parallax_run::{Ending, Observation};

/// The exit status of a build that checks memory accesses when there was an error: the status that
/// AddressSanitizer uses by default is 1, which programs use themselves.
pub const MEMORY_ERROR_STATUS: i32 = 86;

/// Errors that a program has wherever its memory lies. Errors that depend on that, such as on the
/// room on the stack or on whether an address happens to be mapped, say nothing about another
/// version.
const KINDS: &[&str] = &[
    "heap-buffer-overflow",
    "stack-buffer-overflow",
    "stack-buffer-underflow",
    "dynamic-stack-buffer-overflow",
    "global-buffer-overflow",
    "heap-use-after-free",
    "stack-use-after-return",
    "stack-use-after-scope",
    "double-free",
    "bad-free",
    "negative-size-param",
    "memcpy-param-overlap",
    "strcpy-param-overlap",
    "strncpy-param-overlap",
    "strcat-param-overlap",
    "strncat-param-overlap",
];

/// An access of a program to memory that is not its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryError {
    /// AddressSanitizer's word for it.
    pub kind: String,
    /// The file and line of the program, if they are known.
    pub place: Option<(String, u32)>,
}

impl MemoryError {
    /// The error that ended a run of a build that checks memory accesses.
    pub fn of(run: &Observation) -> Option<MemoryError> {
        if run.ending != Ending::Exit(MEMORY_ERROR_STATUS) {
            return None;
        }
        let text = String::from_utf8_lossy(&run.stderr.bytes);
        let summary =
            text.lines().find_map(|line| line.strip_prefix("SUMMARY: AddressSanitizer: "));
        // An error may have overwritten the subject of the rest of the report: then there is no
        // summary.
        let headline =
            || text.lines().find_map(|line| Some(line.split_once("ERROR: AddressSanitizer: ")?.1));
        let told = summary.or_else(headline)?;
        let kind = told.split_whitespace().next()?.trim_end_matches(':').to_owned();
        Some(MemoryError { kind, place: text.lines().find_map(place) })
    }

    /// Whether it is independent of where memory happens to lie.
    pub fn is_certain(&self) -> bool {
        KINDS.contains(&self.kind.as_str())
    }
}

/// The place of a frame of the stack, `#0 0x55 in main /src/a.c:4:30`, if it is one of the program.
fn place(frame: &str) -> Option<(String, u32)> {
    let path = frame.trim_start().strip_prefix('#')?.split_whitespace().last()?;
    let mut parts = path.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    column.parse::<u32>().ok()?;
    let is_own = !file.contains("compiler-rt/lib/");
    let name = file.rsplit('/').next().unwrap_or(file).to_owned();
    Some((name, line.parse().ok()?)).filter(|_| is_own)
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        match &self.place {
            Some((file, line)) => write!(f, " at {file}:{line}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use parallax_run::Captured;

    use super::*;

    fn run(status: i32, stderr: &str) -> Observation {
        Observation {
            ending: Ending::Exit(status),
            stdout: Captured::default(),
            stderr: Captured::whole(stderr.as_bytes()),
            files: BTreeMap::new(),
        }
    }

    const REPORT: &str = "\
what the program says
==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x502000000014 at pc 0x55
WRITE of size 9 at 0x502000000014 thread T0
    #0 0x55a0 in strcpy ./build-llvm/./compiler-rt/lib/asan/asan_interceptors.cpp:445:5
    #1 0x55b1 in main /src/cut.c:12:3
    #2 0x7f01  (/lib/libc.so.6+0x2724a)
SUMMARY: AddressSanitizer: heap-buffer-overflow /src/cut.c:12:3 in strcpy
";

    #[test]
    fn an_error_is_told_by_its_kind_and_its_place_in_the_program() {
        let error = MemoryError::of(&run(MEMORY_ERROR_STATUS, REPORT));
        let error = error.expect("there is one");
        assert_eq!(error.to_string(), "heap-buffer-overflow at cut.c:12");
        assert!(error.is_certain());
    }

    #[test]
    fn an_error_that_breaks_off_the_report_is_told_all_the_same() {
        let (begun, _) = REPORT.split_once("SUMMARY").expect("there is one");
        let broken = format!("{begun}AddressSanitizer: CHECK failed: sanitizer_common.h:524\n");
        let error = MemoryError::of(&run(MEMORY_ERROR_STATUS, &broken));
        assert_eq!(error.map(|error| error.kind).as_deref(), Some("heap-buffer-overflow"));
    }

    #[test]
    fn what_a_program_prints_itself_is_no_error() {
        assert_eq!(MemoryError::of(&run(1, REPORT)), None);
        assert_eq!(MemoryError::of(&run(MEMORY_ERROR_STATUS, "no such file\n")), None);
    }

    #[test]
    fn what_is_up_to_where_memory_lies_is_not_certain() {
        let deep = REPORT.replace("heap-buffer-overflow", "stack-overflow");
        let error = MemoryError::of(&run(MEMORY_ERROR_STATUS, &deep));
        assert!(error.is_some_and(|error| !error.is_certain()));
    }
}
