//! Differences of two programs outside of instructions.
//!
//! Variables that the loader, the linker or the C library read (a list of constructors, the members
//! of a section, `opterr`), attributes, names that a library has as well, constants that became
//! writable or the reverse: the same instructions do something else with them. The order of
//! variables, too: it decides what lies behind the end of one.

use std::collections::BTreeMap;

use parallax_program::{Function, Global, Program, is_known_function, is_known_variable};

use crate::{
    change::Cause,
    whole::{
        function::Named,
        global::{ChangedGlobals, is_literal},
        name,
    },
};

/// The first such difference, if there is any.
pub(crate) fn difference(
    (old, new): (&Program, &Program),
    named: &Named,
    changed: &ChangedGlobals,
) -> Option<Cause> {
    if old.frame.assembler != new.frame.assembler {
        return Some(Cause::Frame("the assembler outside of functions".to_owned()));
    }
    let function = named.functions.pairs().find(|&(x, y)| {
        let (left, right) = (&old.functions[x], &new.functions[y]);
        old.frame.functions.get(x) != new.frame.functions.get(y)
            || known_function(left) != known_function(right)
    });
    if let Some((_, y)) = function {
        let name = name::of_function(&new.functions[y]);
        return Some(Cause::Frame(format!("how {name} is declared")));
    }
    variable((old, new), named, changed).or_else(|| layout((old, new), named))
}

/// Variables that are defined in another order, or beside others: an access out of bounds reaches
/// another one.
fn layout((old, new): (&Program, &Program), named: &Named) -> Option<Cause> {
    let takes_memory = |program: &Program, index: usize| {
        let global = &program.globals[index];
        global.initializer.is_some() && !is_literal(global) && !global.name.starts_with("llvm.")
    };
    let partners: BTreeMap<usize, usize> = named.globals.pairs().collect();
    let before = (0..old.globals.len()).filter(|index| takes_memory(old, *index));
    let after = (0..new.globals.len()).filter(|index| takes_memory(new, *index));
    let is_same = before.map(|index| partners.get(&index).copied()).eq(after.map(Some));
    (!is_same).then(|| Cause::Frame("the list of variables".to_owned()))
}

fn variable(
    (old, new): (&Program, &Program),
    named: &Named,
    changed: &ChangedGlobals,
) -> Option<Cause> {
    let differs = named.globals.pairs().find(|&(x, y)| {
        let (left, right) = (&old.globals[x], &new.globals[y]);
        left.constant != right.constant
            || old.frame.globals.get(x) != new.frame.globals.get(y)
            || known_variable(left) != known_variable(right)
            || changed.contains(y) && is_looked_at(new, y)
    });
    if let Some((_, y)) = differs {
        return Some(Cause::Global(name::of_global(&new.globals[y]).to_owned()));
    }
    let lonely = |program: &Program, all: Vec<usize>| {
        let found = all.into_iter().find(|index| is_looked_at(program, *index));
        found.map(|index| Cause::Global(name::of_global(&program.globals[index]).to_owned()))
    };
    lonely(new, named.globals.lonely_new()).or_else(|| lonely(old, named.globals.lonely_old()))
}

/// Whether code outside of the program reads a variable.
fn is_looked_at(program: &Program, index: usize) -> bool {
    let global = &program.globals[index];
    let is_listed = program.frame.globals.get(index).is_some_and(|text| !text.is_empty());
    match global.name.strip_prefix("llvm.") {
        Some(list) => list.starts_with("global_ctors") || list.starts_with("global_dtors"),
        None => known_variable(global).is_some() || is_listed && !is_literal(global),
    }
}

/// The name of a function that a compiler treats as the library's.
fn known_function(function: &Function) -> Option<&str> {
    let is_defined = function.external && !function.blocks.is_empty();
    let name = name::of_function(function);
    (is_defined && is_known_function(name)).then_some(name)
}

/// The name of a variable that the library reads.
fn known_variable(global: &Global) -> Option<&str> {
    let is_defined = global.external && global.initializer.is_some();
    let name = name::of_global(global);
    (is_defined && is_known_variable(name)).then_some(name)
}
