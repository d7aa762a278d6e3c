//! The conditions of a path, indexed so that a goal finds the ones related to it.
//!
//! Conditions that share no variable with a goal, not even through others, hold for the current
//! input whatever happens to the variables of the goal: leaving them out loses nothing. Conditions
//! on a single byte relate nothing to anything, so all of them together are one set of bytes.

mod bound;

use crate::{
    Domain, ExprId, Graph, Query, Supports, VariableId, VariableSet,
    domain::{self, Domains},
    hash::{QuickMap, QuickSet},
};
use bound::{Bound, Kind};

/// The conditions that are assumed.
#[derive(Default)]
pub struct Assumptions {
    supports: Supports,
    known: QuickSet<ExprId>,
    bytes: QuickMap<VariableId, ByteConditions>,
    /// The strongest known bounds, with their positions among the related conditions.
    bounds: QuickMap<Kind, (i128, u32)>,
    related: Groups,
}

/// All conditions on a single byte.
#[derive(Default)]
struct ByteConditions {
    domain: Option<Domain>,
    conditions: Vec<ExprId>,
}

/// The conditions related to a goal.
pub(crate) struct Related {
    /// The conditions that relate variables to each other, in the order of the path.
    pub(crate) conditions: Vec<ExprId>,
    /// Conditions on single bytes among the variables of those and of the goal.
    pub(crate) byte_conditions: Vec<ExprId>,
}

impl Assumptions {
    /// An empty set of assumptions.
    pub fn new() -> Assumptions {
        Assumptions::default()
    }

    /// Assumes a condition from now on.
    pub(crate) fn assume(&mut self, graph: &Graph, domains: &mut Domains, condition: ExprId) {
        if !self.known.insert(condition) {
            return;
        }
        if let Some((variable, domain)) = self.byte_of(graph, domains, condition) {
            let byte = self.bytes.entry(variable).or_default();
            byte.domain = Some(byte.domain.map_or(domain, |known| known.intersection(&domain)));
            byte.conditions.push(condition);
            return;
        }
        let bound = Bound::of(graph, condition);
        let known = bound.and_then(|bound| self.bounds.get(&bound.kind).copied());
        if let (Some(bound), Some((limit, position))) = (bound, known) {
            if !bound.is_stronger(limit) {
                return;
            }
            self.related.forget(position);
        }
        let number = self.supports.number(graph, condition);
        let position = self.related.add(number, self.supports.set(number), condition);
        if let Some(bound) = bound {
            self.bounds.insert(bound.kind, (bound.limit, position));
        }
    }

    /// Whether a condition was assumed, as it is.
    pub fn has(&self, condition: ExprId) -> bool {
        self.known.contains(&condition)
    }

    /// The byte that a condition depends on alone, and the values for which it holds.
    pub(crate) fn byte_of(
        &mut self,
        graph: &Graph,
        domains: &mut Domains,
        condition: ExprId,
    ) -> Option<(VariableId, Domain)> {
        let support = self.supports.of(graph, condition);
        if support.len() != 1 {
            return None;
        }
        let variable = support.iter().next()?;
        let domain =
            domains.of(graph, &Query::small(graph, condition, domain::MOST_OPERATIONS)?)?;
        Some((variable, domain))
    }

    /// Whether no condition relates a variable to another one.
    pub(crate) fn is_lone(&self, variable: VariableId) -> bool {
        !self.related.has(variable)
    }

    /// The byte values that the path allows for a variable.
    pub(crate) fn domain(&self, variable: VariableId) -> Domain {
        self.bytes.get(&variable).and_then(|byte| byte.domain).unwrap_or(Domain::ALL)
    }

    /// The conditions related to a goal.
    pub(crate) fn related(&mut self, graph: &Graph, goal: ExprId) -> Related {
        let mut variables: Vec<_> = self.supports.of(graph, goal).iter().collect();
        let conditions = self.related.conditions(&mut variables);
        let bytes = variables.iter().filter_map(|variable| self.bytes.get(variable));
        let byte_conditions = bytes.flat_map(|byte| byte.conditions.iter().copied()).collect();
        Related { conditions, byte_conditions }
    }

    /// The variables of an expression.
    pub fn variables(
        &mut self,
        graph: &Graph,
        id: ExprId,
    ) -> impl Iterator<Item = VariableId> + '_ {
        self.supports.of(graph, id).iter()
    }

    /// The expressions among `others` that share a variable with `id`.
    pub(crate) fn near(&mut self, graph: &Graph, id: ExprId, others: &[ExprId]) -> Vec<ExprId> {
        let own = self.supports.number(graph, id);
        let mut near = others.to_vec();
        near.retain(|other| {
            let other = self.supports.number(graph, *other);
            other == own || self.supports.set(own).intersects(self.supports.set(other))
        });
        near
    }
}

/// Conditions grouped by the variables that they share.
#[derive(Default)]
struct Groups {
    /// Empty where another condition implies this one.
    conditions: Vec<Option<ExprId>>,
    /// The group of a variable: the number of another member, or its own.
    parents: QuickMap<u32, u32>,
    /// Numbers of sets whose variables are all in one group.
    joined: QuickSet<u32>,
    /// Members by the variable that stands for its group.
    members: QuickMap<u32, Members>,
}

#[derive(Default)]
struct Members {
    /// Positions of conditions.
    conditions: Vec<u32>,
    variables: Vec<VariableId>,
}

