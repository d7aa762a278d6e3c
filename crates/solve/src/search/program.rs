//! A query as a list of operations that refer to each other by position.
//!
//! It names no variable or expression of a graph, so it is the same for all queries with one key,
//! and is kept with its compiled code.

use std::cell::OnceCell;

use super::{bound, range::Range, support::Supports};
use crate::{
    Binary, Expr, ExprId, Graph, Query, SnapshotId, Ternary, Unary,
    arithmetic::{self, cut},
    hash::QuickMap,
};

/// The computation of the conditions of a query.
pub(super) struct Program {
    pub(super) operations: Vec<Operation>,
    /// Positions of the conditions.
    pub(super) conditions: Vec<u32>,
    /// Bits of each variable.
    pub(super) variables: Vec<u32>,
    pub(super) tables: Vec<Table>,
    /// The variables that each condition depends on, computed on demand.
    supports: OnceCell<Supports>,
    /// Possible values of operations, given the conditions that are bounds of a variable.
    pub(super) ranges: Vec<Range>,
}

/// One value, computed from earlier ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) width: u32,
    pub(super) kind: Kind,
}

/// The computation of a value. Operands are positions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Constant(u128),
    Variable(u32),
    Extract { low: u32, a: u32 },
    Unary { operator: Unary, a: u32 },
    Binary { operator: Binary, a: u32, b: u32 },
    Ternary { operator: Ternary, a: u32, b: u32, c: u32 },
    Load { table: u32, address: u32 },
}

/// The memory that loads read.
pub(super) struct Table {
    pub(super) address: u64,
    pub(super) bytes: Box<[u8]>,
    /// Offsets of the computed bytes, and their positions.
    pub(super) symbolic: Vec<(u32, u32)>,
}

/// The structure of a condition, as far as its operands are conditions.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    /// They differ.
    Xor(u32, u32),
    /// They are the same.
    Same(u32, u32),
    Choice(u32, u32, u32),
    Compare(Binary, u32, u32),
    Truth(bool),
    /// Any other bit.
    Bit,
}

impl Program {
    pub(super) fn new(graph: &Graph, query: &Query) -> Program {
        let mut program = Program {
            operations: Vec::with_capacity(query.order.len()),
            conditions: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
            supports: OnceCell::new(),
            ranges: Vec::new(),
        };
        let mut position: QuickMap<ExprId, u32> = QuickMap::default();
        let mut tables: QuickMap<SnapshotId, u32> = QuickMap::default();
        for id in &query.order {
            let expr = graph.expr(*id);
            let at = |id: ExprId| position[&id];
            let kind = match expr {
                Expr::Constant { .. } => Kind::Constant(graph.as_constant(*id).unwrap_or_default()),
                Expr::Variable { width, .. } => {
                    program.variables.push(width.into());
                    Kind::Variable(program.variables.len() as u32 - 1)
                }
                Expr::Extract { low, a, .. } => Kind::Extract { low: low.into(), a: at(a) },
                Expr::Unary { operator, a, .. } => Kind::Unary { operator, a: at(a) },
                Expr::Binary { operator, a, b, .. } => {
                    Kind::Binary { operator, a: at(a), b: at(b) }
                }
                Expr::Ternary { operator, a, b, c, .. } => {
                    Kind::Ternary { operator, a: at(a), b: at(b), c: at(c) }
                }
                Expr::Load { snapshot, address, .. } => {
                    let table = *tables.entry(snapshot).or_insert_with(|| {
                        program.tables.push(Table::new(graph, snapshot, at));
                        program.tables.len() as u32 - 1
                    });
                    Kind::Load { table, address: at(address) }
                }
            };
            position.insert(*id, program.operations.len() as u32);
            program.operations.push(Operation { width: expr.width(), kind });
        }
        program.conditions = query.conditions.iter().map(|id| position[id]).collect();
        program.ranges = Range::of_program(&program, &bound::of_variables(&program));
        program
    }

    /// The variables that each condition depends on.
    pub(super) fn supports(&self) -> &Supports {
        self.supports.get_or_init(|| Supports::new(self))
    }

    pub(super) fn operation(&self, at: u32) -> Operation {
        self.operations[at as usize]
    }

    pub(super) fn width(&self, at: u32) -> u32 {
        self.operation(at).width
    }

