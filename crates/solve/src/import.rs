//! From the records of a trace to expressions.
//!
//! Most values that a program computes are never asked for, so nodes are imported on demand, each
//! once. The program under test wrote the records and may have overwritten them: nothing is
//! trusted, and an operand must have been written before its node.

use parallax_abi::{Flags, LABEL_NODE_MASK, Label, Node, Op};
use parallax_deadline::{Deadline, OutOfTime, Pace};
use thiserror::Error;

use crate::{
    Binary, ExprId, Graph, Origin, Part, Snapshot, SnapshotId, Ternary, Unary, Variable,
    hash::QuickMap,
};

/// Access to the blobs of a trace.
pub trait Memory {
    /// The blob that lies at `id * 16` in the arena.
    fn blob(&self, id: u32) -> Option<BlobView<'_>>;
}

/// Bytes of a blob.
#[derive(Clone, Copy, Debug)]
pub struct BlobView<'a> {
    /// Their address in the program.
    pub address: u64,
    /// Their values.
    pub bytes: &'a [u8],
    /// The label of each; empty if none was symbolic.
    pub labels: &'a [Label],
}

/// Why a label has no expression. `node` is where that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportError {
    /// A concrete value is used as a symbolic one.
    #[error("node {node} has a concrete operand where a symbolic one must be")]
    Concrete {
        /// The node, or 0 if the label was given from outside.
        node: usize,
    },
    /// The label names a node that was not written.
    #[error("there is no node {node}")]
    NoNode {
        /// The node.
        node: usize,
    },
    /// The node's operator does not exist.
    #[error("node {node} has the unknown operator {code}")]
    Operator {
        /// The node.
        node: usize,
        /// The invalid code.
        code: u8,
    },
    /// The node's width is out of range, or invalid for the operator.
    #[error("node {node} has the impossible width {width}")]
    Width {
        /// The node, or 0 if the width was given from outside.
        node: usize,
        /// The invalid width.
        width: u32,
    },
    /// The node refers to itself or to something younger.
    #[error("node {node} refers to node {operand}, which did not exist when it was written")]
    Order {
        /// The node.
        node: usize,
        /// The operand.
        operand: usize,
    },
    /// The node's input is in no table.
    #[error("node {node} refers to input {input}, which has no name")]
    Input {
        /// The node.
        node: usize,
        /// The number of the input.
        input: u32,
    },
    /// The node's blob does not exist, or has labels for some of its bytes only.
    #[error("node {node} refers to blob {blob}, which is missing or damaged")]
    Blob {
        /// The node.
        node: usize,
        /// The blob.
        blob: u32,
    },
    /// The deadline passed.
    #[error("import the trace: there is no time left")]
    OutOfTime(#[from] OutOfTime),
}

/// Imports the nodes of one trace. It must be used with one graph only.
pub struct Importer<'t> {
    nodes: &'t [Node],
    memory: &'t dyn Memory,
    inputs: &'t [Origin],
    imported: Vec<Option<ExprId>>,
    /// By their blobs, and by whether they are read for a pointer.
    snapshots: QuickMap<(u32, bool), SnapshotId>,
    pending: Vec<usize>,
    /// Added to the numbers of unwritten memory.
    unwritten: u32,
    pace: Option<Pace>,
}

impl<'t> Importer<'t> {
    /// An importer without nodes yet. `inputs` are the origins of the numbered inputs.
    pub fn new(nodes: &'t [Node], memory: &'t dyn Memory, inputs: &'t [Origin]) -> Importer<'t> {
        let imported = vec![None; nodes.len()];
        let snapshots = QuickMap::default();
        let pending = Vec::new();
        Importer { nodes, memory, inputs, imported, snapshots, pending, unwritten: 0, pace: None }
    }

    /// The same with another content of memory that was never written: expressions that then differ
    /// depend on it.
    #[must_use]
    pub fn with_other_memory(self) -> Importer<'t> {
        // Nodes have smaller numbers.
        Importer { unwritten: 1 << 31, ..self }
    }

