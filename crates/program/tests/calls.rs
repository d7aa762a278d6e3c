//! The call graph and returns, on small programs with hand-derived answers.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{fs, process::Command};

use parallax_module::{Image, Module};
use parallax_program::{
    FunctionId, PointsTo, Program,
    graph::{CallGraph, Ending},
};

struct Calls {
    program: Program,
    graph: CallGraph,
}

impl Calls {
    fn of(text: &str) -> Calls {
        let folder = tempfile::tempdir().unwrap();
        let (source, output) = (folder.path().join("a.c"), folder.path().join("a.bc"));
        fs::write(&source, text).unwrap();
        let status = Command::new("clang-19")
            .args(["-O1", "-g", "-Xclang", "-disable-llvm-passes", "-w", "-c", "-emit-llvm", "-o"])
            .args([&output, &source])
            .status()
            .unwrap();
        assert!(status.success());
        let image = Image { parts: vec![output], ..Image::default() };
        let program = Module::assemble(&[image]).unwrap().program();
        let graph = CallGraph::new(&program, &PointsTo::analyse(&program));
        Calls { program, graph }
    }

    fn id(&self, name: &str) -> FunctionId {
        let position = self.program.functions.iter().position(|function| function.name == name);
        FunctionId(position.unwrap() as u32)
    }

    fn name(&self, id: FunctionId) -> &str {
        &self.program.at(id).name
    }

    fn ending(&self, name: &str) -> Ending {
        self.graph.ending_of_function(self.id(name))
    }

    /// The program's own functions that a function calls, in the order of their names.
    fn callees(&self, name: &str) -> Vec<&str> {
        let blocks = self.program.at(self.id(name)).blocks.iter();
        let calls = blocks.flat_map(|block| &block.instructions);
        let callees = calls.flat_map(|call| self.graph.callees(call.site));
        let own = callees.map(|id| self.program.at(*id)).filter(|it| !it.blocks.is_empty());
        let mut names: Vec<_> = own.map(|function| function.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[test]
fn who_comes_back_is_the_least_that_is_true() {
    let calls = Calls::of(
        "void exit(int); void abort(void);\n\
         static int plain(int a) { return a; }\n\
         static int down(int n) { return n ? down(n - 1) : 0; }\n\
         static void die(void) { exit(1); }\n\
         static void deep(void) { die(); }\n\
         static void check(int a) { if (a > 3) deep(); }\n\
         static int even(int n); static int odd(int n) { check(n); return n ? even(n - 1) : 0; }\n\
         static int even(int n) { return n ? odd(n - 1) : 1; }\n\
         static void forever(void) { for (;;) plain(1); }\n\
         static void never(int n) { never(n + 1); }\n\
         int main(int argc, char **argv) {\n\
             even(argc); down(argc); if (argc > 7) forever(); if (argc > 8) never(0); return 0; }\n",
    );
    for (name, expected) in [
        ("plain", Ending::Returns),
        ("down", Ending::Returns),
        ("die", Ending::Ends),
        ("deep", Ending::Ends),
        ("check", Ending::MayEnd),
        ("odd", Ending::MayEnd),
        ("even", Ending::MayEnd),
        ("forever", Ending::Ends),
        ("never", Ending::Ends),
        ("main", Ending::MayEnd),
    ] {
        assert_eq!(calls.ending(name), expected, "{name}");
    }
}

#[test]
fn pointers_lead_to_what_they_can_hold() {
    let calls = Calls::of(
        "#include <stdlib.h>\n#include <signal.h>\n\
         static int one(int a) { return a; } static int two(int a) { return -a; }\n\
         static int other(int a) { return a + 1; }\n\
         static int (*const table[])(int) = {one, two};\n\
         static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n\
         static void handler(int n) {} static void done(void) {}\n\
         static int through(int n) { return table[n & 1](n); }\n\
         static int (*choice)(int) = other;\n\
         static int chosen(int n) { return choice(n); }\n\
         int main(int argc, char **argv) {\n\
             int list[3] = {3, 1, 2}; qsort(list, 3, sizeof *list, compare);\n\
             signal(2, handler); atexit(done); return through(argc) + chosen(argc); }\n",
    );
    assert_eq!(calls.callees("through"), ["one", "two"]);
    assert_eq!(calls.callees("chosen"), ["other"]);
    assert_eq!(calls.callees("main"), ["chosen", "compare", "done", "handler", "through"]);
    assert_eq!(calls.graph.signals().collect::<Vec<_>>(), [calls.id("handler")]);
    assert_eq!(calls.graph.handlers().collect::<Vec<_>>(), [calls.id("done")]);
}

#[test]
fn calls_that_may_call_the_same_are_one_fan_and_end_alike() {
    let calls = Calls::of(
        "void exit(int);\n\
         static int one(int a) { return a; } static int two(int a) { exit(a); }\n\
         static int (*const table[])(int) = {one, two};\n\
         static int first(int n) { return table[n & 1](n); }\n\
         static int second(int n) { return table[n & 1](n) + 1; }\n\
         int main(int argc, char **argv) { return first(argc) + second(argc) + one(argc); }\n",
    );
    let callers = |name| {
        let fans = calls.graph.fans_into(calls.id(name)).iter();
        let calls_of = fans.map(|fan| calls.graph.calls_of(*fan));
        let names = calls_of.map(|them| them.iter().map(|it| calls.name(it.caller)).collect());
        let mut names: Vec<Vec<_>> = names.collect();
        names.sort_unstable();
        names
    };
    assert_eq!(callers("two"), [vec!["first", "second"]]);
    assert_eq!(callers("one"), [vec!["first", "second"], vec!["main"]]);
    for (name, expected) in [
        ("one", Ending::Returns),
        ("two", Ending::Ends),
        ("first", Ending::MayEnd),
        ("second", Ending::MayEnd),
        ("main", Ending::MayEnd),
    ] {
        assert_eq!(calls.ending(name), expected, "{name}");
    }
}