    pub(super) fn constant(&self, at: u32) -> Option<u128> {
        match self.operation(at).kind {
            Kind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The size of all tables in bytes.
    pub(super) fn table_size(&self) -> usize {
        self.tables.iter().map(|table| table.bytes.len()).sum()
    }

    pub(super) fn shape(&self, at: u32) -> Shape {
        let operation = self.operation(at);
        match operation.kind {
            Kind::Constant(value) => Shape::Truth(value == 1),
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => Shape::Choice(a, b, c),
            Kind::Binary { operator, a, b } if self.width(a) == 1 => {
                use Binary::*;
                let is_one = |at: u32| self.constant(at) == Some(1);
                match operator {
                    And => Shape::And(a, b),
                    Or => Shape::Or(a, b),
                    Xor | Ne if is_one(b) => Shape::Not(a),
                    Xor | Ne if is_one(a) => Shape::Not(b),
                    Xor | Ne => Shape::Xor(a, b),
                    Eq => Shape::Same(a, b),
                    _ if operator.is_predicate() => Shape::Compare(operator, a, b),
                    _ => Shape::Bit,
                }
            }
            Kind::Binary { operator, a, b } if operator.is_predicate() => {
                Shape::Compare(operator, a, b)
            }
            _ => Shape::Bit,
        }
    }

    /// The values of all operations, and whether all of them have one. A load from outside of its
    /// table gives zero.
    pub(super) fn values(&self, inputs: &[u64], values: &mut Vec<u128>) -> bool {
        values.clear();
        let mut is_complete = true;
        for operation in &self.operations {
            let value = self.value(*operation, inputs, values);
            is_complete &= value.is_some();
            values.push(value.unwrap_or(0));
        }
        is_complete
    }

    fn value(&self, operation: Operation, inputs: &[u64], values: &[u128]) -> Option<u128> {
        let width = operation.width;
        let at = |position: u32| values[position as usize];
        Some(match operation.kind {
            Kind::Constant(value) => value,
            Kind::Variable(index) => cut(inputs[index as usize].into(), width),
            Kind::Extract { low, a } => cut(at(a) >> low, width),
            Kind::Unary { operator, a } => arithmetic::unary(operator, self.width(a), width, at(a)),
            Kind::Binary { operator, a, b } => {
                arithmetic::binary(operator, self.width(b), at(a), at(b))
            }
            Kind::Ternary { operator, a, b, c } => {
                arithmetic::ternary(operator, width, at(a), at(b), at(c))
            }
            Kind::Load { table, address } => {
                let table = &self.tables[table as usize];
                return table.read(at(address) as u64, width, values);
            }
        })
    }
}

impl Table {
    fn new(graph: &Graph, id: SnapshotId, at: impl Fn(ExprId) -> u32) -> Table {
        let snapshot = graph.snapshot(id);
        let symbolic = snapshot.symbolic().iter().map(|(offset, cell)| (*offset, at(*cell)));
        Table {
            address: snapshot.address(),
            bytes: snapshot.bytes().into(),
            symbolic: symbolic.collect(),
        }
    }

    /// How many offsets a load of so many bytes can have.
    pub(super) fn places(&self, count: u32) -> u64 {
        (self.bytes.len() as u64 + 1).saturating_sub(count.into())
    }

    /// The value of a load, if the table holds all of it.
    pub(super) fn read(&self, address: u64, width: u32, values: &[u128]) -> Option<u128> {
        self.read_with(address, width, |cell| Some(values[cell as usize]))
    }

    /// The same with bytes that may have no value.
    pub(super) fn read_with(
        &self,
        address: u64,
        width: u32,
        value_of: impl Fn(u32) -> Option<u128>,
    ) -> Option<u128> {
        let count = width.div_ceil(8);
        let offset = address.wrapping_sub(self.address);
        if offset >= self.places(count) {
            return None;
        }
        let bytes = &self.bytes[offset as usize..][..count as usize];
        let mut value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
        for (index, cell) in self.cells(offset as u32, count) {
            value |= cut(value_of(cell)?, 8) << (8 * index);
        }
        Some(cut(value, width))
    }

    /// The index of the first computed byte from an offset on. Mostly all bytes after the first are
    /// computed, so this is checked before a search.
    fn first_cell(&self, offset: u32) -> usize {
        let start = self.symbolic.first().map_or(0, |(start, _)| *start);
        let guess = offset.saturating_sub(start) as usize;
        match self.symbolic.get(guess) {
            Some((place, _)) if *place == offset => guess,
            _ => self.symbolic.partition_point(|(place, _)| *place < offset),
        }
    }

    /// The computed bytes among some, as their index among them and where they are computed.
    pub(super) fn cells(&self, offset: u32, count: u32) -> impl Iterator<Item = (u32, u32)> {
        let first = self.first_cell(offset);
        let rest = self.symbolic[first..].iter();
        let inside = rest.take_while(move |(place, _)| place - offset < count);
        inside.map(move |(place, cell)| (place - offset, *cell))
    }
}
