//! Effects by the lines of the source, for people.
//!
//! Instances of one line are reported together, however often it was executed, and the values of
//! the first time stand for all.

use std::collections::{BTreeMap, BTreeSet};

use parallax_change::Changes;
use parallax_program::{FunctionId, Location, Opcode, SiteId};

use crate::{
    code::Code,
    effects::{Effects, Node, Side},
    run::StepId,
    stop::Stop,
    value::{shown, stored_to},
};

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A variable is given another value.
    Variable {
        /// Its name.
        name: String,
        /// Its value in the old version.
        old: Option<String>,
        /// Its value in the new version.
        new: Option<String>,
    },
    /// A decision: its direction, in each version that makes it.
    Decision {
        /// In the old version.
        old: Option<String>,
        /// In the new version.
        new: Option<String>,
    },
    /// A function returns something else.
    Returned {
        /// In the old version.
        old: Option<String>,
        /// In the new version.
        new: Option<String>,
    },
    /// A call prints something else.
    Printed {
        /// In the old version.
        old: Option<Vec<u8>>,
        /// In the new version.
        new: Option<Vec<u8>>,
    },
    /// It is executed in one version only.
    Executed {
        /// In the old one.
        old: bool,
    },
}

/// A line that the effect of a change reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its place in the new version.
    pub new: Option<Location>,
    /// Its place in the old version.
    pub old: Option<Location>,
    /// Its function, by its name.
    pub function: String,
    /// Whether it belongs to the change.
    pub changed: bool,
    /// The differences there, each with its count.
    pub facts: Vec<(Fact, u32)>,
    /// The effects that end there, each with its count.
    pub stops: Vec<(Stop, u32)>,
    /// The lines that it leads to, by their positions.
    pub to: BTreeSet<usize>,
}

/// The lines that the effect of one change reaches, the change itself first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
}

/// The key of a line: the function, file and line of the new version, or of the old one.
type Key = (bool, FunctionId, u32, u32);

impl Effects {
    /// The effect of a change, line by line.
    pub fn lines(
        &self,
        change: usize,
        old: &Side<'_, '_>,
        new: &Side<'_, '_>,
        changes: &Changes,
    ) -> Lines {
        let view = View { old, new, changes, change };
        let own = &self.changes[change].nodes;
        let mut order = own.to_vec();
        let is_root = |node: &u32| self.nodes[*node as usize].change == Some(change as u32);
        order.sort_by_key(|node| (!is_root(node), *node));
        let has_strong = self.changes[change].stops.iter().any(|stop| !stop.is_weak());
        let mut positions = BTreeMap::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut of_node = BTreeMap::new();
        for node in order {
            let Some((key, line)) = view.line(&self.nodes[node as usize]) else { continue };
            let old = line.old;
            let position = *positions.entry(key).or_insert_with(|| {
                lines.push(line);
                lines.len() - 1
            });
            of_node.insert(node, position);
            let line = &mut lines[position];
            line.old = line.old.or(old);
            line.changed |= is_root(&node);
            if let Some(fact) = view.fact(&self.nodes[node as usize]) {
                add_fact(line, fact);
            }
            let stop = self.nodes[node as usize].stop.as_deref();
            if let Some(stop) = stop.filter(|stop| !has_strong || !stop.is_weak()) {
                add_stop(line, stop);
            }
        }
        lines.iter_mut().for_each(tidy);
        for (node, position) in &of_node {
            let to = self.nodes[*node as usize].to.iter().filter_map(|to| of_node.get(to));
            let to: Vec<usize> = to.copied().filter(|to| to != position).collect();
            lines[*position].to.extend(to);
        }
        Lines { lines }
    }
}

fn add_fact(line: &mut Line, fact: Fact) {
    let known = line.facts.iter_mut().find(|(known, _)| is_same_thing(known, &fact));
    match known {
        Some((_, count)) => *count += 1,
        None => line.facts.push((fact, 1)),
    }
}

fn add_stop(line: &mut Line, stop: &Stop) {
    match line.stops.iter_mut().find(|(known, _)| is_alike(known, stop)) {
        Some((_, count)) => *count += 1,
        None => line.stops.push((stop.clone(), 1)),
    }
}

/// Removes the fact that a line is executed if another one is known of it, or if both versions
/// execute a form of their own.
fn tidy(line: &mut Line) {
    join_halves(&mut line.facts);
    let is_executed = |fact: &Fact| matches!(fact, Fact::Executed { .. });
    let executed = line.facts.iter().filter(|(fact, _)| is_executed(fact)).count();
    if executed > 1 || executed < line.facts.len() {
        line.facts.retain(|(fact, _)| !is_executed(fact));
    }
}

/// Joins the values that one statement of the old version and its form in the new one give to a
/// variable.
fn join_halves(facts: &mut Vec<(Fact, u32)>) {
    let mut at = 0;
    while at < facts.len() {
        let found = facts.iter().enumerate().skip(at + 1).find_map(|(other, (fact, times))| {
            let joined = joined(&facts[at].0, fact).filter(|_| *times == facts[at].1)?;
            Some((other, joined))
        });
        if let Some((other, joined)) = found {
            facts[at].0 = joined;
            facts.remove(other);
        }
        at += 1;
    }
}

