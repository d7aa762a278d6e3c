//! Random C programs without undefined behaviour, and inputs for them.
//!
//! Each prints what it computes, so that each printed value checks the trace. The types and helpers
//! are the same in all programs and cover every way of passing values; the computations are random.

#![allow(dead_code, reason = "each user of this uses a part of it")]

mod chance;
mod expression;
mod statement;
mod types;

use std::fmt::Write;

pub(crate) use chance::Chance;
use parallax_run::TestCase;
use types::{DOUBLE, INT, LONG, Type};

const PRELUDE: &str = include_str!("prelude.c");

#[derive(Clone, Debug)]
struct Variable {
    text: String,
    ty: Type,
    /// Loop counters are only read.
    is_counter: bool,
}

#[derive(Clone, Debug)]
struct Array {
    text: String,
    ty: Type,
    /// A power of two.
    length: usize,
}

#[derive(Clone, Debug)]
struct Function {
    name: String,
    result: Type,
    parameters: Vec<Type>,
}

/// Names that statements can use.
struct Scope<'a> {
    chance: &'a mut Chance,
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    functions: Vec<Function>,
    /// The type of the constant table's elements.
    table: Type,
    /// The number of names used.
    labels: usize,
}

impl Scope<'_> {
    /// A variable that may be written.
    fn any_variable(&mut self) -> Variable {
        loop {
            let variable = &self.variables[self.chance.below(self.variables.len())];
            if !variable.is_counter {
                return variable.clone();
            }
        }
    }

    fn any_array(&mut self) -> Array {
        self.arrays[self.chance.below(self.arrays.len())].clone()
    }
}

fn variable(text: &str, ty: Type) -> Variable {
    Variable { text: text.to_owned(), ty, is_counter: false }
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let mut text = String::from(PRELUDE);
    let (globals, arrays, table) = declare_globals(&mut chance, &mut text);
    let mut functions = Vec::new();
    for number in 0..3 {
        let helper = helper(&mut chance, number, (&globals, &arrays, table), &functions, &mut text);
        functions.push(helper);
    }
    let count = 3 + chance.below(3);
    for number in 0..count {
        let scope = Scope {
            chance: &mut chance,
            variables: globals.clone(),
            arrays: arrays.clone(),
            functions: functions.clone(),
            table,
            labels: 0,
        };
        stage(scope, number, &mut text);
    }
    let _ = writeln!(text, "int main(int argc, char **argv) {{\n    start(argc, argv);");
    for number in 0..count {
        let _ = writeln!(text, "    stage{number}();");
    }
    text.push_str("    finish();\n    return (int)(status & 127);\n}\n");
    text
}

fn declare_globals(chance: &mut Chance, text: &mut String) -> (Vec<Variable>, Vec<Array>, Type) {
    let mut variables = Vec::new();
    let mut arrays = Vec::new();
    for number in 0..4 {
        let ty = Type::any(chance);
        let name = format!("g{number}");
        let class = chance.pick(&["static", "", "static volatile"]);
        let _ = writeln!(text, "{class} {} {name} = {};", ty.name, ty.constant(chance));
        variables.push(variable(&name, ty));
    }
    for number in 0..3 {
        let ty = Type::any(chance);
        let length = 4 << chance.below(3);
        let name = format!("ga{number}");
        let _ = writeln!(
            text,
            "static {} {name}[{length}] = {{ {}, {} }};",
            ty.name,
            ty.constant(chance),
            ty.constant(chance)
        );
        arrays.push(Array { text: name, ty, length });
    }
    let ty = Type::any(chance);
    let values: Vec<_> = (0..8).map(|_| ty.constant(chance)).collect();
    let _ = writeln!(text, "static const {} table[8] = {{ {} }};", ty.name, values.join(", "));
    (variables, arrays, ty)
}

fn helper(
    chance: &mut Chance,
    number: usize,
    (globals, arrays, table): (&[Variable], &[Array], Type),
    functions: &[Function],
    text: &mut String,
) -> Function {
    let result = Type::any(chance);
    let parameters: Vec<_> = (0..1 + chance.below(9)).map(|_| Type::any(chance)).collect();
    let name = format!("h{number}");
    let named: Vec<_> =
        parameters.iter().enumerate().map(|(index, ty)| format!("{} p{index}", ty.name)).collect();
    let class = chance.pick(&["static", "static __attribute__((noinline))", ""]);
    let _ = writeln!(text, "{class} {} {name}({}) {{", result.name, named.join(", "));
    let mut variables: Vec<_> = globals.to_vec();
    for (index, ty) in parameters.iter().enumerate() {
        variables.extend(std::iter::repeat_n(variable(&format!("p{index}"), *ty), 2));
    }
    let mut scope = Scope {
        chance,
        variables,
        arrays: arrays.to_vec(),
        functions: functions.to_vec(),
        table,
        labels: 0,
    };
    text.push_str("    if (++calls > 3000) return 0;\n");
    for _ in 0..scope.chance.below(3) {
        scope.statement(text, 1);
    }
    let value = scope.expression(result, 3);
    // A recursion of small depth.
    if parameters[0] == INT && scope.chance.percent(50) {
        let again: Vec<_> = (1..parameters.len()).map(|index| format!(", p{index}")).collect();
        let _ = writeln!(text, "    if ((p0 &= 15) > 0) return {name}(p0 - 1{});", again.concat());
    }
    let _ = writeln!(text, "    return {value};\n}}");
    let _ = writeln!(text, "static __typeof__(&{name}) p_{name} = {name};");
    Function { name, result, parameters }
}

