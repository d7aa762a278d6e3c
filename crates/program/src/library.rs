//! Names that mean something outside of a program, whoever defines them.

/// Functions of the C library of which optimisers know what they do.
const FUNCTIONS: &str = include_str!("library_functions.txt");
/// Variables that the C library looks at.
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

/// Whether an optimiser takes a function of this name for the library's.
pub fn is_known_function(name: &str) -> bool {
    FUNCTIONS.split_whitespace().any(|known| known == name)
}

/// Whether the C library looks at a variable of this name.
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
