//! Distances of branches to a place.

use super::subject::Subject;

/// The first paper's program: the second decision is independent of the change.
pub(crate) const THREE_BRANCHES: &str = r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int x = argc - 3, y, o;
    if (x > 0) {                 /*@seven*/
        y = 2;                   /*@change*/
        if (x - y > 0)           /*@nine*/
            o = y;               /*@ten*/
        else
            o = 0;               /*@twelve*/
    } else
        o = -1;                  /*@fourteen*/
    if (x > 20)                  /*@sixteen*/
        o = 10;                  /*@seventeen*/
    printf("%d\n", o);           /*@output*/
    return 0;
}
"#;

#[test]
fn only_the_decision_that_controls_the_change_helps() {
    let subject = Subject::new(THREE_BRANCHES);
    let distances = subject.distances("change");
    assert_eq!(subject.ways(&distances, "seven"), [Some(1), None]);
    assert_eq!(subject.ways(&distances, "sixteen"), [None, None]);
    assert_eq!(subject.ways(&distances, "nine"), [None, None]);
    let distances = subject.distances("ten");
    assert_eq!(subject.ways(&distances, "nine"), [Some(1), None]);
    assert_eq!(subject.ways(&distances, "seven"), [Some(2), None]);
}

#[test]
fn calls_cost_nothing() {
    let subject = Subject::new(
        r#"
static int deep(int a) {
    if (a == 7)                  /*@deep*/
        return 1;                /*@place*/
    return 0;
}
static int middle(int a) { return deep(a); }
int main(int argc, char **argv) {
    if (argc > 2)                /*@outer*/
        return middle(argc);
    return 2;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "deep"), [Some(1), None]);
    assert_eq!(subject.ways(&distances, "outer"), [Some(2), None]);
}

#[test]
fn what_follows_a_check_that_may_exit_depends_on_the_check() {
    let subject = Subject::new(
        r#"
void exit(int);
static void need(int ok) {
    if (ok == 0)                 /*@check*/
        exit(1);
}
static int count;
static void plain(int a) {
    if (a)                       /*@plain*/
        count++;
}
int main(int argc, char **argv) {
    plain(argc);
    need(argc > 3);
    count = 5;                   /*@place*/
    return 0;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "check"), [None, Some(1)]);
    assert_eq!(subject.ways(&distances, "plain"), [None, None]);
}

#[test]
fn that_a_call_comes_back_helps_no_other_call() {
    let subject = Subject::new(
        r#"
void exit(int);
static void need(int ok) {
    if (ok == 0)                 /*@check*/
        exit(1);
}
int main(int argc, char **argv) {
    int done = 0;
    need(argc > 3);
    done = 5;                    /*@place*/
    if (argc > 7) {              /*@after*/
        need(argc > 9);
        done = 6;                /*@other*/
    }
    return done;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "check"), [None, Some(1)]);
    assert_eq!(subject.ways(&distances, "after"), [None, None]);
    let distances = subject.distances("other");
    assert_eq!(subject.ways(&distances, "after"), [Some(1), None]);
}

#[test]
fn jumps_out_of_functions_lead_to_where_they_land() {
    let subject = Subject::new(
        r#"
#include <setjmp.h>
static jmp_buf there;
static void deep(int a) {
    if (a == 4)                  /*@jump*/
        longjmp(there, 1);
}
int main(int argc, char **argv) {
    if (setjmp(there)) {         /*@again*/
        return 9;                /*@place*/
    }
    deep(argc);
    return 0;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "jump"), [Some(2), None]);
    // One way leads to the jump, and the jump back to here.
    assert_eq!(subject.ways(&distances, "again"), [Some(1), Some(3)]);
}

#[test]
fn loops_that_are_entered_in_the_middle_and_switches_that_fall_through() {
    let subject = Subject::new(
        r#"
int main(int argc, char **argv) {
    int i = 0, n = 0;
    if (argc > 2)                /*@into*/
        goto middle;
    while (i < argc) {           /*@loop*/
        n++;
middle:
        i++;
        if (i == 5)              /*@five*/
            n = 7;               /*@place*/
    }
    switch (n) {                 /*@switch*/
    case 1: i = 2;
    case 2: i = 3;               /*@two*/
    case 3: i = 4; break;        /*@three*/
    default: i = 5;
    }
    return i;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "five"), [Some(1), None]);
    assert_eq!(subject.ways(&distances, "loop"), [Some(2), None]);
    assert_eq!(subject.ways(&distances, "into"), [Some(2), None]);
    let distances = subject.distances("two");
    // The default comes first, then the cases.
    assert_eq!(subject.ways(&distances, "switch"), [None, Some(1), Some(1), None]);
    let distances = subject.distances("three");
    assert_eq!(subject.ways(&distances, "switch"), [None, Some(1), Some(1), Some(1)]);
}