fn stage(mut scope: Scope<'_>, number: usize, text: &mut String) {
    let _ = writeln!(text, "static void stage{number}(void) {{");
    let locals = 4 + scope.chance.below(4);
    // The output of a stage without branches can be predicted for other inputs.
    let straight = scope.chance.percent(30);
    for index in 0..locals {
        let ty = Type::any(scope.chance);
        let name = format!("v{index}");
        let volatile = if scope.chance.percent(8) { "volatile " } else { "" };
        let source = match ty.bits {
            _ if ty.is_float() => format!("input_f{}()", ty.bits),
            128 => "input_wide()".to_owned(),
            _ => format!("input({})", ty.bits.div_ceil(8)),
        };
        let _ = writeln!(text, "    {volatile}{} {name} = ({}){source};", ty.name, ty.name);
        scope.variables.extend(std::iter::repeat_n(variable(&name, ty), 3));
    }
    let ty = Type::any(scope.chance);
    let length = 4 << scope.chance.below(3);
    let _ = writeln!(text, "    {} la[{length}] = {{ 0 }};", ty.name);
    let fill = scope.expression(ty, 1);
    let _ = writeln!(text, "    for (int i = 0; i < {length}; i += 2) la[i] = {fill};");
    scope.arrays.push(Array { text: "la".to_owned(), ty, length });
    for (text, ty) in [
        ("small.a", INT),
        ("small.b", SHORT),
        ("mixed.real", DOUBLE),
        ("large.count", LONG),
        ("both.word", INT),
        ("both.half[1]", SHORT),
    ] {
        scope.variables.push(variable(text, ty));
    }
    for (text, ty, length) in
        [("large.items", INT, 8), ("both.half", SHORT, 2), ("raw", BYTE, 128), ("words", BYTE, 64)]
    {
        scope.arrays.push(Array { text: text.to_owned(), ty, length });
    }
    for _ in 0..3 + scope.chance.below(5) {
        scope.statement(text, if straight { 0 } else { 2 });
    }
    for index in 0..scope.variables.len() {
        let Variable { text: name, ty, .. } = scope.variables[index].clone();
        if index == 0 || scope.variables[index - 1].text != name {
            let _ = writeln!(text, "    {}", ty.print(scope.chance, &name));
        }
    }
    for Array { text: name, ty, length } in scope.arrays.clone() {
        let print = ty.print(scope.chance, &format!("{name}[i]"));
        let _ = writeln!(text, "    for (int i = 0; i < {length}; i++) {print}");
    }
    let extra = scope.expression(INT, 3);
    let _ = writeln!(text, "    status ^= {extra};\n    printf(\"\\n\");\n}}");
}

const SHORT: Type = Type { name: "short", bits: 16, kind: types::Kind::Signed };
const BYTE: Type = Type { name: "unsigned char", bits: 8, kind: types::Kind::Unsigned };

/// Something for the program to read.
pub(crate) fn input(chance: &mut Chance) -> TestCase {
    let length = [0, 5, 40, 120, 128, 128, 128, 200][chance.below(8)];
    let style = chance.below(4);
    let byte = |chance: &mut Chance| match chance.below(if style == 0 { 1 } else { 8 }) {
        0 => b"0123456789 abcdefx+-.\0Z"[chance.below(23)],
        1 => [0, 0xff, 0x80, 1, 0x7f][chance.below(5)],
        2 if style == 2 => 0,
        _ => chance.next() as u8,
    };
    let stdin = (0..length).map(|_| byte(chance)).collect();
    let args = (0..chance.below(3))
        .map(|_| (0..chance.below(6)).map(|_| byte(chance).max(1)).collect())
        .collect();
    TestCase { stdin: Some(stdin), args, ..TestCase::default() }
}

/// The same with one byte of it different.
pub(crate) fn neighbour(chance: &mut Chance, test: &TestCase) -> TestCase {
    let mut other = test.clone();
    if let Some(stdin) = other.stdin.as_mut().filter(|stdin| !stdin.is_empty()) {
        let at = chance.below(stdin.len());
        stdin[at] ^= 1 << chance.below(8);
    }
    other
}
