//! Queries: conditions that are to hold together, and the variables to find values for.
//!
//! A query lists the operations of its conditions in an order that depends on their structure only.
//! So the same query about other bytes of the input has the same key and can reuse a result or
//! compiled code: variables are identified by position, never by name.

use crate::{
    Expr, ExprId, Graph, Snapshot, SnapshotId, Ternary, VariableId,
    arithmetic::{self, cut},
    hash::{QuickMap, WideHasher},
    snapshot::Cell,
};

/// Conditions of a graph that are to hold together, the one in question last.
#[derive(Clone, Debug)]
pub struct Query {
    /// The conditions, each one bit wide.
    pub conditions: Vec<ExprId>,
    /// All operations they use, operands first.
    pub order: Vec<ExprId>,
    /// The variables, in the order in which they occur. A [`Model`] has a value for each.
    pub variables: Vec<VariableId>,
    /// Equal for queries that differ only in which variables they are about.
    pub key: Key,
    /// Where in the order each expression is.
    positions: QuickMap<ExprId, u32>,
    /// Where the operands of each expression of the order are.
    operands: Vec<[u32; 3]>,
}

/// The structure of a query, independent of the names of its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u128);

/// Values for the variables of a query, in their order.
pub type Model = Vec<u64>;

/// The answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All conditions hold for these values.
    Sat(Model),
    /// There are no such values.
    Unsat,
    /// No answer, or none within the allowed work.
    Unknown,
}

impl Query {
    /// The query whether these conditions can hold together.
    pub fn new(graph: &Graph, conditions: Vec<ExprId>) -> Query {
        let mut walk = Walk::new(graph);
        for condition in &conditions {
            walk.visit(*condition, usize::MAX);
        }
        Query::walked(walk, conditions)
    }

    /// The query whether a condition can hold, if it has no more than so many operations.
    pub(crate) fn small(graph: &Graph, condition: ExprId, most: usize) -> Option<Query> {
        let mut walk = Walk::new(graph);
        walk.visit(condition, most).then(|| Query::walked(walk, vec![condition]))
    }

    fn walked(mut walk: Walk<'_>, conditions: Vec<ExprId>) -> Query {
        let key = walk.key(&conditions);
        let Walk { order, variables, position: positions, operands, .. } = walk;
        Query { conditions, order, variables, key, positions, operands }
    }

    /// The same query in a graph of its own, to be kept when this one is gone.
    pub fn detached(&self, graph: &Graph) -> (Graph, Query) {
        let mut copy = Graph::literal();
        let mut copies: QuickMap<ExprId, ExprId> = QuickMap::default();
        let mut snapshots: QuickMap<SnapshotId, SnapshotId> = QuickMap::default();
        for id in &self.order {
            let of = |operand: ExprId| copies[&operand];
            let made = match graph.expr(*id) {
                Expr::Constant { width, .. } => {
                    copy.constant(width.into(), graph.as_constant(*id).unwrap_or_default())
                }
                Expr::Variable { variable, .. } => copy.variable_expr(graph.variable(variable)),
                Expr::Extract { width, low, a } => {
                    copy.intern(Expr::Extract { width, low, a: of(a) })
                }
                Expr::Unary { operator, width, a } => {
                    copy.intern(Expr::Unary { operator, width, a: of(a) })
                }
                Expr::Binary { operator, width, a, b } => {
                    copy.intern(Expr::Binary { operator, width, a: of(a), b: of(b) })
                }
                Expr::Ternary { operator, width, a, b, c } => {
                    copy.intern(Expr::Ternary { operator, width, a: of(a), b: of(b), c: of(c) })
                }
                Expr::Load { width, snapshot, address } => {
                    let snapshot = *snapshots.entry(snapshot).or_insert_with(|| {
                        let old = graph.snapshot(snapshot);
                        let cells = old.symbolic().iter().map(|(at, cell)| (*at, of(*cell)));
                        copy.add_snapshot(Snapshot::new(
                            old.address(),
                            old.bytes(),
                            cells.collect(),
                        ))
                    });
                    copy.intern(Expr::Load { width, snapshot, address: of(address) })
                }
            };
            copies.insert(*id, made);
        }
        let conditions = self.conditions.iter().map(|condition| copies[condition]).collect();
        let query = Query::new(&copy, conditions);
        (copy, query)
    }

    /// Whether all conditions hold for these values. A condition that has no value, because it
    /// reads outside of the memory that was seen, does not.
    pub fn holds(&self, graph: &Graph, model: &[u64]) -> bool {
        self.holds_with(graph, model, &mut Vec::with_capacity(self.order.len()))
    }