    /// The same with a deadline.
    #[must_use]
    pub fn within(self, deadline: Deadline) -> Importer<'t> {
        Importer { pace: Some(deadline.pace()), ..self }
    }

    /// The expression of a label that is used at a width.
    pub fn import(
        &mut self,
        graph: &mut Graph,
        label: Label,
        width: u32,
    ) -> Result<ExprId, ImportError> {
        check_width(0, width)?;
        if label.is_concrete() {
            return Err(ImportError::Concrete { node: 0 });
        }
        self.import_node(graph, label.node())?;
        self.operand(graph, label.0, width)
    }

    /// Substitutes an expression for a label from now on, whatever the trace says of it.
    pub fn substitute(&mut self, label: Label, expression: ExprId) {
        if let Some(imported) = self.imported.get_mut(label.node()) {
            *imported = Some(expression);
        }
    }

    fn import_node(&mut self, graph: &mut Graph, root: usize) -> Result<(), ImportError> {
        self.pending.clear();
        self.pending.push(root);
        while let Some(&index) = self.pending.last() {
            self.pace.as_mut().map_or(Ok(()), Pace::step)?;
            let length = self.pending.len();
            if self.is_missing(index)? {
                self.push_missing(index)?;
                if self.pending.len() > length {
                    continue;
                }
                self.imported[index] = Some(self.build(graph, index)?);
            }
            self.pending.pop();
        }
        Ok(())
    }

    fn is_missing(&self, index: usize) -> Result<bool, ImportError> {
        match self.imported.get(index) {
            Some(expr) if index > 0 => Ok(expr.is_none()),
            _ => Err(ImportError::NoNode { node: index }),
        }
    }

    /// Pushes the nodes to import before a node.
    fn push_missing(&mut self, index: usize) -> Result<(), ImportError> {
        let node = self.nodes[index];
        let code = node.op;
        let op = node.operator().ok_or(ImportError::Operator { node: index, code })?;
        for label in [node.a, node.b, node.c].into_iter().take(symbolic_operands(op, &node)) {
            self.push_operand(index, label)?;
        }
        if op == Op::Load && !self.snapshots.contains_key(&(node.b, node.reads_pointer())) {
            let blob = self.blob(index)?;
            for label in blob.labels {
                let label = self.cell(&node, *label);
                if !label.is_concrete() {
                    self.push_operand(index, label.0)?;
                }
            }
        }
        Ok(())
    }

    fn push_operand(&mut self, index: usize, label: u32) -> Result<(), ImportError> {
        let operand = Label(label).node();
        if label == 0 {
            return Err(ImportError::Concrete { node: index });
        }
        if operand >= index {
            return Err(ImportError::Order { node: index, operand });
        }
        if self.is_missing(operand)? {
            self.pending.push(operand);
        }
        Ok(())
    }

    fn blob(&self, index: usize) -> Result<BlobView<'t>, ImportError> {
        let blob = self.nodes[index].b;
        let error = ImportError::Blob { node: index, blob };
        let view = self.memory.blob(blob).ok_or_else(|| error.clone())?;
        let whole = view.labels.is_empty() || view.labels.len() == view.bytes.len();
        if whole && u32::try_from(view.bytes.len()).is_ok() { Ok(view) } else { Err(error) }
    }

    /// A label whose node is imported, at a width.
    fn operand(&self, graph: &mut Graph, label: u32, width: u32) -> Result<ExprId, ImportError> {
        let label = Label(label);
        let node = label.node();
        let expr = self.imported.get(node).copied().flatten();
        let expr = expr.ok_or(ImportError::NoNode { node })?;
        let (low, all) = (8 * label.byte(), graph.width(expr));
        if low >= all {
            return Ok(graph.constant(width, 0));
        }
        let part = graph.extract(expr, low, width.min(all - low));
        Ok(graph.resize(part, width))
    }

    fn build(&mut self, graph: &mut Graph, index: usize) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let code = node.op;
        let op = node.operator().ok_or(ImportError::Operator { node: index, code })?;
        let width = u32::from(node.width);
        check_width(index, width)?;
        match op {
            Op::Constant => Ok(graph.constant(width, node.constant().into())),
            Op::Input | Op::Length | Op::Count | Op::Exists | Op::Unwritten => {
                self.variable(graph, index, op)
            }
            Op::Number if node.flags & Flags::RIGHT_CONSTANT != 0 => {
                Ok(graph.constant(width, node.constant().into()))
            }
            Op::Resize | Op::Number => self.operand(graph, node.a, width),
            Op::Concat => self.concat(graph, index),
            Op::Element | Op::Offset => self.address(graph, op, &node),
            Op::Load => self.load(graph, index),
            Op::Update => self.update(graph, &node),
            Op::Ite => {
                let condition = self.operand(graph, node.a, 1)?;
                let then = self.operand(graph, node.b, width)?;
                let otherwise = self.operand(graph, node.c, width)?;
                Ok(graph.ternary(Ternary::Ite, condition, then, otherwise))
            }
            _ => self.operation(graph, index, op),
        }
    }

    fn operation(
        &mut self,
        graph: &mut Graph,
        index: usize,
        op: Op,
    ) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let width = u32::from(node.width);
        if let Some(operator) = Unary::from_traced(op) {
            return self.unary(graph, index, operator);
        }
        if let Some(operator) = Binary::from_traced(op) {
            check_float(index, width, operator.takes_floats())?;
            let (a, b) = self.pair(graph, &node, width, width)?;
            return Ok(graph.binary(operator, a, b));
        }
        let operator = Ternary::from_traced(op);
        let operator = operator.ok_or(ImportError::Operator { node: index, code: node.op })?;
        check_float(index, width, operator == Ternary::FMulAdd)?;
        let a = self.operand(graph, node.a, width)?;
        let b = self.operand(graph, node.b, width)?;
        let c = self.operand(graph, node.c, width)?;
        Ok(graph.ternary(operator, a, b, c))
    }

    fn unary(
        &self,
        graph: &mut Graph,
        index: usize,
        operator: Unary,
    ) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let width = u32::from(node.width);
        let from = if converts(operator) { u32::from(node.extra) } else { width };
        check_width(index, from)?;
        check_float(index, from, operator.takes_float())?;
        check_float(index, width, operator.gives_float())?;
        let widens = operator != Unary::SignExtend || from <= width;
        let has_bytes = operator != Unary::ByteSwap || from % 8 == 0;
        if !widens || !has_bytes {
            return Err(ImportError::Width { node: index, width: from });
        }
        let a = self.operand(graph, node.a, from)?;
        Ok(graph.unary(operator, width, a))
    }

    /// The operands of a binary operator, of which one may be a constant.
    fn pair(
        &self,
        graph: &mut Graph,
        node: &Node,
        left: u32,
        right: u32,
    ) -> Result<(ExprId, ExprId), ImportError> {
        let constant = u128::from(node.constant());
        if node.flags & Flags::LEFT_CONSTANT != 0 {
            let b = self.operand(graph, node.a, right)?;
            return Ok((graph.constant(left, constant), b));
        }
        let a = self.operand(graph, node.a, left)?;
        if node.flags & Flags::RIGHT_CONSTANT != 0 {
            return Ok((a, graph.constant(right, constant)));
        }
        Ok((a, self.operand(graph, node.b, right)?))
    }

    fn variable(&self, graph: &mut Graph, index: usize, op: Op) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let part = match op {
            Op::Input => Part::Byte(node.b),
            Op::Exists => Part::Exists,
            Op::Unwritten => Part::Number(node.a | self.unwritten),
            _ => Part::Length,
        };
        let origin = match op {
            Op::Count => Some(&Origin::Count),
            Op::Unwritten => Some(&Origin::Unwritten),
            _ => self.inputs.get(node.a as usize),
        };
        let origin = origin.ok_or(ImportError::Input { node: index, input: node.a })?.clone();
        let variable = graph.variable_expr(&Variable { origin, part });
        Ok(graph.resize(variable, node.width.into()))
    }

    fn concat(&self, graph: &mut Graph, index: usize) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let (width, low) = (u32::from(node.width), u32::from(node.extra));
        if low == 0 || low >= width {
            return Err(ImportError::Width { node: index, width: low });
        }
        let (a, b) = self.pair(graph, &node, width - low, low)?;
        Ok(graph.concat(a, b))
    }

    fn address(&self, graph: &mut Graph, op: Op, node: &Node) -> Result<ExprId, ImportError> {
        let a = self.operand(graph, node.a, 64)?;
        let constant = graph.constant(64, node.constant().into());
        let address = if op == Op::Offset {
            graph.binary(Binary::Sub, a, constant)
        } else {
            let size = graph.constant(64, node.extra.into());
            let scaled = graph.binary(Binary::Mul, a, size);
            graph.binary(Binary::Add, scaled, constant)
        };
        Ok(graph.resize(address, node.width.into()))
    }

    fn update(&self, graph: &mut Graph, node: &Node) -> Result<ExprId, ImportError> {
        let offset = self.operand(graph, node.a, 64)?;
        let place = graph.constant(64, node.update_offset().into());
        let hit = graph.binary(Binary::Eq, offset, place);
        let new = self.operand(graph, node.b, node.width.into())?;
        let old = self.operand(graph, node.c, node.width.into())?;
        Ok(graph.ternary(Ternary::Ite, hit, new, old))
    }

    fn load(&mut self, graph: &mut Graph, index: usize) -> Result<ExprId, ImportError> {
        let node = self.nodes[index];
        let snapshot = match self.snapshots.get(&(node.b, node.reads_pointer())) {
            Some(snapshot) => *snapshot,
            None => self.snapshot(graph, index)?,
        };
        let address = self.operand(graph, node.a, 64)?;
        Ok(graph.load(snapshot, address, node.width.into()))
    }

    fn snapshot(&mut self, graph: &mut Graph, index: usize) -> Result<SnapshotId, ImportError> {
        let blob = self.blob(index)?;
        let node = self.nodes[index];
        let (mut bytes, mut symbolic) = (blob.bytes.to_vec(), Vec::new());
        for (offset, label) in (0..).zip(blob.labels) {
            let label = self.cell(&node, *label);
            if label.is_concrete() {
                continue;
            }
            let cell = self.operand(graph, label.0, 8)?;
            match graph.as_constant(cell) {
                Some(value) => bytes[offset as usize] = value as u8,
                None => symbolic.push((offset, cell)),
            }
        }
        let snapshot = graph.add_snapshot(Snapshot::new(blob.address, &bytes, symbolic));
        self.snapshots.insert((node.b, node.reads_pointer()), snapshot);
        Ok(snapshot)
    }

    /// The label of a byte for a load: a pointer that was stored is only a pointer for what reads one.
    fn cell(&self, load: &Node, label: Label) -> Label {
        let node = self.nodes.get(label.node()).copied().unwrap_or_default();
        match node.holds_pointer() && load.reads_pointer() {
            true if node.b == 0 => Label::CONCRETE,
            true if Label(node.b).byte() == 0 => Label(node.b | label.0 & !LABEL_NODE_MASK),
            _ => label,
        }
    }
}

