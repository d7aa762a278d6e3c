//! Matching of global variables, and differences of their initial values.
//!
//! Globals that the compiler introduces, string literals above all, have numbers for names; they
//! are identified by their content and need no counterpart. All others are matched by name, and the
//! rest by initial value, in order: a renamed variable is in the place of the old one.

use std::collections::{BTreeMap, BTreeSet};

use parallax_program::{Global, Operand, Program};

use crate::{whole::identity::Identities, whole::name, whole::pairing::Pairing};

/// Prefixes of the compiler's names for globals without a name in the source.
const MADE_UP: [&str; 5] = [".", "__const.", "__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__."];

/// Whether a global is identified by its content alone.
pub(crate) fn is_literal(global: &Global) -> bool {
    let made_up = MADE_UP.iter().any(|start| global.name.starts_with(start));
    made_up && global.constant && !global.external && global.initializer.is_some()
}

/// Pairs the globals that are no literals.
pub(crate) fn pair(old: &Program, new: &Program) -> Pairing {
    let mut pairing = Pairing::empty(old.globals.len(), new.globals.len());
    pairing.join_by_key(|index| placed(old, index), |index| placed(new, index));
    pairing.join_by_key(|index| named(old, index), |index| named(new, index));
    pairing.join_by_key(|index| valued(old, index), |index| valued(new, index));
    pairing
}

fn variable(program: &Program, index: usize) -> Option<&Global> {
    program.globals.get(index).filter(|global| !is_literal(global))
}

fn placed(program: &Program, index: usize) -> Option<(&str, &str)> {
    let global = variable(program, index)?;
    Some((name::of_global(global), name::of_file(program, global.location)?))
}

fn named(program: &Program, index: usize) -> Option<&str> {
    variable(program, index).map(name::of_global)
}

fn valued(program: &Program, index: usize) -> Option<(&str, u64, bool)> {
    let global = variable(program, index)?;
    let value = program.constants.get(global.initializer?.0 as usize)?;
    Some((&value.text, global.size, global.constant))
}

/// The globals of the new version whose use is a change although the code that uses them is the
/// same, each with the name of the one with another initial value.
pub(crate) struct ChangedGlobals {
    changed: BTreeMap<usize, String>,
    /// Those with the same size as before.
    same_size: BTreeSet<usize>,
}

impl ChangedGlobals {
    /// Compares the initial values of the globals.
    pub(crate) fn find(
        (old, new): (&Program, &Program),
        globals: &Pairing,
        (left, right): (&Identities, &Identities),
    ) -> ChangedGlobals {
        let differ = globals.pairs().filter(|&(x, y)| {
            let (x, y) = (&old.globals[x], &new.globals[y]);
            (x.size, left.initial(x)) != (y.size, right.initial(y))
        });
        let differ: BTreeMap<_, _> =
            differ.map(|(_, y)| (y, name::of_global(&new.globals[y]).to_owned())).collect();
        let same_size =
            globals.pairs().filter(|&(x, y)| old.globals[x].size == new.globals[y].size);
        let same_size = same_size.map(|(_, y)| y).collect();
        let changed = if differ.is_empty() { differ } else { through_tables(new, differ) };
        ChangedGlobals { changed, same_size }
    }

    /// Whether a global of the new version has another initial value or size.
    pub(crate) fn contains(&self, global: usize) -> bool {
        self.changed.contains_key(&global)
    }

    /// The name of the changed global behind an operand of the new version; if the operand is only
    /// written to, only if its size differs.
    pub(crate) fn behind<'a>(
        &'a self,
        program: &'a Program,
        operand: Operand,
        is_replaced: bool,
    ) -> Option<&'a str> {
        if self.changed.is_empty() {
            return None;
        }
        let named = named_by(program, operand).into_iter();
        let mut seen = named.filter(|global| !is_replaced || !self.same_size.contains(global));
        seen.find_map(|global| self.changed.get(&global)).map(String::as_str)
    }
}

/// The globals that an operand is an address of or in.
fn named_by(program: &Program, operand: Operand) -> Vec<usize> {
    match operand {
        Operand::Global(global) => vec![global.0 as usize],
        Operand::Constant(constant) => {
            let constant = program.constants.get(constant.0 as usize);
            let held = constant.into_iter().flat_map(|constant| &constant.addresses);
            held.filter_map(|address| match address.base {
                Operand::Global(global) => Some(global.0 as usize),
                _ => None,
            })
            .collect()
        }
        _ => Vec::new(),
    }
}

/// Adds unnamed tables through which changed globals are reached.
fn through_tables(program: &Program, changed: BTreeMap<usize, String>) -> BTreeMap<usize, String> {
    let operands = program.instructions().flat_map(|instruction| &instruction.operands);
    let direct: BTreeSet<_> = operands.flat_map(|&operand| named_by(program, operand)).collect();
    let mut reached = changed;
    loop {
        let tables = program.globals.iter().enumerate().filter_map(|(index, global)| {
            let held = named_by(program, Operand::Constant(global.initializer?));
            let hidden = held.into_iter().filter(|held| !direct.contains(held));
            let name = hidden.into_iter().find_map(|held| reached.get(&held))?;
            (!reached.contains_key(&index)).then(|| (index, name.clone()))
        });
        let tables: Vec<_> = tables.collect();
        if tables.is_empty() {
            return reached;
        }
        reached.extend(tables);
    }
}