    /// The same with a buffer for the values of all operations.
    pub(crate) fn holds_with(
        &self,
        graph: &Graph,
        model: &[u64],
        values: &mut Vec<Option<u128>>,
    ) -> bool {
        values.clear();
        let mut model = model.iter();
        for (id, operands) in self.order.iter().zip(&self.operands) {
            let value = match graph.expr(*id) {
                // Variables are in the order in which they occur, which is this one.
                Expr::Variable { width, .. } => {
                    model.next().map(|value| cut(u128::from(*value), width.into()))
                }
                _ => self.operation(graph, *id, *operands, values),
            };
            values.push(value);
        }
        self.conditions.iter().all(|condition| self.of(values, *condition) == Some(1))
    }

    fn of(&self, values: &[Option<u128>], id: ExprId) -> Option<u128> {
        values[self.positions[&id] as usize]
    }

    fn operation(
        &self,
        graph: &Graph,
        id: ExprId,
        operands: [u32; 3],
        values: &[Option<u128>],
    ) -> Option<u128> {
        let [first, second, third] = operands;
        let at = |position: u32| values[position as usize];
        match graph.expr(id) {
            Expr::Constant { .. } | Expr::Variable { .. } => graph.as_constant(id),
            Expr::Extract { width, low, .. } => Some(cut(at(first)? >> low, width.into())),
            Expr::Unary { operator, width, a } => {
                Some(arithmetic::unary(operator, graph.width(a), width.into(), at(first)?))
            }
            Expr::Binary { operator, b, .. } => {
                Some(arithmetic::binary(operator, graph.width(b), at(first)?, at(second)?))
            }
            Expr::Ternary { operator: Ternary::Ite, .. } => {
                at(if at(first)? == 1 { second } else { third })
            }
            Expr::Ternary { operator, width, .. } => {
                let (a, b, c) = (at(first)?, at(second)?, at(third)?);
                Some(arithmetic::ternary(operator, width.into(), a, b, c))
            }
            Expr::Load { width, snapshot, .. } => {
                let (snapshot, count) = (graph.snapshot(snapshot), u32::from(width).div_ceil(8));
                let offset = snapshot.locate(at(first)? as u64, count)?;
                let byte = |index| match snapshot.cell(offset + index) {
                    Cell::Concrete(byte) => Some(byte.into()),
                    Cell::Symbolic(cell) => self.of(values, cell),
                };
                let value = (0..count).try_fold(0, |sum, at| Some(sum | byte(at)? << (8 * at)))?;
                Some(cut(value, width.into()))
            }
        }
    }

    /// The number of operations in the query.
    pub fn size(&self) -> usize {
        self.order.len()
    }
}

struct Walk<'g> {
    graph: &'g Graph,
    order: Vec<ExprId>,
    position: QuickMap<ExprId, u32>,
    variables: Vec<VariableId>,
    snapshots: QuickMap<SnapshotId, u32>,
    operands: Vec<[u32; 3]>,
    hasher: WideHasher,
    pending: Vec<ExprId>,
}

