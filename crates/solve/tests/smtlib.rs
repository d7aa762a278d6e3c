//! Exported scripts against evaluation, checked by Z3.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use parallax_solve::{Binary, Evaluation, Expr, ExprId, Graph, Origin, Ternary, Variable, export};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use recipe::{Floats, byte, follow, inputs, steps, value};

/// The answers of Z3, or nothing if it is not installed.
fn z3(script: &str) -> Option<Vec<String>> {
    let mut command = Command::new("z3");
    command.args(["-in", "-t:5000"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut process) = command.spawn() else {
        // Written past the capture of the test harness, which hides what passes.
        let message = b"SKIPPED: there is no z3 on the path, the export is not checked\n";
        std::io::stderr().write_all(message).unwrap();
        return None;
    };
    let mut input = process.stdin.take().unwrap();
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// The questions about one expression.
struct Question {
    script: String,
    /// Whether no operation is left to the solver, so that no other value is possible.
    exact: bool,
}

/// Asks whether an expression can have its value, and whether it can have another one.
fn question(graph: &mut Graph, root: ExprId, inputs: &[u8; 5]) -> Option<Question> {
    let values = |variable: &Variable| value(inputs, variable);
    let found = graph.evaluate(root, &values).ok()?;
    let exact = is_exact(graph, root, &values);
    let mut fixed: Vec<ExprId> = Vec::new();
    for offset in 0..4 {
        let (variable, value) = (byte(graph, offset), inputs[offset as usize]);
        let value = graph.constant(8, value.into());
        fixed.push(graph.binary(Binary::Eq, variable, value));
    }
    let expected = graph.constant(graph.width(root), found);
    let mut script = String::new();
    for operator in [Binary::Eq, Binary::Ne] {
        let claim = graph.binary(operator, root, expected);
        let conditions: Vec<ExprId> = fixed.iter().copied().chain([claim]).collect();
        script += &export(graph, &conditions).text;
        script += "(check-sat)\n(reset)\n";
    }
    Some(Question { script, exact })
}

/// Whether no operation is free and none of them, whose result is a float, gives a NaN.
fn is_exact(graph: &Graph, root: ExprId, values: &dyn parallax_solve::Values) -> bool {
    let mut evaluation = Evaluation::new(graph, values);
    graph.reachable(&[root]).into_iter().all(|id| {
        let width = graph.width(id);
        let gives_float = match graph.expr(id) {
            Expr::Binary { operator: Binary::FRem, .. } => return false,
            Expr::Unary { operator, .. } => operator.gives_float(),
            Expr::Binary { operator, .. } => operator.takes_floats() && !operator.is_predicate(),
            Expr::Ternary { operator, .. } => operator == Ternary::FMulAdd,
            _ => false,
        };
        let Ok(bits) = evaluation.value(id) else { return true };
        let is_nan = match width {
            32 => f32::from_bits(bits as u32).is_nan(),
            _ => f64::from_bits(bits as u64).is_nan(),
        };
        !gives_float || !is_nan
    })
}

fn ask(floats: Floats, cases: usize, length: usize) {
    let mut runner = TestRunner::deterministic();
    let strategy = (steps(length), inputs());
    let mut questions = Vec::new();
    for _ in 0..cases {
        let (steps, inputs) = strategy.new_tree(&mut runner).unwrap().current();
        let mut graph = Graph::literal();
        let root = follow(&mut graph, &steps, floats).pop().unwrap();
        questions.extend(question(&mut graph, root, &inputs));
    }
    let script: String = questions.iter().map(|question| question.script.as_str()).collect();
    let Some(answers) = z3(&script) else { return };
    assert_eq!(answers.len(), 2 * questions.len(), "{:?}", answers.iter().find(|a| a.len() > 8));
    let mut unknown = 0;
    for (question, answer) in questions.iter().zip(answers.chunks(2)) {
        unknown += answer.iter().filter(|answer| *answer == "unknown").count();
        assert!(matches!(&answer[0][..], "sat" | "unknown"), "{answer:?}\n{}", question.script);
        let other = &answer[1][..];
        let fits = !question.exact || matches!(other, "unsat" | "unknown");
        assert!(fits, "{answer:?}\n{}", question.script);
    }
    let exact = questions.iter().filter(|question| question.exact).count();
    eprintln!("{} questions, {exact} of them exact, {unknown} answers unknown", questions.len());
    assert!(unknown * 10 < questions.len(), "z3 could not answer {unknown} of them");
}

#[test]
fn integers_mean_the_same_to_z3() {
    ask(Floats::Without, 400, 14);
}

#[test]
fn floats_mean_the_same_to_z3() {
    ask(Floats::With, 300, 14);
}

#[test]
fn what_the_theory_lacks_is_listed() {
    let mut graph = Graph::new();
    let x = byte(&mut graph, 0);
    let x = graph.resize(x, 32);
    let two = graph.constant(32, f32::to_bits(2.0).into());
    let rest = graph.binary(Binary::FRem, x, two);
    let condition = graph.binary(Binary::FOEq, rest, two);
    let script = export(&graph, &[condition]);
    assert_eq!(script.free, [rest]);
    assert!(script.text.contains("is a result of fmod"), "{}", script.text);
    let variable = Variable::byte(Origin::Stdin, 0);
    assert_eq!(script.symbols, [("|stdin[0]|".to_owned(), variable)]);
}

/// The tree of this expression has more nodes than there are atoms.
#[test]
fn shared_expressions_are_written_once() {
    let mut graph = Graph::new();
    let start = byte(&mut graph, 0);
    let mut value = graph.resize(start, 32);
    for _ in 0..300 {
        let square = graph.binary(Binary::Mul, value, value);
        value = graph.binary(Binary::Add, square, value);
    }
    let zero = graph.constant(32, 0);
    let condition = graph.binary(Binary::Eq, value, zero);
    assert!(export(&graph, &[condition]).text.len() < 60_000);
}

#[test]
fn names_are_quoted_so_that_they_stay_different() {
    let mut graph = Graph::new();
    let names: [&[u8]; 3] = [b"a|b", b"a\\b", b"a!pb"];
    let conditions: Vec<ExprId> = names
        .into_iter()
        .map(|name| {
            let variable = Variable::byte(Origin::File(name.into()), 0);
            let byte = graph.variable_expr(&variable);
            let zero = graph.constant(8, 0);
            graph.binary(Binary::Ne, byte, zero)
        })
        .collect();
    let script = export(&graph, &conditions);
    let symbols: Vec<&str> = script.symbols.iter().map(|(symbol, _)| &symbol[..]).collect();
    assert_eq!(symbols, ["|file:a!pb[0]|", "|file:a!b!bb[0]|", "|file:a!!pb[0]|"]);
}
