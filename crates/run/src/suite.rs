//! Suites of test cases.
