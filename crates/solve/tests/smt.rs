//! Answers of solvers against evaluation.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use parallax_deadline::Deadline;
use parallax_solve::{
    Answer, Assignment, Backend, Binary, EvaluateError, Evaluation, Expr, ExprId, Graph, Origin,
    Query, Snapshot, SolverProgram, Ternary, Unary, Values, Variable, Work, Z3,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use recipe::{Floats, byte, follow, inputs, steps, value};

/// How deep chains are.
const DEPTH: u32 = 20_000;

const ENOUGH: Work = Work(20_000_000);

/// Conditions that fix the bytes.
fn pinned(graph: &mut Graph, inputs: &[u8; 5]) -> Vec<ExprId> {
    (0..4)
        .map(|offset| {
            let variable = byte(graph, offset);
            let value = graph.constant(8, inputs[offset as usize].into());
            graph.binary(Binary::Eq, variable, value)
        })
        .collect()
}

/// Whether all conditions hold for the model, as far as they have a value.
fn verify(graph: &Graph, query: &Query, model: &[u64]) {
    assert_eq!(model.len(), query.variables.len());
    let named = query.variables.iter().map(|id| graph.variable(*id).clone());
    let values = Assignment(named.zip(model.iter().map(|value| u128::from(*value))).collect());
    for (variable, value) in &values.0 {
        assert!(*value < 1 << variable.width(), "{variable} is {value}");
    }
    let mut evaluation = Evaluation::new(graph, &values as &dyn Values);
    for condition in &query.conditions {
        match evaluation.value(*condition) {
            Ok(value) => assert_eq!(value, 1, "{values:?}"),
            Err(EvaluateError::OutOfBounds { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn has_remainder(graph: &Graph, query: &Query) -> bool {
    let is_remainder =
        |id: &ExprId| matches!(graph.expr(*id), Expr::Binary { operator: Binary::FRem, .. });
    query.order.iter().any(is_remainder)
}

#[derive(Default, Debug)]
struct Tally {
    questions: usize,
    exact: usize,
    unknown: usize,
}

/// Asks whether random expressions can have their values, and others, given the inputs, and for
/// inputs with that value.
fn ask(backend: &mut dyn Backend, floats: Floats, cases: usize, length: usize) -> Tally {
    let mut runner = TestRunner::deterministic();
    let strategy = (steps(length), inputs());
    let mut tally = Tally::default();
    for case in 0..cases {
        let (steps, inputs) = strategy.new_tree(&mut runner).unwrap().current();
        let mut graph = if case % 4 == 3 { Graph::new() } else { Graph::literal() };
        let root = follow(&mut graph, &steps, floats).pop().unwrap();
        let values = |variable: &Variable| value(&inputs, variable);
        let Ok(found) = graph.evaluate(root, &values) else { continue };
        let expected = graph.constant(graph.width(root), found);
        let pins = pinned(&mut graph, &inputs);
        let equal = graph.binary(Binary::Eq, root, expected);
        let differs = graph.binary(Binary::Ne, root, expected);
        let with = |claim: ExprId| pins.iter().copied().chain([claim]).collect::<Vec<_>>();
        tally.questions += 1;

        let same = Query::new(&graph, with(equal));
        match backend.solve(&graph, &same, ENOUGH) {
            Answer::Sat(model) => verify(&graph, &same, &model),
            Answer::Unknown => tally.unknown += 1,
            Answer::Unsat => {
                panic!("case {case}:\n{}", parallax_solve::export(&graph, &same.conditions).text)
            }
        }
        let other = Query::new(&graph, with(differs));
        let exact = !has_remainder(&graph, &other);
        tally.exact += usize::from(exact);
        match backend.solve(&graph, &other, ENOUGH) {
            Answer::Unsat => {}
            Answer::Unknown => tally.unknown += 1,
            Answer::Sat(model) => assert!(!exact, "case {case}: {model:?}, {steps:?} {inputs:?}"),
        }
        let free = Query::new(&graph, vec![equal]);
        match backend.solve(&graph, &free, Work(ENOUGH.0 / 20)) {
            Answer::Sat(model) if exact => verify(&graph, &free, &model),
            Answer::Sat(_) => {}
            Answer::Unknown => tally.unknown += usize::from(floats == Floats::Without),
            Answer::Unsat => panic!("case {case} has a value: {steps:?} {inputs:?}"),
        }
    }
    eprintln!("{tally:?}");
    tally
}

#[test]
fn integers_mean_the_same_to_z3() {
    let mut z3 = Z3::new();
    let tally = ask(&mut z3, Floats::Without, 600, 14);
    assert_eq!(tally.exact, tally.questions);
    assert!(tally.unknown * 10 < tally.questions, "{tally:?}");
    assert_eq!(z3.failures().errors, 0);
}

#[test]
fn floats_mean_the_same_to_z3() {
    let mut z3 = Z3::new();
    let tally = ask(&mut z3, Floats::With, 300, 14);
    assert!(tally.unknown * 5 < tally.questions, "{tally:?}");
    assert_eq!(z3.failures().errors, 0);
}

/// Whether the factors of a product can be found, which is hard.
fn factors(graph: &mut Graph) -> Query {
    let bytes: Vec<ExprId> = (0..8).map(|offset| byte(graph, offset)).collect();
    let join = |graph: &mut Graph, bytes: &[ExprId]| {
        bytes.iter().copied().reduce(|low, high| graph.concat(high, low)).unwrap()
    };
    let (one, other) = (join(graph, &bytes[..4]), join(graph, &bytes[4..]));
    let (one, other) = (graph.resize(one, 64), graph.resize(other, 64));
    let product = graph.binary(Binary::Mul, one, other);
    let number = graph.constant(64, 4_294_967_291 * 4_294_967_279);
    let limit = graph.constant(64, 1);
    let conditions = vec![
        graph.binary(Binary::Eq, product, number),
        graph.binary(Binary::ULt, limit, one),
        graph.binary(Binary::ULt, limit, other),
    ];
    Query::new(graph, conditions)
}

#[test]
fn limits_end_what_takes_too_long() {
    let mut graph = Graph::new();
    let query = factors(&mut graph);
    let start = Instant::now();
    let mut z3 = Z3::new().with_time(Duration::from_secs(300));
    assert_eq!(z3.solve(&graph, &query, Work(2_000_000)), Answer::Unknown);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let mut hurried = Z3::new().with_time(Duration::from_millis(200));
    assert_eq!(hurried.solve(&graph, &query, Work(u64::MAX)), Answer::Unknown);
    assert_eq!((z3.failures().unknown, z3.failures().errors), (1, 0));
    assert_eq!((hurried.failures().unknown, hurried.failures().errors), (1, 0));
}

/// `table[byte]` for a table of entries of four bytes.
fn look_up(graph: &mut Graph, entries: &[u32], offset: u32) -> ExprId {
    let index = byte(graph, offset);
    look_up_at(graph, entries, index)
}

fn look_up_at(graph: &mut Graph, entries: &[u32], index: ExprId) -> ExprId {
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let snapshot = graph.add_snapshot(Snapshot::new(0x7fff_1230, &bytes, vec![]));
    let index = graph.resize(index, 64);
    let four = graph.constant(64, 4);
    let offset = graph.binary(Binary::Mul, index, four);
    let start = graph.constant(64, 0x7fff_1230);
    let address = graph.binary(Binary::Add, start, offset);
    graph.load(snapshot, address, 32)
}

fn crc_table() -> Vec<u32> {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    (0..256).map(|index| (0..8).fold(index, |crc, _| step(crc))).collect()
}

#[test]
fn tables_are_looked_up() {
    let crc = crc_table();
    let squares: Vec<u32> = (0..256).map(|index| index * index + 7).collect();
    let few: Vec<u32> = squares[..100].into();
    for entries in [&crc, &squares, &few] {
        let mut graph = Graph::new();
        let entry = look_up(&mut graph, entries, 0);
        let expected = graph.constant(32, entries[77].into());
        let equal = graph.binary(Binary::Eq, entry, expected);
        let query = Query::new(&graph, vec![equal]);
        assert_eq!(Z3::new().solve(&graph, &query, ENOUGH), Answer::Sat(vec![77]));
        let index = byte(&mut graph, 0);
        let last = graph.constant(8, 90);
        let beyond = graph.binary(Binary::ULt, last, index);
        let within = graph.constant(8, 99);
        let within = graph.binary(Binary::ULe, index, within);
        let query = Query::new(&graph, vec![equal, beyond, within]);
        assert_eq!(Z3::new().solve(&graph, &query, ENOUGH), Answer::Unsat);
        // Beyond the table there can be anything.
        let query = Query::new(&graph, vec![equal, beyond]);
        let answer = Z3::new().solve(&graph, &query, ENOUGH);
        assert_eq!(matches!(answer, Answer::Sat(_)), entries.len() == 100);
    }
}

#[test]
fn conditions_without_variables_are_decided() {
    let mut graph = Graph::literal();
    let (one, two) = (graph.constant(128, u128::MAX), graph.constant(128, 1 << 127));
    let less = graph.binary(Binary::ULt, two, one);
    let more = graph.binary(Binary::ULt, one, two);
    let mut backends: Vec<Box<dyn Backend>> = vec![Box::new(Z3::new())];
    if has_z3_program() {
        backends.push(Box::new(SolverProgram::new("z3 -in")));
    }
    for backend in &mut backends {
        let answer = backend.solve(&graph, &Query::new(&graph, vec![less]), ENOUGH);
        assert_eq!(answer, Answer::Sat(vec![]));
        let answer = backend.solve(&graph, &Query::new(&graph, vec![more]), ENOUGH);
        assert_eq!(answer, Answer::Unsat);
        let answer = backend.solve(&graph, &Query::new(&graph, vec![]), ENOUGH);
        assert_eq!(answer, Answer::Sat(vec![]));
    }
}

/// A float that keeps its NaN: the solver has no choice of the bits of a result.
#[test]
fn the_bits_of_a_nan_are_known() {
    let mut graph = Graph::literal();
    let low = byte(&mut graph, 0);
    let high = graph.constant(24, 0x7f_a000);
    let signalling = graph.concat(high, low);
    let one = graph.constant(32, f32::to_bits(1.0).into());
    let sum = graph.binary(Binary::FAdd, one, signalling);
    let double = graph.unary(Unary::FResize, 64, sum);
    let payload = graph.extract(double, 29, 23);
    let expected = graph.constant(23, 0x60_0042);
    let equal = graph.binary(Binary::Eq, payload, expected);
    let query = Query::new(&graph, vec![equal]);
    assert_eq!(Z3::new().solve(&graph, &query, ENOUGH), Answer::Sat(vec![0x42]));
}

/// One more operation on a value of 32 bits.
type Link = fn(&mut Graph, ExprId, ExprId) -> ExprId;

/// Chains as deep as a checksum over a large file. This runs on the small stack of a thread.
#[test]
fn deep_expressions_are_no_danger() {
    let links: [(&str, Link); 6] = [
        ("sum", |graph, value, byte| {
            let sum = graph.binary(Binary::Add, value, byte);
            graph.binary(Binary::Xor, sum, byte)
        }),
        ("choice", |graph, value, byte| {
            let condition = graph.binary(Binary::ULt, byte, value);
            graph.ternary(Ternary::Ite, condition, byte, value)
        }),
        ("condition", |graph, value, byte| {
            let condition = graph.binary(Binary::Eq, byte, value);
            graph.resize(condition, 32)
        }),
        ("product", |graph, value, byte| graph.binary(Binary::Mul, value, byte)),
        ("float", |graph, value, byte| graph.binary(Binary::FAdd, value, byte)),
        ("table", |graph, value, byte| {
            let index = graph.extract(value, 0, 8);
            let entry = look_up_at(graph, &crc_table(), index);
            graph.binary(Binary::Xor, entry, byte)
        }),
    ];
    for (name, link) in links {
        let mut graph = Graph::literal();
        let mut value = byte(&mut graph, 0);
        value = graph.unary(Unary::ZeroExtend, 32, value);
        let depth = if name == "table" { 2000 } else { DEPTH };
        for round in 0..depth {
            let other = byte(&mut graph, round % 7);
            let other = graph.unary(Unary::ZeroExtend, 32, other);
            value = link(&mut graph, value, other);
        }
        let number = graph.constant(32, 0x1234_5678);
        let condition = graph.binary(Binary::Eq, value, number);
        let query = Query::new(&graph, vec![condition]);
        let start = Instant::now();
        let mut z3 = Z3::new();
        let answer = z3.solve(&graph, &query, Work(1_000_000));
        eprintln!("{name}: {:?} after {:?}", z3.failures(), start.elapsed());
        if let Answer::Sat(model) = answer {
            verify(&graph, &query, &model);
        }
    }
}

fn has_z3_program() -> bool {
    let mut command = Command::new("z3");
    let found = command.arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        // Written past the capture of the test harness, which hides what passes.
        let message = b"SKIPPED: there is no z3 on the path, solver programs are not checked\n";
        std::io::stderr().write_all(message).unwrap();
    }
    found
}

#[test]
fn the_program_agrees_with_the_library() {
    if !has_z3_program() {
        return;
    }
    let mut runner = TestRunner::deterministic();
    let strategy = (steps(12), inputs());
    let (mut library, mut program) = (Z3::new(), SolverProgram::new("z3 -in"));
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..60_u128 {
        let (steps, _) = strategy.new_tree(&mut runner).unwrap().current();
        let mut graph = Graph::new();
        let root = follow(&mut graph, &steps, Floats::Without).pop().unwrap();
        let expected = graph.constant(graph.width(root), case % 7);
        let first = byte(&mut graph, 0);
        let (limit, equal) = (graph.constant(8, case), graph.binary(Binary::Eq, root, expected));
        let conditions = vec![graph.binary(Binary::ULt, first, limit), equal];
        let query = Query::new(&graph, conditions);
        let answers = [&mut library as &mut dyn Backend, &mut program]
            .map(|backend| backend.solve(&graph, &query, ENOUGH));
        match &answers {
            [Answer::Sat(one), Answer::Sat(other)] => {
                verify(&graph, &query, one);
                verify(&graph, &query, other);
                sat += 1;
            }
            [Answer::Unsat, Answer::Unsat] => unsat += 1,
            [Answer::Unknown, _] | [_, Answer::Unknown] => {}
            _ => panic!("{answers:?} of {steps:?}"),
        }
    }
    assert!(sat > 10 && unsat > 10, "{sat} {unsat}");
    assert_eq!((program.lost(), program.name()), (0, "z3"));
}

#[test]
fn a_program_that_fails_gives_no_answer() {
    let mut graph = Graph::new();
    let (first, zero) = (byte(&mut graph, 0), graph.constant(8, 0));
    let equal = graph.binary(Binary::Eq, first, zero);
    let query = Query::new(&graph, vec![equal]);
    let directory = std::env::temp_dir().join(format!("parallax-smt-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let scripts = [
        ("dies", "kill -9 $$"),
        ("fails", "exit 3"),
        ("hangs", "sleep 1000 & sleep 1000"),
        ("hangs-after-a-word", "echo sat; exec sleep 1000"),
        ("rubbish", "echo '((((|'; head -c 1000 /dev/urandom"),
        ("flood", "exec yes sat"),
        ("half", "echo sat; echo '((|stdin[0]| #x'"),
        ("no-number", "echo sat; echo '((|stdin[0]| true))'"),
    ];
    let start = Instant::now();
    for (name, script) in scripts {
        let path = directory.join(name);
        std::fs::write(&path, format!("{script}\n")).unwrap();
        let mut program = SolverProgram::new(&format!("sh {}", path.display()))
            .with_time(Duration::from_millis(500));
        assert_eq!(program.solve(&graph, &query, ENOUGH), Answer::Unknown, "{name}");
        assert_eq!(program.lost(), 1, "{name}");
    }
    // A program that hangs has less time for each query.
    let hangs = format!("sh {}", directory.join("hangs").display());
    let mut program = SolverProgram::new(&hangs).with_time(Duration::from_secs(2));
    assert!(program.can_start().is_ok());
    let hung = Instant::now();
    for _ in 0..8 {
        assert_eq!(program.solve(&graph, &query, ENOUGH), Answer::Unknown);
    }
    assert!(hung.elapsed() < Duration::from_secs(8), "{:?}", hung.elapsed());
    for command in ["", "/nonexistent/solver -in"] {
        let mut program = SolverProgram::new(command);
        assert!(program.can_start().is_err(), "{command}");
        assert_eq!(program.solve(&graph, &query, ENOUGH), Answer::Unknown, "{command}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let path = directory.join("answers");
    std::fs::write(&path, "cat > /dev/null; echo sat; echo '((|stdin[0]| (_ bv0 8)))'\n").unwrap();
    let mut program = SolverProgram::new(&format!("sh {}", path.display()));
    assert_eq!(program.solve(&graph, &query, ENOUGH), Answer::Sat(vec![0]));
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn each_thread_has_its_own() {
    let workers: Vec<_> = (0..2_u128)
        .map(|number| {
            let mut z3: Box<dyn Backend> = Box::new(Z3::new());
            std::thread::spawn(move || {
                for case in 0..200 {
                    let mut graph = Graph::new();
                    let (one, other) = (byte(&mut graph, 0), byte(&mut graph, 1));
                    let product = graph.binary(Binary::Mul, one, other);
                    let expected = graph.constant(8, (case * 2 + number) % 256);
                    let equal = graph.binary(Binary::Eq, product, expected);
                    let query = Query::new(&graph, vec![equal]);
                    match z3.solve(&graph, &query, ENOUGH) {
                        Answer::Sat(model) => verify(&graph, &query, &model),
                        answer => panic!("{answer:?}"),
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
}

/// Lengths and whether something exists are variables of other widths.
#[test]
fn all_kinds_of_variables_get_values() {
    use parallax_solve::Part;
    let mut graph = Graph::new();
    let length = graph.variable_expr(&Variable { origin: Origin::Stdin, part: Part::Length });
    let exists = graph.variable_expr(&Variable { origin: Origin::Stdin, part: Part::Exists });
    let count = graph.variable_expr(&Variable { origin: Origin::Count, part: Part::Length });
    let large = graph.constant(64, u128::from(u64::MAX) - 4);
    let long = graph.binary(Binary::Eq, length, large);
    let negative = graph.constant(32, 0xffff_fffe);
    let few = graph.binary(Binary::Eq, count, negative);
    let long = graph.ternary(Ternary::Ite, exists, long, few);
    let query = Query::new(&graph, vec![long, exists]);
    let mut backends: Vec<Box<dyn Backend>> = vec![Box::new(Z3::new())];
    if has_z3_program() {
        backends.push(Box::new(SolverProgram::new("z3")));
    }
    for backend in &mut backends {
        match backend.solve(&graph, &query, ENOUGH) {
            Answer::Sat(model) => verify(&graph, &query, &model),
            answer => panic!("{answer:?}"),
        }
    }
}

/// A solver at its memory limit gives up, and still answers the next query.
#[test]
fn little_memory_is_no_danger() {
    let mut graph = Graph::new();
    let hard = factors(&mut graph);
    let (first, zero) = (byte(&mut graph, 0), graph.constant(8, 7));
    let equal = graph.binary(Binary::Eq, first, zero);
    let easy = Query::new(&graph, vec![equal]);
    let mut z3 = Z3::new().with_memory(1).with_time(Duration::from_secs(5));
    let start = Instant::now();
    assert_eq!(z3.solve(&graph, &hard, Work(u64::MAX)), Answer::Unknown);
    eprintln!("{:?} after {:?}", z3.failures(), start.elapsed());
    let mut z3 = z3.with_memory(1024);
    assert_eq!(z3.solve(&graph, &easy, ENOUGH), Answer::Sat(vec![7]));
}

/// A query that would take long ends with its deadline.
#[test]
fn a_deadline_ends_a_query() {
    let mut graph = Graph::new();
    let hard = factors(&mut graph);
    let mut z3 = Z3::new().with_time(Duration::from_secs(60));
    z3.set_deadline(Deadline::NEVER.within(Duration::from_millis(200)));
    let start = Instant::now();
    assert_eq!(z3.solve(&graph, &hard, Work(u64::MAX)), Answer::Unknown);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

static HEARD: AtomicBool = AtomicBool::new(false);

extern "C" fn hear(_: libc::c_int) {
    HEARD.store(true, Ordering::Relaxed);
}

/// A user's signal is for the whole process, not for the query that happens to run.
#[test]
fn a_query_leaves_signals_alone() {
    let mut graph = Graph::new();
    let hard = factors(&mut graph);
    let handler: extern "C" fn(libc::c_int) = hear;
    // SAFETY: the handler only stores to an atomic variable.
    unsafe { libc::signal(libc::SIGINT, handler as libc::sighandler_t) };
    let sender = thread::spawn(|| {
        thread::sleep(Duration::from_millis(400));
        // SAFETY: it sends a signal to this process, which has a handler for it.
        unsafe { libc::kill(libc::getpid(), libc::SIGINT) };
    });
    let mut z3 = Z3::new().with_time(Duration::from_secs(1));
    assert_eq!(z3.solve(&graph, &hard, Work(u64::MAX)), Answer::Unknown);
    sender.join().unwrap();
    assert!(HEARD.load(Ordering::Relaxed), "the solver has swallowed it");
}
