//! Dependences.

use std::time::Duration;

use parallax_deadline::Deadline;
use parallax_program::dependence::{Dependence, Extent, Follow};

use super::{
    distance::THREE_BRANCHES,
    subject::{Subject, names},
};

#[test]
fn the_change_of_three_branches_flows_to_the_output() {
    let subject = Subject::new(THREE_BRANCHES);
    let expected = names(&["change", "nine", "ten", "twelve", "output"]);
    assert_eq!(subject.dependents("change"), expected);
    let sources = subject.sources("ten");
    assert_eq!(sources, names(&["change", "seven", "nine", "ten"]));
}

#[test]
fn what_there_is_no_time_to_follow_is_all_that_control_can_reach() {
    let subject = Subject::new(THREE_BRANCHES);
    let over = Deadline::NEVER.within(Duration::ZERO);
    for name in ["change", "nine", "output"] {
        let slice = |dependence: Dependence<'_>| {
            dependence.slice(&subject.sites(name), Follow::Dependents, Extent::All)
        };
        let (whole, cut) = (slice(subject.dependence()), slice(subject.dependence().within(over)));
        assert!(cut.cut && !whole.cut);
        assert!(
            whole.sites.iter().all(|site| cut.sites.contains(site)),
            "{name}: nothing is missing"
        );
        let whole = subject.lines(&whole);
        assert!(whole.is_subset(&subject.lines(&cut)), "{name}");
    }
    // Earlier code is not reachable.
    let slice = subject.dependence().within(over);
    let slice = slice.slice(&subject.sites("output"), Follow::Dependents, Extent::All);
    assert!(!subject.lines(&slice).contains("change"));
}

#[test]
fn what_is_replaced_does_not_flow_on() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
static int shared;
int main(int argc, char **argv) {
    int a = argc;                /*@first*/
    shared = a;                  /*@store*/
    a = 3;                       /*@second*/
    shared = a;                  /*@again*/
    printf("%d %d\n", a, shared); /*@output*/
    return 0;                    /*@end*/
}
"#,
    );
    assert_eq!(subject.dependents("first"), names(&["first", "store"]));
    assert_eq!(subject.dependents("second"), names(&["second", "again", "output"]));
    assert!(!subject.sources("output").contains("first"));
}

#[test]
fn values_come_back_only_to_those_who_sent_them() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
static int same(int a) { return a + 1; /*@body*/ }
int main(int argc, char **argv) {
    int a = argc;                /*@a*/
    int b = argc * 2;            /*@b*/
    int c = same(a);             /*@c*/
    int d = same(b);             /*@d*/
    printf("%d\n", c);           /*@shows_c*/
    printf("%d\n", d);           /*@shows_d*/
    return 0;
}
"#,
    );
    let found = subject.dependents("a");
    assert!(
        found.contains("body") && found.contains("c") && found.contains("shows_c"),
        "{found:?}"
    );
    assert!(!found.contains("d"), "{found:?}");
    let found = subject.sources("d");
    assert!(found.contains("b") && found.contains("body") && !found.contains("a"), "{found:?}");
}

#[test]
fn memory_that_is_reached_by_pointers_carries_dependence() {
    let subject = Subject::new(
        r#"
void *malloc(unsigned long);
struct pair { int one, two; };
static void set(struct pair *p, int value) { p->one = value; /*@set*/ }
static int get(struct pair *p) { return p->one; /*@get*/ }
static int get_two(struct pair *p) { return p->two; /*@get_two*/ }
int main(int argc, char **argv) {
    struct pair *p = malloc(sizeof *p);
    int a = argc + 1;            /*@a*/
    p->two = 5;                  /*@two*/
    set(p, a);                   /*@call*/
    int b = get(p);              /*@b*/
    int c = get_two(p);          /*@c*/
    return b + c;                /*@result*/
}
"#,
    );
    let found = subject.dependents("a");
    assert_eq!(found, names(&["a", "call", "set", "get", "b", "result"]));
    let found = subject.dependents("two");
    assert_eq!(found, names(&["two", "get_two", "c", "result"]));
    let found = subject.sources("b");
    assert!(found.contains("a") && found.contains("set") && !found.contains("two"), "{found:?}");
}

#[test]
fn whether_a_function_is_called_decides_on_all_that_it_does() {
    let subject = Subject::new(
        r#"
static int total;
static void add(int n) {
    if (n > 3)                   /*@inner*/
        total += n;              /*@add*/
}
int main(int argc, char **argv) {
    int limit = 5;               /*@limit*/
    if (argc > limit)            /*@decide*/
        add(argc);               /*@call*/
    return total;                /*@result*/
}
"#,
    );
    let expected = names(&["limit", "decide", "call", "inner", "add", "result"]);
    assert_eq!(subject.dependents("limit"), expected);
    assert!(subject.sources("result").contains("limit"));
}

