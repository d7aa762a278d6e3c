//! Effects of changes through diverted control flow.

use std::collections::BTreeSet;

use parallax_change::{Before, Definitions, Impact, changes, diverted};
use parallax_program::{Version, dependence::Slice};

use super::{
    subject::{Subject, names},
    support::{DEBUG, program},
};

/// The lines of the new version that the only change affects, and how many affected outputs are
/// gone. The new version is the old one with one text replaced.
fn affected(old: &str, from: &str, to: &str) -> (BTreeSet<String>, usize) {
    assert_eq!(old.matches(from).count(), 1);
    let text = old.replace(from, to);
    let version = |text: &str| Version::new(program(&[("a.c", text)], DEBUG));
    let (old, new) = (version(old), version(&text));
    let found = changes(&old.program, &new.program);
    let [change] = &found.changes[..] else { panic!("{:?}", found.changes) };
    let before = Before::of(&old.dependence(), &found.matching, change);
    let diverted = diverted(&old, &new, &found);
    let impact = Impact::of(
        &new,
        (&new.dependence(), &Definitions::new(&new.program)),
        &before,
        &diverted[0],
        change,
    );
    (lines(&text, &impact.affected), before.gone_outputs.len())
}

fn lines(text: &str, slice: &Slice) -> BTreeSet<String> {
    Subject::new(text).lines(slice)
}

#[test]
fn a_deleted_break_has_the_rest_of_the_loop_executed() {
    let text = r#"
int putchar(int); int getchar(void);
int main(void) {
    int c, n = 0;
    while ((c = getchar()) >= 0) {   /*@loop*/
        if (c == 'q')                /*@test*/
            break;
        n++;                         /*@count*/
    }
    putchar('.');                    /*@always*/
    putchar(n);                      /*@shows*/
    return 0;
}
"#;
    let (found, gone) = affected(text, "break;", ";");
    assert!(["loop", "count", "shows"].iter().all(|name| found.contains(*name)), "{found:?}");
    assert!(!found.contains("always"), "{found:?}");
    assert_eq!(gone, 0);
}

#[test]
fn a_missing_break_falls_into_the_next_case() {
    let text = r#"
int putchar(int);
int main(int argc, char **argv) {
    switch (argc) {
    case 1:
        putchar('a');                /*@a*/
        break;
    case 2:
        putchar('b');                /*@b*/
        break;
    default:
        putchar('c');                /*@c*/
    }
    putchar('.');                    /*@end*/
    return 0;
}
"#;
    let (found, _) = affected(text, "/*@a*/\n        break;", "/*@a*/");
    assert!(found.contains("b") && !found.contains("c") && !found.contains("end"), "{found:?}");
}

#[test]
fn a_deleted_case_leads_to_the_default_and_its_output_is_gone() {
    let text = r#"
int putchar(int);
int main(int argc, char **argv) {
    switch (argc) {
    case 1:
        putchar('a');                /*@a*/
        break;
    case 2: putchar('b'); break;
    default:
        putchar('c');                /*@c*/
    }
    putchar('.');                    /*@end*/
    return 0;
}
"#;
    let (found, gone) = affected(text, "case 2: putchar('b'); break;", "");
    assert_eq!((found, gone), (names(&["c"]), 1));
}

#[test]
fn what_follows_a_call_that_ended_the_program_is_executed_now() {
    let text = r#"
int putchar(int); void exit(int);
static void fail(int code) {
    putchar('!');                    /*@says*/
    exit(code);
}
int main(int argc, char **argv) {
    putchar('.');                    /*@start*/
    if (argc > 3)                    /*@test*/
        fail(2);                     /*@call*/
    putchar('o');                    /*@then*/
    return 0;                        /*@end*/
}
"#;
    let (found, gone) = affected(text, "    exit(code);\n", "");
    assert!(found.contains("then") && found.contains("end"), "{found:?}");
    assert!(!found.contains("start") && !found.contains("says"), "{found:?}");
    assert_eq!(gone, 1, "the status that the program ended with");
}

#[test]
fn an_added_statement_diverts_nothing() {
    let text = r#"
int putchar(int);
static int seen;
int main(int argc, char **argv) {
    putchar('a');                    /*@a*/
    ;
    putchar('b');                    /*@b*/
    return seen;                     /*@end*/
}
"#;
    let (found, gone) = affected(text, "    ;\n", "    seen = argc; /*@added*/\n");
    assert_eq!((found, gone), (names(&["added", "end"]), 0));
}