impl Groups {
    fn has(&self, variable: VariableId) -> bool {
        self.parents.contains_key(&variable.0)
    }

    /// Adds a condition on the variables of a set. Large sets are those of tables, and recur often.
    fn add(&mut self, number: u32, support: &VariableSet, condition: ExprId) -> u32 {
        let position = self.conditions.len() as u32;
        self.conditions.push(Some(condition));
        let Some(first) = support.first() else { return position };
        let mut group = self.enter(first);
        if self.joined.insert(number) {
            for variable in support.iter().skip(1) {
                let other = self.enter(variable);
                group = self.join(group, other);
            }
        }
        self.members.entry(group).or_default().conditions.push(position);
        position
    }

    /// Leaves a condition out from now on.
    fn forget(&mut self, position: u32) {
        self.conditions[position as usize] = None;
    }

    /// The conditions of all groups of the variables; adds the other variables of these groups to
    /// them.
    fn conditions(&mut self, variables: &mut Vec<VariableId>) -> Vec<ExprId> {
        let mut groups: Vec<_> = variables
            .iter()
            .filter(|variable| self.parents.contains_key(&variable.0))
            .map(|variable| self.root(variable.0))
            .collect();
        groups.sort_unstable();
        groups.dedup();
        let mut positions: Vec<u32> = Vec::new();
        for group in &groups {
            let Some(members) = self.members.get_mut(group) else { continue };
            members.conditions.retain(|position| self.conditions[*position as usize].is_some());
            positions.extend(&members.conditions);
            variables.extend(&members.variables);
        }
        variables.sort_unstable();
        variables.dedup();
        positions.sort_unstable();
        positions.into_iter().filter_map(|position| self.conditions[position as usize]).collect()
    }

    fn enter(&mut self, variable: VariableId) -> u32 {
        if self.parents.contains_key(&variable.0) {
            return self.root(variable.0);
        }
        self.parents.insert(variable.0, variable.0);
        self.members.entry(variable.0).or_default().variables.push(variable);
        variable.0
    }

    fn root(&self, mut variable: u32) -> u32 {
        while self.parents[&variable] != variable {
            variable = self.parents[&variable];
        }
        variable
    }

    /// Merges the smaller group into the larger one, so that chains stay short.
    fn join(&mut self, one: u32, other: u32) -> u32 {
        if one == other {
            return one;
        }
        let size = |group| self.members.get(group).map_or(0, |members| members.variables.len());
        let (large, small) = if size(&one) >= size(&other) { (one, other) } else { (other, one) };
        self.parents.insert(small, large);
        if let Some(moved) = self.members.remove(&small) {
            let members = self.members.entry(large).or_default();
            members.conditions.extend(moved.conditions);
            members.variables.extend(moved.variables);
        }
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Origin, Variable};

    #[test]
    fn conditions_are_related_through_others() {
        let graph = &mut Graph::new();
        let bytes: Vec<_> =
            (0..5).map(|n| graph.variable_expr(&Variable::byte(Origin::Stdin, n))).collect();
        let mut less =
            |one: usize, other: usize| graph.binary(Binary::ULt, bytes[one], bytes[other]);
        let (first, second, apart, goal) = (less(0, 1), less(1, 2), less(3, 4), less(2, 0));
        let nine = graph.constant(8, 9);
        let small = graph.binary(Binary::ULt, bytes[1], nine);
        let (mut assumptions, mut domains) = (Assumptions::new(), Domains::default());
        for condition in [first, apart, small, second, first] {
            assumptions.assume(graph, &mut domains, condition);
        }
        let related = assumptions.related(graph, goal);
        assert_eq!(related.conditions, [first, second]);
        assert_eq!(related.byte_conditions, [small]);
        assert_eq!(assumptions.related(graph, apart).conditions, [apart]);
        let variables: Vec<_> = assumptions.variables(graph, goal).collect();
        assert!(variables.iter().all(|variable| !assumptions.is_lone(*variable)));
    }

    #[test]
    fn of_bounds_the_strongest_is_kept() {
        let graph = &mut Graph::new();
        let length = Variable { origin: Origin::Stdin, part: crate::Part::Length };
        let length = graph.variable_expr(&length);
        let (mut assumptions, mut domains) = (Assumptions::new(), Domains::default());
        let mut above = |number| {
            let number = graph.constant(64, number);
            graph.binary(Binary::ULt, number, length)
        };
        let conditions: Vec<_> = [1, 2, 7, 3].map(&mut above).into();
        let goal = above(100);
        for condition in &conditions {
            assumptions.assume(graph, &mut domains, *condition);
        }
        assert_eq!(assumptions.related(graph, goal).conditions, [conditions[2]]);
    }

    #[test]
    fn conditions_on_one_byte_are_one_set() {
        let graph = &mut Graph::new();
        let byte = graph.variable_expr(&Variable::byte(Origin::Stdin, 0));
        let mut conditions = Vec::new();
        for (operator, number) in [(Binary::ULt, 100), (Binary::Ne, 5)] {
            let number = graph.constant(8, number);
            conditions.push(graph.binary(operator, byte, number));
        }
        let (mut assumptions, mut domains) = (Assumptions::new(), Domains::default());
        for condition in &conditions {
            assumptions.assume(graph, &mut domains, *condition);
        }
        assert!(assumptions.is_lone(VariableId(0)));
        assert_eq!(assumptions.domain(VariableId(0)).len(), 99);
    }
}