#[test]
fn a_choice_depends_on_what_decides() {
    let subject = Subject::new(
        r#"
int main(int argc, char **argv) {
    int a = argc > 3;            /*@a*/
    int b = a ? 10 : 20;         /*@choice*/
    int c = a && argc < 9;       /*@both*/
    return b + c;                /*@result*/
}
"#,
    );
    assert_eq!(subject.dependents("a"), names(&["a", "choice", "both", "result"]));
}

#[test]
fn library_functions_carry_what_they_copy() {
    let subject = Subject::new(
        r#"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char text[20], other[20], number[20];
    strcpy(number, "12");        /*@number*/
    strcpy(text, argv[0]);       /*@text*/
    memcpy(other, text, 20);     /*@copy*/
    int length = strlen(other);  /*@length*/
    int value = atoi(number);    /*@value*/
    sprintf(text, "%d", value);  /*@print*/
    puts(text);                  /*@output*/
    return length;               /*@result*/
}
"#,
    );
    let found = subject.dependents("text");
    assert!(found.contains("copy") && found.contains("length") && found.contains("result"));
    assert!(!found.contains("value"), "{found:?}");
    let found = subject.dependents("number");
    assert!(found.contains("value") && found.contains("output"), "{found:?}");
}

#[test]
fn recursion_ends() {
    let subject = Subject::new(
        r#"
static int walk(int n, int *sum) {
    if (n == 0)                  /*@if*/
        return 0;
    *sum += n;                   /*@sum*/
    return walk(n - 1, sum);     /*@again*/
}
int main(int argc, char **argv) {
    int sum = 0;                 /*@zero*/
    int start = argc;            /*@start*/
    walk(start, &sum);           /*@call*/
    return sum;                  /*@result*/
}
"#,
    );
    let found = subject.dependents("start");
    assert!(found.contains("sum") && found.contains("result"), "{found:?}");
    assert!(subject.sources("result").contains("zero"));
    assert!(!subject.dependents("zero").contains("if"));
}

#[test]
fn arguments_without_names_arrive() {
    let subject = Subject::new(
        r#"
#include <stdarg.h>
static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count-- > 0)
        total += va_arg(list, int); /*@take*/
    va_end(list);
    return total;
}
int main(int argc, char **argv) {
    int a = argc;                /*@a*/
    return sum(2, 5, a);         /*@result*/
}
"#,
    );
    let found = subject.dependents("a");
    assert!(found.contains("take") && found.contains("result"), "{found:?}");
    assert!(subject.sources("take").contains("a"));
}

#[test]
fn what_a_function_returns_gets_to_a_call_that_is_made_once() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
static int one(int n) { return n + 1; /*@one*/ }
static int deep(int n) { return n > 9 ? n : deep(one(n)); /*@deep*/ }
int main(int argc, char **argv) {
    int a = one(argc);           /*@a*/
    printf("%d\n", a);           /*@shows_a*/
    printf("%d\n", deep(argc));  /*@shows_deep*/
    return 0;
}
"#,
    );
    let expected = names(&["one", "deep", "a", "shows_a", "shows_deep"]);
    assert_eq!(subject.dependents("one"), expected);
}

#[test]
fn what_a_callback_returns_decides_what_its_caller_does() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b; /*@order*/
}
int main(int argc, char **argv) {
    char text[] = "dcba";
    int other = argc;            /*@other*/
    qsort(text, 4, 1, order);    /*@sort*/
    printf("%s\n", text);        /*@shows*/
    printf("%d\n", other);       /*@shows_other*/
    return 0;
}
"#,
    );
    let found = subject.dependents("order");
    assert_eq!(found, names(&["order", "sort", "shows"]));
    assert!(subject.sources("shows").contains("order"));
}

#[test]
fn what_runs_before_main_is_seen_by_it() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
static int limit, other;
__attribute__((constructor)) static void start(void) { limit = 3; /*@start*/ }
int main(int argc, char **argv) {
    printf("%d\n", other);       /*@other*/
    printf("%d\n", limit);       /*@shows*/
    return 0;
}
"#,
    );
    assert_eq!(subject.dependents("start"), names(&["start", "shows"]));
    assert!(subject.sources("shows").contains("start"));
    assert!(subject.relevance("start").can_be_reached(&subject.whole));
}