#[test]
fn recursion_and_function_pointers() {
    let subject = Subject::new(
        r#"
static int odd(int n);
static int even(int n) {
    if (n == 0)                  /*@even*/
        return 1;
    return odd(n - 1);
}
static int odd(int n) {
    if (n == 0)                  /*@odd*/
        return 0;                /*@place*/
    return even(n - 1);
}
static int other(int n) { return n; }
int main(int argc, char **argv) {
    int (*function)(int) = argc > 2 ? even : other;
    if (argc > 1)                /*@calls*/
        return function(argc);
    return 0;
}
"#,
    );
    let distances = subject.distances("place");
    assert_eq!(subject.ways(&distances, "odd"), [Some(1), Some(3)]);
    assert_eq!(subject.ways(&distances, "even"), [None, Some(2)]);
    assert_eq!(subject.ways(&distances, "calls"), [Some(3), None]);
}

#[test]
fn what_gives_a_decision_its_value_is_a_step_from_it() {
    let subject = Subject::new(
        r#"
int getchar(void);
static int opened, level;
static int parse(int a) {
    if (a != '(')                /*@parse*/
        return 0;
    level++;
    return 1;
}
int main(void) {
    int c, quiet = 0;
    while ((c = getchar()) > 0) {
        if (c == 'q')            /*@quiet*/
            quiet = 1;
        else if (c == 'o')       /*@open*/
            opened = 1;
        else if (c == 'c')       /*@close*/
            opened = 0;
        if (!parse(c))           /*@parsed*/
            continue;
        if (!quiet && opened)    /*@decision*/
            return 1;            /*@place*/
    }
    return 0;
}
"#,
    );
    let plain = subject.distances("place");
    for name in ["parse", "open", "close", "quiet"] {
        assert_eq!(subject.ways(&plain, name), [None, None], "{name}");
    }
    let through = subject.distances_through_values("place");
    let ways = |name| subject.ways(&through, name);
    let is_nearer = |one: Option<u32>, other: Option<u32>| {
        one.is_some_and(|one| other.is_none_or(|other| one < other))
    };
    // An opening character helps; a closing or neutral one may only lead to another round.
    assert_eq!(ways("open")[0], Some(3));
    assert!(is_nearer(ways("open")[0], ways("open")[1]));
    assert!(is_nearer(ways("open")[0], ways("close")[0]));
    assert!(is_nearer(ways("open")[0], ways("quiet")[0]));
    // For a parenthesis the function returns a value that lets the program go on.
    assert!(is_nearer(ways("parse")[1], ways("parse")[0]));
}

#[test]
fn what_keeps_a_flag_from_saying_that_something_failed_leads_on() {
    let subject = Subject::new(
        r#"
int getchar(void);
static int failed;
static void oops(void) { failed = 1; }
static int digit(int c) {
    if (c < '0' || c > '9') {    /*@digit*/
        oops();
        return 0;
    }
    return c - '0';
}
static int line(void) {
    int all = 0, done = 0, c;
    while ((c = getchar()) > 0 && !done) {   /*@loop*/
        all += digit(c);
        if (c == '7')            /*@seven*/
            done = 1;
    }
    return all;
}
int main(void) {
    int all = line();
    if (failed)                  /*@decision*/
        return 2;
    return all == 3;             /*@place*/
}
"#,
    );
    let plain = subject.distances("place");
    assert_eq!(subject.ways(&plain, "digit"), [None, None]);
    let through = subject.distances_through_values("place");
    // Too small for a digit is a failure; the other way may go on.
    assert_eq!(subject.ways(&through, "digit"), [None, Some(2)]);
    // Calling the function is no failure: that depends on the callee.
    assert_eq!(subject.ways(&through, "loop"), [None, None]);
}
