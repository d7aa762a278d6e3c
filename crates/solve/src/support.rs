//! The variables that an expression depends on.
//!
//! Each expression caches its set, so that the conditions of a whole run can be sliced in one pass.
//! A checksum has as many sets as bytes, each one larger than the one before; as lists they would
//! need quadratic memory. Variables are numbered in the order of their first use, so a set is
//! nearly always a few ranges of numbers, and equal sets are stored once.

use std::ops::Range;

use crate::{Expr, ExprId, Graph, SnapshotId, VariableId, hash::QuickMap};

/// A set of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariableSet {
    /// Ascending, not empty, and not adjacent to each other.
    ranges: Vec<Range<u32>>,
}

impl VariableSet {
    /// The variables, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.ranges.iter().flat_map(|range| range.clone().map(VariableId))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|range| range.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether a variable is among them.
    pub fn contains(&self, variable: VariableId) -> bool {
        let next = self.ranges.partition_point(|range| range.end <= variable.0);
        self.ranges.get(next).is_some_and(|range| range.start <= variable.0)
    }

    /// Whether the two have a variable in common.
    pub fn intersects(&self, other: &VariableSet) -> bool {
        let (mut left, mut right) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            if a.start < b.end && b.start < a.end {
                return true;
            }
            if a.end <= b.start {
                left.next()
            } else {
                right.next()
            };
        }
        false
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<VariableId> {
        self.ranges.first().map(|range| VariableId(range.start))
    }

    /// The variables of both.
    pub fn union(&self, other: &VariableSet) -> VariableSet {
        let mut both = [&self.ranges[..], &other.ranges[..]].concat();
        both.sort_unstable_by_key(|range| range.start);
        let mut ranges: Vec<Range<u32>> = Vec::with_capacity(both.len());
        for range in both {
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        VariableSet { ranges }
    }

    fn one(variable: VariableId) -> VariableSet {
        let VariableId(number) = variable;
        VariableSet { ranges: std::iter::once(number..number + 1).collect() }
    }
}

/// A set among [`Supports::sets`].
type SetId = u32;

/// The sets of all expressions that were asked for. It must be used with one graph only, which may
/// grow in between.
pub struct Supports {
    sets: Vec<VariableSet>,
    known_sets: QuickMap<VariableSet, SetId>,
    unions: QuickMap<(SetId, SetId), SetId>,
    of_expr: Vec<Option<SetId>>,
    of_snapshot: QuickMap<SnapshotId, SetId>,
    pending: Vec<ExprId>,
}

impl Default for Supports {
    fn default() -> Supports {
        let empty = VariableSet::default();
        Supports {
            known_sets: std::iter::once((empty.clone(), 0)).collect(),
            sets: vec![empty],
            unions: QuickMap::default(),
            of_expr: Vec::new(),
            of_snapshot: QuickMap::default(),
            pending: Vec::new(),
        }
    }
}

impl Supports {
    /// Nothing is known yet.
    pub fn new() -> Supports {
        Supports::default()
    }

    /// The variables that an expression depends on. A load depends on all bytes of its snapshot.
    pub fn of(&mut self, graph: &Graph, root: ExprId) -> &VariableSet {
        let number = self.number(graph, root);
        &self.sets[number as usize]
    }

    /// A number that all expressions with the same set share.
    pub(crate) fn number(&mut self, graph: &Graph, root: ExprId) -> u32 {
        self.of_expr.resize(graph.len(), None);
        self.pending.push(root);
        while let Some(&id) = self.pending.last() {
            let length = self.pending.len();
            if self.of_expr[id.0 as usize].is_none() {
                self.push_missing(graph, id);
                if self.pending.len() > length {
                    continue;
                }
                self.of_expr[id.0 as usize] = Some(self.combine(graph, id));
            }
            self.pending.pop();
        }
        self.known(root)
    }

    /// The set of a number.
    pub(crate) fn set(&self, number: u32) -> &VariableSet {
        &self.sets[number as usize]
    }

    fn known(&self, id: ExprId) -> SetId {
        self.of_expr[id.0 as usize].unwrap_or_default()
    }

    fn push_missing(&mut self, graph: &Graph, id: ExprId) {
        let expr = graph.expr(id);
        for operand in expr.operands() {
            self.push_unknown(operand);
        }
        if let Expr::Load { snapshot, .. } = expr
            && !self.of_snapshot.contains_key(&snapshot)
        {
            for (_, cell) in graph.snapshot(snapshot).symbolic() {
                self.push_unknown(*cell);
            }
        }
    }

    fn push_unknown(&mut self, id: ExprId) {
        if self.of_expr[id.0 as usize].is_none() {
            self.pending.push(id);
        }
    }

    fn combine(&mut self, graph: &Graph, id: ExprId) -> SetId {
        let expr = graph.expr(id);
        let own = match expr {
            Expr::Variable { variable, .. } => self.intern(VariableSet::one(variable)),
            Expr::Load { snapshot, .. } => self.snapshot(graph, snapshot),
            _ => 0,
        };
        expr.operands().fold(own, |set, operand| self.unite(set, self.known(operand)))
    }

    fn snapshot(&mut self, graph: &Graph, id: SnapshotId) -> SetId {
        if let Some(set) = self.of_snapshot.get(&id) {
            return *set;
        }
        let cells = graph.snapshot(id).symbolic().iter();
        let set = cells.fold(0, |set, (_, cell)| self.unite(set, self.known(*cell)));
        self.of_snapshot.insert(id, set);
        set
    }

    fn unite(&mut self, a: SetId, b: SetId) -> SetId {
        let pair = (a.min(b), a.max(b));
        if pair.0 == pair.1 || pair.0 == 0 {
            return pair.1;
        }
        if let Some(set) = self.unions.get(&pair) {
            return *set;
        }
        let set = self.sets[a as usize].union(&self.sets[b as usize]);
        let set = self.intern(set);
        self.unions.insert(pair, set);
        set
    }

    fn intern(&mut self, set: VariableSet) -> SetId {
        if let Some(id) = self.known_sets.get(&set) {
            return *id;
        }
        let id = self.sets.len() as SetId;
        self.sets.push(set.clone());
        self.known_sets.insert(set, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[u32]) -> VariableSet {
        let ones = numbers.iter().map(|number| VariableSet::one(VariableId(*number)));
        ones.fold(VariableSet::default(), |set, one| set.union(&one))
    }

    #[test]
    fn neighbours_become_ranges() {
        assert_eq!(set(&[3, 1, 2, 7]).ranges, [1..4, 7..8]);
        assert_eq!(set(&[3, 1, 2, 7]).len(), 4);
    }

    #[test]
    fn sets_intersect_where_they_share_a_variable() {
        assert!(set(&[1, 2, 9]).intersects(&set(&[5, 9])));
        assert!(!set(&[1, 2, 9]).intersects(&set(&[3, 5, 10])));
        assert!(set(&[1, 2, 9]).contains(VariableId(9)));
        assert!(!set(&[1, 2, 9]).contains(VariableId(3)));
        assert!(!set(&[]).intersects(&set(&[0])));
    }
}