fn joined(one: &Fact, other: &Fact) -> Option<Fact> {
    let (Fact::Variable { name, old, new }, Fact::Variable { name: same, old: left, new: right }) =
        (one, other)
    else {
        return None;
    };
    let fits = name == same && old.is_some() != left.is_some() && new.is_some() != right.is_some();
    fits.then(|| Fact::Variable {
        name: name.clone(),
        old: old.clone().or_else(|| left.clone()),
        new: new.clone().or_else(|| right.clone()),
    })
}

/// Whether two ends are of the same kind at the same instruction.
fn is_alike(one: &Stop, other: &Stop) -> bool {
    (one.why, one.site, one.old) == (other.why, other.site, other.old)
}

fn is_same_thing(one: &Fact, other: &Fact) -> bool {
    match (one, other) {
        (
            Fact::Variable { name, old, new },
            Fact::Variable { name: other, old: other_old, new: other_new },
        ) => {
            name == other
                && old.is_some() == other_old.is_some()
                && new.is_some() == other_new.is_some()
        }
        (Fact::Executed { old }, Fact::Executed { old: other }) => old == other,
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

struct View<'v, 's, 'p> {
    old: &'v Side<'s, 'p>,
    new: &'v Side<'s, 'p>,
    changes: &'v Changes,
    change: usize,
}

impl View<'_, '_, '_> {
    /// The line of a node, without facts and stops.
    fn line(&self, node: &Node) -> Option<(Key, Line)> {
        if self.is_end_of_function(node) {
            return None;
        }
        let old = node.old.map(|step| self.old.run.at(step).site);
        let new = node.new.map(|step| self.new.run.at(step).site);
        let matching = &self.changes.matching;
        let new = new.or_else(|| old.and_then(|old| matching.new_site(old)));
        let old = old.or_else(|| new.and_then(|new| matching.old_site(new)));
        let place = |code: &Code<'_>, site: Option<SiteId>| {
            let site = site?;
            Some((code.home(site)?.function, code.location(site)?))
        };
        let (left, mut right) = (place(self.old.code, old), place(self.new.code, new));
        if let (Some((_, location)), None, true) = (left, right, node.change.is_some()) {
            right = self.stand_in(location);
        }
        let (is_old, code, (function, location)) = match (left, right) {
            (_, Some(right)) => (false, self.new.code, right),
            (Some(left), None) => (true, self.old.code, left),
            (None, None) => return None,
        };
        let line = Line {
            new: right.map(|(_, location)| location),
            old: left.map(|(_, location)| location),
            function: code.program.at(function).name.clone(),
            changed: false,
            facts: Vec::new(),
            stops: Vec::new(),
            to: BTreeSet::new(),
        };
        Some(((is_old, function, location.file, location.line), line))
    }

    /// Whether a node only is the return of a function without a result.
    fn is_end_of_function(&self, node: &Node) -> bool {
        let new = node.new.and_then(|step| self.new.code.instruction(self.new.run.at(step).site));
        let old =
            || node.old.and_then(|step| self.old.code.instruction(self.old.run.at(step).site));
        let instruction = new.or_else(old);
        instruction.is_some_and(|it| it.opcode == Opcode::Ret && it.operands.is_empty())
    }

    /// The line of the new version in the place of a changed line of the old one.
    fn stand_in(&self, old: Location) -> Option<(FunctionId, Location)> {
        let change = self.changes.changes.get(self.change)?;
        let (from, to) = (change.old_lines.as_ref()?, change.new_lines.as_ref()?);
        if !(from.first..=from.last).contains(&old.line) || from.file != old.file {
            return None;
        }
        let line = (to.first + old.line - from.first).min(to.last);
        Some((change.new_function?, Location { file: to.file, line, column: 0 }))
    }

    fn fact(&self, node: &Node) -> Option<Fact> {
        let code = if node.new.is_some() { self.new.code } else { self.old.code };
        let site = node.new.map(|step| self.new.run.at(step).site);
        let site = site.or_else(|| node.old.map(|step| self.old.run.at(step).site))?;
        let old = || node.old.and_then(|step| shown(self.old.code, self.old.run.at(step)));
        let new = || node.new.and_then(|step| shown(self.new.code, self.new.run.at(step)));
        let is_pair = node.old.is_some() && node.new.is_some();
        match code.instruction(site)?.opcode {
            Opcode::Store => {
                let name = stored_to(code, site).unwrap_or_else(|| "memory".to_owned());
                Some(Fact::Variable { name, old: old(), new: new() })
            }
            Opcode::Br | Opcode::Switch if is_pair => {
                Some(Fact::Decision { old: old(), new: new() })
            }
            Opcode::Ret if is_pair => Some(Fact::Returned { old: old(), new: new() }),
            Opcode::Call => {
                let bytes = |side: &Side<'_, '_>, step: Option<StepId>| {
                    step.and_then(|step| {
                        side.run.printed.get(&step).map(|print| print.bytes.clone())
                    })
                };
                let (before, after) = (bytes(self.old, node.old), bytes(self.new, node.new));
                match before.is_some() || after.is_some() {
                    true if before != after => Some(Fact::Printed { old: before, new: after }),
                    _ if is_pair => None,
                    _ => Some(Fact::Executed { old: node.new.is_none() }),
                }
            }
            _ if is_pair => None,
            _ => Some(Fact::Executed { old: node.new.is_none() }),
        }
    }
}
