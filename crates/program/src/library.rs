//! Names with a meaning outside of a program, wherever they are defined.

/// Functions of the C library with semantics that optimisers know.
const FUNCTIONS: &str = include_str!("library_functions.txt");
/// Variables that the C library reads.
const VARIABLES: [&str; 20] = [
    "__environ",
    "argp_err_exit_status",
    "argp_program_bug_address",
    "argp_program_version",
    "argp_program_version_hook",
    "daylight",
    "environ",
    "error_message_count",
    "error_one_per_line",
    "error_print_progname",
    "malloc_conf",
    "obstack_alloc_failed_handler",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "re_syntax_options",
    "signgam",
    "timezone",
];

/// Whether an optimiser treats a function of this name as the library's.
pub fn is_known_function(name: &str) -> bool {
    FUNCTIONS.split_whitespace().any(|known| known == name)
}

/// Whether the C library reads a variable of this name.
pub fn is_known_variable(name: &str) -> bool {
    VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_a_whole() {
        assert!(is_known_function("isdigit") && is_known_function("truncl"));
        assert!(!is_known_function("digit") && !is_known_function(""));
        assert!(is_known_variable("opterr") && !is_known_variable("opt"));
    }
}
