//! Unusual whole programs.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use std::{collections::BTreeSet, fmt::Write, time::Instant};

use parallax_change::{Change, Changes, Kind, changes};
use parallax_program::Program;

const EMPTY: &str = "int main(void) { return 0; }\n";

const SORT: &str = r#"
typedef __SIZE_TYPE__ size_t;
int printf(const char *, ...), atoi(const char *);
void *malloc(size_t), free(void *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
  int *numbers = malloc(argc * sizeof *numbers);
  for (int i = 1; i < argc; i++)
    numbers[i - 1] = atoi(argv[i]);
  qsort(numbers, argc - 1, sizeof *numbers, order);
  for (int i = 0; i < argc - 1; i++)
    printf("%d\n", numbers[i]);
  free(numbers);
  return 0;
}
"#;

const COUNT: &str = r#"
int getchar(void), printf(const char *, ...);
struct tally { long words, lines; };
static struct tally all;
static void note(int c, int *inside) {
  switch (c) {
  case '\n': all.lines++;
  case ' ': case '\t': *inside = 0; break;
  default: if (!*inside) { *inside = 1; all.words++; }
  }
}
int main(void) {
  int c, inside = 0;
  while ((c = getchar()) != -1)
    note(c, &inside);
  return printf("%ld %ld\n", all.words, all.lines) < 0;
}
"#;

fn one(text: &str) -> Program {
    support::program(&[("main.c", text)], support::DEBUG)
}

/// Checks that a comparison is consistent: pairs go both ways, changed sites are in their
/// functions.
fn check(found: &Changes, old: &Program, new: &Program) {
    for site in old.instructions().map(|it| it.site) {
        let partner = found.matching.new_site(site);
        assert!(partner.is_none_or(|it| found.matching.old_site(it) == Some(site)));
    }
    for (function, it) in old.defined() {
        for block in (0..it.blocks.len() as u32).map(parallax_program::BlockId) {
            let partner = found.matching.new_block(function, block);
            let back = partner.map(|(function, it)| found.matching.old_block(function, it));
            assert!(back.is_none_or(|back| back == Some((function, block))));
        }
    }
    found.changes.iter().for_each(|change| check_change(change, old, new));
}

fn check_change(change: &Change, old: &Program, new: &Program) {
    assert_eq!(
        change.site.is_some(),
        change.kind != Kind::Deleted || change.new_function.is_some()
    );
    for (program, function, sites) in [
        (old, change.old_function, &change.old_sites),
        (new, change.new_function, &change.new_sites),
    ] {
        let Some(function) = function else { continue };
        let code = program.at(function).blocks.iter().flat_map(|block| &block.instructions);
        let own: BTreeSet<_> = code.map(|it| it.site).collect();
        assert!(sites.iter().all(|site| own.contains(site)), "{change:?}");
    }
}

#[test]
fn a_program_is_the_same_as_itself() {
    for text in [EMPTY, SORT, COUNT] {
        let program = one(text);
        let found = changes(&program, &program);
        assert!(found.is_unchanged());
        check(&found, &program, &program);
        let counted = program.instructions().filter(|it| !it.operands.is_empty());
        let lost = counted.filter(|it| found.matching.new_site(it.site) != Some(it.site)).count();
        assert_eq!(lost, 0, "every instruction is its own partner");
    }
}

#[test]
fn unrelated_programs_have_changes_in_main_and_functions_of_their_own() {
    let (old, new) = (one(SORT), one(COUNT));
    let found = changes(&old, &new);
    check(&found, &old, &new);
    assert!(!found.is_unchanged());
    let names = |program: &Program, ids: &[parallax_program::FunctionId]| {
        ids.iter().map(|&id| program.at(id).name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&new, &found.added), ["note"]);
    assert_eq!(names(&old, &found.deleted), ["order"]);
    assert!(found.renamed.is_empty());
}

#[test]
fn an_empty_program_is_where_everything_was_added() {
    let (old, new) = (one(EMPTY), one(SORT));
    let found = changes(&old, &new);
    check(&found, &old, &new);
    assert!(found.changes.iter().all(|change| change.kind != Kind::Deleted));
    let back = changes(&new, &old);
    check(&back, &new, &old);
    assert!(back.changes.iter().all(|change| change.kind != Kind::Added));
    assert!(changes(&old, &one(EMPTY)).is_unchanged());
}

#[test]
fn no_program_at_all_is_no_problem() {
    let (nothing, something) = (Program::default(), one(EMPTY));
    assert!(changes(&nothing, &nothing).is_unchanged());
    assert_eq!(changes(&nothing, &something).changes.len(), 1);
    assert_eq!(changes(&something, &nothing).changes.len(), 1);
}

#[test]
fn without_debug_information_instructions_stand_for_lines() {
    let bare = |text: &str| support::program(&[("main.c", text)], &[]);
    let (old, new) = (bare(SORT), bare(&SORT.replace("argc - 1,", "argc - 2,")));
    assert!(changes(&old, &old).is_unchanged());
    let found = changes(&old, &new);
    check(&found, &old, &new);
    let [change] = &found.changes[..] else { panic!("{:?}", found.changes) };
    assert_eq!((change.kind, change.old_lines, change.new_lines), (Kind::Modified, None, None));
    assert!(!change.old_sites.is_empty() && !change.new_sites.is_empty());
}

#[test]
fn one_version_without_debug_information_is_compared_with_one_that_has_it() {
    let bare = support::program(&[("main.c", SORT)], &[]);
    let found = changes(&bare, &one(SORT));
    check(&found, &bare, &one(SORT));
    assert!(found.is_unchanged(), "{:?}", found.changes);
    let edited = one(&SORT.replace("i = 1", "i = 2"));
    let found = changes(&bare, &edited);
    check(&found, &bare, &edited);
    let [change] = &found.changes[..] else { panic!("{:?}", found.changes) };
    assert!(change.old_lines.is_none() && change.new_lines.is_some());
}

#[test]
fn unoptimised_code_is_compared_too() {
    let plain = |text: &str| support::program(&[("main.c", text)], &["-g", "-O0"]);
    let (old, new) = (plain(COUNT), plain(&COUNT.replace("*inside = 1", "*inside = 2")));
    let found = changes(&old, &new);
    check(&found, &old, &new);
    assert_eq!(found.changes.len(), 1, "{:?}", found.changes);
}

/// A function of many statements, in which `edit` selects the changed ones.
fn long_function(statements: usize, edit: impl Fn(usize) -> bool) -> String {
    let mut text = "int g(int);\nint main(int argc, char **argv) {\n  int x = argc;\n".to_owned();
    for index in 0..statements {
        let operator = if edit(index) { '-' } else { '+' };
        writeln!(text, "  x = g(x {operator} {}) * x;", index % 10).unwrap();
    }
    text + "  return x;\n}\n"
}

#[test]
fn a_function_of_twenty_thousand_instructions_is_compared_at_once() {
    let old = one(&long_function(3500, |_| false));
    assert!(old.instructions().count() > 20_000);
    for every in [2, 50, 4000] {
        let new = one(&long_function(3500, |index| index % every == every - 1));
        let start = Instant::now();
        let found = changes(&old, &new);
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
        assert_eq!(found.changes.len(), 3500 / every);
        assert!(found.changes.iter().all(|change| change.kind == Kind::Modified));
    }
}

#[test]
fn a_long_function_is_compared_with_one_that_has_little_of_it() {
    let old = one(&long_function(3500, |_| false));
    let new = one(&SORT.replace("return 0;", "return 0 ? argc : 1;"));
    let start = Instant::now();
    check(&changes(&old, &new), &old, &new);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
