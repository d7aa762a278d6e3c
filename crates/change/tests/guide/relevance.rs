//! Irrelevant branches.

use std::collections::BTreeSet;

use super::subject::{Subject, names};

/// The second paper's state machine.
const STATE_MACHINE: &str = r#"
int test(const char *c, int length, int n) {
    int state = 0;
    if (length == 0)                           /*@2*/
        return -1;
    for (int i = 0; i < length; i++) {         /*@4*/
        if (c[i] == '{') state = 1;
        else if (state == 1) state = 2;
        else if (state == 2) state = 3;
        else if (state == 3) {
            state = 4;
            if (length == 15)                  /*@10*/
                state = state + n;             /*@11*/
        }
        if (c[i] == ' ')                       /*@12*/
            return 0;
        if (c[i] > 'z') {                      /*@14*/
            return 0;
        }
    }
    if (c[15] == '}')                          /*@16*/
        return state;
    return -1;
}
int main(int argc, char **argv) { return test(argv[1], argc, argc); }
"#;

/// The ways that are irrelevant: the name of the line and the way, 0 for true.
fn irrelevant(subject: &Subject, after: bool, places: &str) -> BTreeSet<String> {
    let relevance = subject.relevance(places);
    let mut found = BTreeSet::new();
    for (function, block, way) in parallax_change::ways(&subject.whole) {
        let is_irrelevant = match after {
            false => relevance.is_irrelevant_before(&subject.whole, function, block, way),
            true => relevance.is_irrelevant_after(&subject.whole, function, block, way),
        };
        if is_irrelevant {
            let contents = &subject.program.at(function).blocks[block.0 as usize];
            // The front end's own decisions are on no line.
            let location = contents.instructions.last().unwrap().location;
            let line = location.map(|location| subject.name(location.line));
            found.extend(line.map(|line| format!("{line}.{way}")));
        }
    }
    found
}

#[test]
fn the_state_machine_has_six_irrelevant_edges() {
    let subject = Subject::new(STATE_MACHINE);
    let expected = names(&["2.0", "4.1", "12.0", "14.0", "16.0", "16.1"]);
    assert_eq!(irrelevant(&subject, false, "10"), expected);
    assert_eq!(irrelevant(&subject, true, "10"), names(&["2.0"]));
}

#[test]
fn calls_match_returns() {
    // Both branches call the helper: returning from it to the other side is infeasible.
    let subject = Subject::new(
        r#"
static int help(int a) {
    if (a > 5)                   /*@help*/
        return 1;
    return 0;
}
static int state;
int main(int argc, char **argv) {
    if (argc > 2) {              /*@branch*/
        help(argc);
        state = 1;               /*@place*/
    } else {
        help(argc);
        if (argc == 1)           /*@other*/
            state = 2;
    }
    return state;
}
"#,
    );
    let found = irrelevant(&subject, false, "place");
    assert_eq!(found, names(&["branch.1", "other.0", "other.1"]));
    assert_eq!(irrelevant(&subject, true, "place"), found);
}

#[test]
fn what_ends_the_program_leads_nowhere_but_to_its_handlers() {
    let subject = Subject::new(
        r#"
void exit(int);
int atexit(void (*)(void));
static int state;
static void done(void) { state = 3; /*@place*/ }
int main(int argc, char **argv) {
    if (argc > 5)                /*@early*/
        __builtin_trap();
    atexit(done);
    if (argc > 2)                /*@exit*/
        exit(1);
    return 0;
}
"#,
    );
    assert_eq!(irrelevant(&subject, false, "place"), names(&["early.0"]));
}
