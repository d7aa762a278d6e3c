//! From the records of a trace to expressions and their values.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{collections::BTreeMap, time::Instant};

use parallax_abi::{Flags, LABEL_BYTE_SHIFT, Label, Node, Op, POINTER};
use parallax_solve::{
    Assignment, BlobView, EvaluateError, Evaluation, ExprId, Graph, ImportError, Importer, Memory,
    Origin, Printer, Supports, Variable,
};

/// A trace made by hand.
struct Trace {
    nodes: Vec<Node>,
    blobs: BTreeMap<u32, (u64, Vec<u8>, Vec<Label>)>,
    inputs: Vec<Origin>,
}

impl Memory for Trace {
    fn blob(&self, id: u32) -> Option<BlobView<'_>> {
        let (address, bytes, labels) = self.blobs.get(&id)?;
        Some(BlobView { address: *address, bytes, labels })
    }
}

impl Trace {
    fn new() -> Trace {
        let inputs = vec![Origin::Argument(1), Origin::Stdin];
        Trace { nodes: vec![Node::default()], blobs: BTreeMap::new(), inputs }
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn byte(&mut self, offset: u32) -> u32 {
        self.push(Node { a: 1, b: offset, ..node(Op::Input, 8) })
    }

    fn constant(&mut self, op: Op, width: u8, a: u32, constant: u64) -> u32 {
        let (b, c) = (constant as u32, (constant >> 32) as u32);
        self.push(Node { a, b, c, flags: Flags::RIGHT_CONSTANT, ..node(op, width) })
    }

    fn import(&self, graph: &mut Graph, label: u32, width: u32) -> Result<ExprId, ImportError> {
        Importer::new(&self.nodes, self, &self.inputs).import(graph, Label(label), width)
    }

    fn check(&self, label: u32, width: u32, expected: &str) {
        let mut graph = Graph::new();
        let root = self.import(&mut graph, label, width).unwrap();
        assert_eq!(Printer::new(&graph).print(root), expected);
    }
}

fn node(op: Op, width: u8) -> Node {
    Node { op: op as u8, width, ..Node::default() }
}

fn at_byte(label: u32, byte: u32) -> u32 {
    label | byte << LABEL_BYTE_SHIFT
}

fn stdin(bytes: &[u8]) -> Assignment {
    let variables = (0..).map(|offset| Variable::byte(Origin::Stdin, offset));
    Assignment(variables.zip(bytes.iter().map(|byte| u128::from(*byte))).collect())
}

#[test]
fn labels_cut_and_extend() {
    let mut trace = Trace::new();
    let (a, b) = (trace.byte(0), trace.byte(1));
    let product = trace.push(Node { a, b, ..node(Op::Mul, 32) });
    trace.check(product, 32, "stdin[0] * stdin[1]");
    trace.check(product, 64, "i32(stdin[0] * stdin[1])");
    trace.check(at_byte(product, 1), 8, "i8(stdin[0] * stdin[1] >>u 8)");
    trace.check(at_byte(product, 1), 32, "stdin[0] * stdin[1] >>u 8");
    trace.check(at_byte(product, 4), 16, "0");
}

#[test]
fn a_value_stored_by_bytes_is_loaded_whole() {
    let mut trace = Trace::new();
    let (a, b) = (trace.byte(0), trace.byte(1));
    let product = trace.push(Node { a, b, ..node(Op::Mul, 32) });
    let mut whole = product;
    for byte in 1..4 {
        let high = at_byte(product, byte);
        let low = 8 * byte as u8;
        whole = trace.push(Node { a: high, b: whole, extra: low, ..node(Op::Concat, low + 8) });
    }
    trace.check(whole, 32, "stdin[0] * stdin[1]");
}

#[test]
fn constants_are_on_the_side_that_the_flags_say() {
    let mut trace = Trace::new();
    let a = trace.byte(0);
    let left = Node { a, b: 9, flags: Flags::LEFT_CONSTANT, ..node(Op::Sub, 32) };
    let left = trace.push(left);
    trace.check(left, 32, "9 - stdin[0]");
    let right = trace.constant(Op::SDiv, 32, left, u64::from(u32::MAX) - 2);
    trace.check(right, 32, "(9 - stdin[0]) / -3");
}

#[test]
fn elements_are_compared_by_their_index() {
    let mut trace = Trace::new();
    let index = trace.byte(2);
    let element = Node { a: index, b: 0x8000, c: 1, extra: 12, ..node(Op::Element, 64) };
    let element = trace.push(element);
    let equal = trace.constant(Op::Eq, 64, element, 0x1_0000_8000 + 36);
    trace.check(equal, 1, "stdin[2] == 3");
    let between = trace.constant(Op::Eq, 64, element, 0x1_0000_8000 + 37);
    trace.check(between, 1, "false");
    let offset = trace.constant(Op::Offset, 64, element, 0x1_0000_8000);
    let inside = trace.constant(Op::ULt, 64, offset, 100);
    trace.check(inside, 1, "stdin[2] <u 9");
    let (b, c) = (trace.byte(0), trace.byte(1));
    let updated = Node { a: offset, b, c, extra: 24, ..node(Op::Update, 8) };
    let updated = trace.push(updated);
    trace.check(updated, 8, "stdin[2] == 2 ? stdin[0] : stdin[1]");
}

#[test]
fn loads_read_bytes_and_labels() {
    let mut trace = Trace::new();
    let (index, cell) = (trace.byte(0), trace.byte(1));
    let labels = [0, 0, cell, 0].map(Label).to_vec();
    trace.blobs.insert(7, (0x100, vec![1, 2, 3, 4], labels));
    let address = trace.constant(Op::Add, 64, index, 0x100);
    let load = trace.push(Node { a: address, b: 7, ..node(Op::Load, 16) });
    let mut graph = Graph::new();
    let root = trace.import(&mut graph, load, 16).unwrap();
    assert_eq!(graph.evaluate(root, &stdin(&[0, 9])), Ok(0x0201));
    assert_eq!(graph.evaluate(root, &stdin(&[1, 9])), Ok(0x0902));
    assert_eq!(graph.evaluate(root, &stdin(&[2, 9])), Ok(0x0409));
    let outside = EvaluateError::OutOfBounds { address: 0x103, count: 2 };
    assert_eq!(graph.evaluate(root, &stdin(&[3, 9])), Err(outside));
    let support = Supports::new().of(&graph, root).len();
    assert_eq!(support, 2);
}

#[test]
fn variables_are_shared_by_origin() {
    let (mut first, mut second) = (Trace::new(), Trace::new());
    first.inputs = vec![Origin::Stdin, Origin::File((*b"x").into())];
    second.inputs = vec![Origin::File((*b"x").into())];
    let one = first.push(Node { a: 1, b: 3, ..node(Op::Input, 8) });
    let other = second.push(Node { a: 0, b: 3, ..node(Op::Input, 8) });
    let mut graph = Graph::new();
    let one = first.import(&mut graph, one, 8).unwrap();
    let other = second.import(&mut graph, other, 8).unwrap();
    assert_eq!(one, other);
    assert_eq!(Printer::new(&graph).print(one), "file:x[3]");
}

#[test]
fn lengths_counts_and_existence_are_variables() {
    let mut trace = Trace::new();
    let length = trace.push(Node { a: 1, ..node(Op::Length, 64) });
    let count = trace.push(node(Op::Count, 32));
    let exists = trace.push(Node { a: 0, ..node(Op::Exists, 1) });
    trace.check(length, 64, "stdin.len");
    trace.check(count, 32, "argc");
    trace.check(exists, 1, "arg[1].exists");
}

/// Every operator that a trace can hold has a value, with symbolic operands and with a constant.
#[test]
fn every_operator_is_imported() {
    for op in Op::ALL {
        let mut trace = Trace::new();
        let (a, b) = (trace.byte(0), trace.byte(1));
        trace.blobs.insert(b, (0, (0..=255).collect(), Vec::new()));
        let record = Node { a, b, c: a, extra: 32, ..node(*op, 64) };
        let plain = trace.push(record);
        let flags = Flags::LEFT_CONSTANT;
        let constant = trace.push(Node { a, b: 7, c: 0, flags, extra: 32, ..node(*op, 32) });
        for label in [plain, constant] {
            let takes_flags = Node::result_width(&record) == 1 || (16..37).contains(&(*op as u8));
            if label == constant && !takes_flags {
                continue;
            }
            let (mut simple, mut literal) = (Graph::new(), Graph::literal());
            let width = trace.nodes[label as usize].result_width();
            let values = |_: &Variable| Some(0x35);
            let value = |graph: &mut Graph| {
                let root =
                    trace.import(graph, label, width).unwrap_or_else(|e| panic!("{op:?} {e}"));
                graph.evaluate(root, &values).unwrap()
            };
            assert_eq!(value(&mut simple), value(&mut literal), "{op:?}");
        }
    }
}

#[test]
fn damaged_records_are_errors() {
    let mut trace = Trace::new();
    let a = trace.byte(0);
    let unknown = trace.push(Node { op: 255, width: 8, ..Node::default() });
    let concrete = trace.push(Node { a, b: 0, ..node(Op::Add, 8) });
    let itself = trace.push(Node { a: 4, b: a, ..node(Op::Add, 8) });
    let input = trace.push(Node { a: 9, ..node(Op::Input, 8) });
    let blob = trace.push(Node { a, b: 9, ..node(Op::Load, 8) });
    let float = trace.push(Node { a, b: a, ..node(Op::FAdd, 80) });
    let wide = trace.push(Node { a, b: a, ..node(Op::Add, 200) });
    let swap = trace.push(Node { a, ..node(Op::ByteSwap, 12) });
    let narrow = trace.push(Node { a, extra: 16, ..node(Op::SignExtend, 8) });
    let mut graph = Graph::new();
    let mut error = |label, width| trace.import(&mut graph, label, width).unwrap_err();
    assert_eq!(error(unknown, 8), ImportError::Operator { node: 2, code: 255 });
    assert_eq!(error(concrete, 8), ImportError::Concrete { node: 3 });
    assert_eq!(error(itself, 8), ImportError::Order { node: 4, operand: 4 });
    assert_eq!(error(input, 8), ImportError::Input { node: 5, input: 9 });
    assert_eq!(error(blob, 8), ImportError::Blob { node: 6, blob: 9 });
    assert_eq!(error(float, 80), ImportError::Width { node: 7, width: 80 });
    assert_eq!(error(wide, 8), ImportError::Width { node: 8, width: 200 });
    assert_eq!(error(swap, 12), ImportError::Width { node: 9, width: 12 });
    assert_eq!(error(narrow, 8), ImportError::Width { node: 10, width: 16 });
    assert_eq!(error(99, 8), ImportError::NoNode { node: 99 });
    assert_eq!(error(0, 8), ImportError::Concrete { node: 0 });
    assert_eq!(error(a, 129), ImportError::Width { node: 0, width: 129 });
}

/// A checksum over an input: `sum = (sum ^ byte) * 16777619 + 1`, until there are `count` nodes.
fn checksum(count: u32) -> (Trace, u32) {
    let mut trace = Trace::new();
    let mut sum = trace.byte(0);
    for offset in 1..count / 4 {
        let byte = trace.byte(offset);
        let mixed = trace.push(Node { a: sum, b: byte, ..node(Op::Xor, 32) });
        let scaled = trace.constant(Op::Mul, 32, mixed, 16_777_619);
        sum = trace.constant(Op::Add, 32, scaled, 1);
    }
    (trace, sum)
}

/// `cargo test --release -p parallax-solve --test import million -- --nocapture` prints the times.
#[test]
fn a_million_nodes_are_imported_and_evaluated() {
    let (trace, root) = checksum(1_000_000);
    let mut graph = Graph::new();
    let mut importer = Importer::new(&trace.nodes, &trace, &trace.inputs);
    let start = Instant::now();
    let root = importer.import(&mut graph, Label(root), 32).unwrap();
    let imported = start.elapsed();
    let values = |variable: &Variable| match variable.part {
        parallax_solve::Part::Byte(offset) => Some(u128::from(offset % 251)),
        _ => None,
    };
    let start = Instant::now();
    let value = Evaluation::new(&graph, &values).value(root).unwrap();
    let evaluated = start.elapsed();
    let start = Instant::now();
    let mut supports = Supports::new();
    assert_eq!(supports.of(&graph, root).len(), 250_000);
    let supported = start.elapsed();
    let expected = (1..250_000_u32)
        .fold(0_u32, |sum, offset| (sum ^ (offset % 251)).wrapping_mul(16_777_619).wrapping_add(1));
    assert_eq!(value, expected.into());
    let printed = Printer::new(&graph).print(root);
    assert!(printed.contains('…'));
    println!("{} expressions", graph.len());
    println!("imported in {imported:?}, evaluated in {evaluated:?}, support in {supported:?}");
}

/// A load at a symbolic address from a table of one pointer, of which the trace says this.
fn loaded(pointer: Node, extra: u8) -> (Trace, u32) {
    let mut trace = Trace::new();
    let cell = trace.push(pointer);
    let labels: Vec<_> = (0..8).map(|byte| Label(cell | byte << LABEL_BYTE_SHIFT)).collect();
    trace.blobs.insert(0x40, (0x1000, 0x2345_u64.to_le_bytes().to_vec(), labels));
    let index = trace.byte(0);
    let wide = trace.push(Node { a: index, ..node(Op::Resize, 64) });
    let address = trace.constant(Op::Add, 64, wide, 0x1000);
    let load = trace.push(Node { a: address, b: 0x40, extra, ..node(Op::Load, 64) });
    (trace, load)
}

#[test]
fn a_stored_pointer_is_only_a_pointer_for_what_reads_one() {
    let stored = Node { a: 7, extra: POINTER, ..node(Op::Unwritten, 64) };
    let is_known = |extra| {
        let (trace, load) = loaded(stored, extra);
        let mut graph = Graph::new();
        trace.import(&mut graph, load, 64).unwrap();
        graph.variables().iter().all(|variable| variable.origin != Origin::Unwritten)
    };
    assert!(is_known(POINTER));
    assert!(!is_known(0));
}

#[test]
fn unwritten_memory_is_another_variable_in_another_reading() {
    let mut trace = Trace::new();
    let label = trace.push(Node { a: 7, ..node(Op::Unwritten, 64) });
    let mut graph = Graph::new();
    let one = trace.import(&mut graph, label, 32).unwrap();
    let again = trace.import(&mut graph, label, 32).unwrap();
    let mut importer = Importer::new(&trace.nodes, &trace, &trace.inputs).with_other_memory();
    let other = importer.import(&mut graph, Label(label), 32).unwrap();
    assert_eq!(one, again);
    assert_ne!(one, other);
}
