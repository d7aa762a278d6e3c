//! Interacting changes.

use parallax_change::{ChangeSequenceGraph, Material, Stop};
use parallax_program::dependence::{Extent, Follow};

use super::subject::{Subject, names};

/// The third paper's parser of ranges.
const RANGES: &str = r#"
void abort(void);
int main(int argc, char **argv) {
    const char *fs = argv[1];
    int v = 0, init = 1, c;
    int lhs = 0;                           /*@1*/
    while (1) {
        if (*fs >= '0') {                  /*@3*/
            v = *fs - '0';                 /*@4*/
            lhs = 1;                       /*@5*/
        } else if (*fs == '-') {           /*@6*/
            c = lhs;                       /*@7*/
            init = c ? v : 1;              /*@8*/
        } else if (*fs == 0) {             /*@9*/
            if (init == 0)                 /*@10*/
                abort();
            break;
        }
        fs++;
    }
    return 0;
}
"#;

fn graph(subject: &Subject, changes: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let dependence = subject.dependence();
    let sites: Vec<_> = changes.iter().map(|change| subject.sites(change)).collect();
    let slice = |from: &Vec<_>| dependence.slice(from, Follow::Dependents, Extent::All);
    let affected: Vec<_> = sites.iter().map(slice).collect();
    let graph = ChangeSequenceGraph::new(&Material {
        whole: &subject.whole,
        dependence: &dependence,
        statements: &subject.statements,
        changes: &sites,
        affected: &affected,
    });
    let line = |statement| {
        let location = subject.statements.get(statement).location.unwrap();
        subject.name(location.line)
    };
    let stop = |stop: &Stop| match stop {
        Stop::Change(index) => changes[*index].to_owned(),
        Stop::Interaction(statement) => format!("meet {}", line(*statement)),
        Stop::Output(statement) => format!("output {}", line(*statement)),
    };
    let meetings = graph.interactions.iter().map(|(statement, met)| {
        let met: Vec<_> = met.iter().map(|index| changes[*index]).collect();
        format!("{}: {}", line(*statement), met.join(" "))
    });
    let edges = graph.edges.iter().map(|(from, to)| format!("{} -> {}", stop(from), stop(to)));
    let first = graph.first.iter().map(|index| changes[*index].to_owned());
    (meetings.collect(), edges.collect(), first.collect())
}

#[test]
fn the_changes_of_the_parser_meet_where_the_last_of_them_uses_the_others() {
    let subject = Subject::new(RANGES);
    let (meetings, edges, first) = graph(&subject, &["1", "5", "7"]);
    // Line 8, which the paper names, depends on the same ones and directly on line 7.
    assert_eq!(meetings, ["7: 1 5 7"]);
    assert_eq!(first, ["1"]);
    for edge in
        ["1 -> 5", "1 -> 7", "5 -> 5", "5 -> 7", "7 -> meet 7", "meet 7 -> 5", "meet 7 -> 7"]
    {
        assert!(edges.contains(&edge.to_owned()), "{edge} in {edges:?}");
    }
    assert!(!edges.contains(&"7 -> 5".to_owned()), "{edges:?}");
    let (meetings, ..) = graph(&subject, &["4", "7"]);
    assert_eq!(meetings, ["8: 4 7"]);
}

#[test]
fn an_output_follows_those_changes_only_that_it_depends_on() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int a = argc;                /*@a*/
    int b = argc + 1;            /*@b*/
    printf("%d\n", a);           /*@shows_a*/
    printf("%d\n", b);           /*@shows_b*/
    printf("%d\n", a + b);       /*@both*/
    return 0;
}
"#,
    );
    let (meetings, edges, first) = graph(&subject, &["a", "b"]);
    assert_eq!(meetings, ["both: a b"]);
    assert_eq!(first, ["a"]);
    let edges: std::collections::BTreeSet<_> = edges.into_iter().collect();
    let expected = [
        "a -> b",
        "a -> meet both",
        "b -> meet both",
        "a -> output shows_a",
        "b -> output shows_b",
    ];
    assert_eq!(edges, names(&expected));
}

#[test]
fn an_output_does_not_hide_what_comes_after_it() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int a = argc;                /*@a*/
    printf("%d\n", a);           /*@first*/
    printf("%d\n", -a);          /*@second*/
    int b = argc + 1;            /*@b*/
    return a + b;                /*@sum*/
}
"#,
    );
    let (meetings, edges, _) = graph(&subject, &["a", "b"]);
    assert_eq!(meetings, ["sum: a b"]);
    for edge in ["a -> b", "a -> output first", "a -> output second", "b -> meet sum"] {
        assert!(edges.contains(&edge.to_owned()), "{edge} in {edges:?}");
    }
}

#[test]
fn a_change_that_decides_about_another_one_or_flows_into_it_meets_it_there() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int a = argc > 2;            /*@decides*/
    int b = argc + 7;            /*@flows*/
    if (a)
        printf("%d\n", argc + 5); /*@decided*/
    b += 3;                      /*@more*/
    printf("%d\n", b);
    return 0;
}
"#,
    );
    let (meetings, ..) = graph(&subject, &["decides", "decided"]);
    assert_eq!(meetings, ["decided: decides decided"]);
    let (meetings, ..) = graph(&subject, &["flows", "more"]);
    assert_eq!(meetings, ["more: flows more"]);
    let (meetings, ..) = graph(&subject, &["decides", "flows"]);
    assert!(meetings.is_empty(), "{meetings:?}");
}

#[test]
fn in_a_loop_the_change_that_others_flow_into_stands_for_all() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int step = argc;             /*@step*/
    int at = 0;
    while (at < 100) {           /*@test*/
        int next = at;
        next = next + step;      /*@next*/
        at = next;
    }
    printf("%d\n", at);
    return 0;
}
"#,
    );
    let (meetings, ..) = graph(&subject, &["step", "next"]);
    assert_eq!(meetings, ["next: step next"]);
}

#[test]
fn changes_in_functions_that_call_each_other_are_put_in_order() {
    let subject = Subject::new(
        r#"
static int total;
static void two(int n) { total += n;  /*@two*/ }
static void one(int n) {
    total = n;                   /*@one*/
    two(n + 1);
    if (n > 0)
        one(n - 1);
}
int main(int argc, char **argv) {
    one(argc);
    return total;                /*@result*/
}
"#,
    );
    let (_, edges, first) = graph(&subject, &["one", "two"]);
    assert_eq!(first, ["one"]);
    assert!(edges.contains(&"one -> two".to_owned()), "{edges:?}");
    assert!(edges.contains(&"two -> one".to_owned()), "{edges:?}");
    assert!(!edges.contains(&"two -> two".to_owned()), "{edges:?}");
}