impl<'g> Walk<'g> {
    fn new(graph: &'g Graph) -> Walk<'g> {
        Walk {
            graph,
            order: Vec::new(),
            position: QuickMap::default(),
            variables: Vec::new(),
            snapshots: QuickMap::default(),
            operands: Vec::new(),
            hasher: WideHasher::default(),
            pending: Vec::new(),
        }
    }

    /// Visits an expression and its operands; returns whether there are at most `most`. Otherwise
    /// not all are visited.
    fn visit(&mut self, root: ExprId, most: usize) -> bool {
        self.pending.push(root);
        while let Some(&id) = self.pending.last() {
            // Pending ones are visited, too, except for duplicates among them.
            if self.order.len() >= most || self.pending.len() / 2 >= most {
                return false;
            }
            if self.position.contains_key(&id) {
                self.pending.pop();
                continue;
            }
            let length = self.pending.len();
            self.push_missing(id);
            if self.pending.len() == length {
                self.pending.pop();
                self.write_down(id);
            }
        }
        true
    }

    fn push_missing(&mut self, id: ExprId) {
        let expr = self.graph.expr(id);
        let missing = expr.operands().filter(|operand| !self.position.contains_key(operand));
        self.pending.extend(missing);
        if let Expr::Load { snapshot, .. } = expr
            && !self.snapshots.contains_key(&snapshot)
        {
            let cells = self.graph.snapshot(snapshot).symbolic().iter().map(|(_, cell)| *cell);
            self.pending.extend(cells.filter(|cell| !self.position.contains_key(cell)));
        }
    }

    fn write_down(&mut self, id: ExprId) {
        let expr = self.graph.expr(id);
        let mut operands = [0; 3];
        for (position, operand) in operands.iter_mut().zip(expr.operands()) {
            *position = self.position[&operand];
        }
        let [first, second, third] = operands;
        self.operands.push(operands);
        let detail = match expr {
            Expr::Constant { .. } => self.graph.as_constant(id).unwrap_or_default(),
            Expr::Variable { variable, .. } => {
                self.variables.push(variable);
                0
            }
            Expr::Extract { low, .. } => low.into(),
            Expr::Unary { operator, .. } => operator as u128,
            Expr::Binary { operator, .. } => operator as u128,
            Expr::Ternary { operator, .. } => operator as u128,
            Expr::Load { snapshot, .. } => self.snapshot(snapshot).into(),
        };
        let kind = expr.kind();
        let head = u64::from(kind) | u64::from(expr.width()) << 8 | u64::from(third) << 32;
        self.hasher.add(head);
        self.hasher.add(u64::from(first) | u64::from(second) << 32);
        self.hasher.add(detail as u64);
        self.hasher.add((detail >> 64) as u64);
        self.position.insert(id, self.order.len() as u32);
        self.order.push(id);
    }

    /// Numbers a snapshot by its content, which is part of the query.
    fn snapshot(&mut self, id: SnapshotId) -> u32 {
        if let Some(number) = self.snapshots.get(&id) {
            return *number;
        }
        let number = self.snapshots.len() as u32;
        self.snapshots.insert(id, number);
        let snapshot = self.graph.snapshot(id);
        self.hasher.add(snapshot.address());
        self.hasher.add_bytes(snapshot.bytes());
        for (offset, cell) in snapshot.symbolic() {
            self.hasher.add(u64::from(*offset) | u64::from(self.position[cell]) << 32);
        }
        number
    }

    fn key(&mut self, conditions: &[ExprId]) -> Key {
        for condition in conditions {
            self.hasher.add(self.position[condition].into());
        }
        Key(self.hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Origin, Variable};

    fn byte(graph: &mut Graph, offset: u32) -> ExprId {
        graph.variable_expr(&Variable::byte(Origin::Stdin, offset))
    }

    fn less(graph: &mut Graph, one: u32, other: u32) -> ExprId {
        let (one, other) = (byte(graph, one), byte(graph, other));
        graph.binary(Binary::ULt, one, other)
    }

    #[test]
    fn other_variables_make_the_same_query() {
        let graph = &mut Graph::new();
        let first = less(graph, 0, 1);
        let other = less(graph, 7, 3);
        let (first, other) = (Query::new(graph, vec![first]), Query::new(graph, vec![other]));
        assert_eq!(first.key, other.key);
        assert_eq!(first.size(), 3);
        let names = |query: &Query| -> Vec<String> {
            query.variables.iter().map(|id| graph.variable(*id).to_string()).collect()
        };
        assert_ne!(names(&first), names(&other));
    }

    #[test]
    fn which_variables_are_the_same_matters() {
        let graph = &mut Graph::new();
        let (chain, pair) = (
            vec![less(graph, 0, 1), less(graph, 1, 2)],
            vec![less(graph, 0, 1), less(graph, 2, 3)],
        );
        assert_ne!(Query::new(graph, chain).key, Query::new(graph, pair).key);
    }

    #[test]
    fn a_copy_asks_the_same() {
        let graph = &mut Graph::new();
        let index = byte(graph, 2);
        let start = graph.constant(64, 1000);
        let wide = graph.unary(crate::Unary::ZeroExtend, 64, index);
        let address = graph.binary(Binary::Add, wide, start);
        let cell = byte(graph, 5);
        let snapshot = graph.add_snapshot(Snapshot::new(1000, &[7; 256], vec![(3, cell)]));
        let loaded = graph.intern(Expr::Load { width: 8, snapshot, address });
        let nine = graph.constant(8, 9);
        let equal = graph.binary(Binary::Eq, loaded, nine);
        let query = Query::new(graph, vec![equal]);
        let (copy, same) = query.detached(graph);
        assert_eq!(query.key, same.key);
        let index = graph.variable_expr(&Variable::byte(Origin::Stdin, 2));
        let model = |at: u64, cell: u64| -> Model {
            let is_index = |id: &VariableId| match graph.expr(index) {
                Expr::Variable { variable, .. } => variable == *id,
                _ => false,
            };
            query.variables.iter().map(|id| if is_index(id) { at } else { cell }).collect()
        };
        for model in [model(3, 9), model(3, 8), model(4, 9)] {
            assert_eq!(query.holds(graph, &model), same.holds(&copy, &model), "{model:?}");
        }
        assert!(query.holds(graph, &model(3, 9)));
    }

    #[test]
    fn constants_and_widths_matter() {
        let graph = &mut Graph::new();
        let variable = byte(graph, 0);
        let keys: Vec<_> = [1, 2]
            .map(|number| {
                let number = graph.constant(8, number);
                let equal = graph.binary(Binary::Eq, variable, number);
                Query::new(graph, vec![equal]).key
            })
            .into();
        assert_ne!(keys[0], keys[1]);
    }
}