/// How many of a node's three numbers are labels.
fn symbolic_operands(op: Op, node: &Node) -> usize {
    let constants = Flags::LEFT_CONSTANT | Flags::RIGHT_CONSTANT;
    match op {
        Op::Constant | Op::Input | Op::Length | Op::Count | Op::Exists | Op::Unwritten => 0,
        Op::Number if node.flags & constants != 0 => 0,
        Op::Resize | Op::Number | Op::Element | Op::Load | Op::Offset => 1,
        Op::Update | Op::Ite => 3,
        _ if Unary::from_traced(op).is_some() => 1,
        _ if Ternary::from_traced(op).is_some() => 3,
        _ if node.flags & constants != 0 => 1,
        _ => 2,
    }
}

/// Whether the operand's width is in [`Node::extra`].
fn converts(operator: Unary) -> bool {
    use Unary::*;
    let floats = matches!(operator, FResize | FFromSigned | FFromUnsigned);
    floats || matches!(operator, SignExtend | FToSigned | FToUnsigned)
}

fn check_width(node: usize, width: u32) -> Result<(), ImportError> {
    if (1..=128).contains(&width) { Ok(()) } else { Err(ImportError::Width { node, width }) }
}

fn check_float(node: usize, width: u32, is_float: bool) -> Result<(), ImportError> {
    let fits = !is_float || matches!(width, 32 | 64);
    if fits { Ok(()) } else { Err(ImportError::Width { node, width }) }
}
