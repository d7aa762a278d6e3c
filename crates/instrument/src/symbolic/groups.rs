//! Groups of functions that are compiled together, and separately from all others.
//!
//! They are the units of the cache. The end of a group depends on the names of the functions
//! around, not on how many there were before, so that a new function only moves the boundaries next
//! to it. Inlining stays within a group, so neighbours in the source are kept together: a static
//! function that is only called in its group is local to it, as it was in its file. Variables are a
//! group of their own.

use std::collections::{HashMap, HashSet};

use inkwell::llvm_sys::LLVMLinkage;

use super::{
    locals::{fingerprint, is_copied},
    pass::{Convention, IN_PLACE, MODEL, PROBE, TWIN, UNESCAPED, convention},
};
use crate::llvm::{Handle, Opcode, Value};

/// Least number of instructions in a group, if another one follows.
const LEAST: usize = 700;
/// Greatest number of instructions in a group, unless it is one function.
const MOST: usize = 5000;
/// One in so many functions ends its group, if that has enough instructions.
const ENDS: u64 = 4;

/// Functions that are compiled together.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// The functions that are defined in it.
    pub(crate) functions: HashSet<String>,
    /// Whether it defines the variables.
    pub(crate) has_variables: bool,
}

/// A program in groups.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) all: Vec<Group>,
    /// The variables that the program itself defines.
    pub(crate) variables: HashSet<String>,
}

/// Splits a module into groups, and exports its symbols to all groups that need them.
pub(crate) fn distribute(handle: &Handle) -> Groups {
    let functions: Vec<_> =
        handle.functions().into_iter().filter(|function| !function.is_declaration()).collect();
    for function in &functions {
        announce(handle, *function);
    }
    let tied = tied_to_code(handle);
    let all = match is_divisible(handle, &tied) {
        true => cut(&functions),
        false => vec![functions],
    };
    let divided = all.len() > 1;
    let members: HashMap<_, _> = (0_usize..)
        .zip(&all)
        .flat_map(|(group, all)| all.iter().map(move |f| (*f, group)))
        .collect();
    for function in all.iter().flatten().filter(|function| divided && function.is_local()) {
        share_function(handle, *function, &members);
    }
    let variables = handle.globals().into_iter().filter(|variable| !variable.is_declaration());
    for variable in variables.clone().filter(|variable| divided && variable.is_local()) {
        if !is_copied(variable) && !tied.contains(&variable) {
            share(variable);
        }
    }
    let named = |all: &Vec<Value>| Group {
        functions: all.iter().map(|function| function.name()).collect(),
        has_variables: !divided,
    };
    let mut groups: Vec<_> = all.iter().map(named).collect();
    if divided {
        groups.push(Group { has_variables: true, ..Group::default() });
    }
    Groups { all: groups, variables: variables.map(Value::name).collect() }
}

/// Records a function's calling convention for groups that only see its declaration.
fn announce(handle: &Handle, function: Value) {
    if function.has_attribute("naked") || function.has_mark(PROBE) {
        return;
    }
    match convention(function) {
        Convention::Twin => handle.mark(function, TWIN),
        Convention::InPlace => handle.mark(function, IN_PLACE),
    }
}

fn cut(functions: &[Value]) -> Vec<Vec<Value>> {
    let sizes: Vec<_> = functions
        .iter()
        .map(|function| Piece {
            size: function.blocks().iter().map(|block| block.instructions().len()).sum(),
            hash: fingerprint(&function.name()),
            models: function.mark_text(MODEL),
        })
        .collect();
    let mut rest = functions;
    let mut groups = Vec::new();
    for length in lengths(&sizes) {
        let (group, after) = rest.split_at(length);
        groups.push(group.to_vec());
        rest = after;
    }
    groups
}

/// A function, as far as the split needs it.
struct Piece {
    size: usize,
    hash: u64,
    /// The file of models that it is from. The functions that a program uses of one are a group of
    /// their own, so that programs share these groups.
    models: Option<String>,
}

/// The number of functions in each group.
fn lengths(pieces: &[Piece]) -> Vec<usize> {
    let mut lengths = Vec::new();
    let (mut length, mut size) = (0, 0);
    for (index, piece) in pieces.iter().enumerate() {
        let changes = index > 0 && pieces[index - 1].models != piece.models;
        if length > 0 && (changes || size + piece.size > MOST) {
            lengths.push(std::mem::take(&mut length));
            size = 0;
        }
        length += 1;
        size += piece.size;
        // The low bits of this hash are its worst.
        if piece.models.is_none() && size >= LEAST && (piece.hash >> 32).is_multiple_of(ENDS) {
            lengths.push(std::mem::take(&mut length));
            size = 0;
        }
    }
    lengths.extend((length > 0).then_some(length));
    lengths
}

/// Whether the module can be split: code that is not visible here may depend on anything.
fn is_divisible(handle: &Handle, tied: &HashSet<Value>) -> bool {
    let has_one_user = |variable: &Value| {
        let users = users_of(*variable);
        variable.is_local()
            && !users.elsewhere
            && users
                .instructions
                .iter()
                .all(|user| user.parent_function() == users.instructions[0].parent_function())
    };
    !handle.has_assembler() && !handle.has_indirect_functions() && tied.iter().all(has_one_user)
}

/// Variables that hold the addresses of blocks, and those that refer to such a one.
fn tied_to_code(handle: &Handle) -> HashSet<Value> {
    let mut tied = HashSet::new();
    loop {
        let before = tied.len();
        for variable in handle.globals() {
            let is_tied = |contents| holds(contents, &tied);
            if variable.initializer().is_some_and(is_tied) {
                tied.insert(variable);
            }
        }
        if tied.len() == before {
            return tied;
        }
    }
}

fn holds(constant: Value, wanted: &HashSet<Value>) -> bool {
    if constant.as_global().is_some() {
        return wanted.contains(&constant);
    }
    constant.is_block_address()
        || constant.constant_operands().into_iter().any(|part| holds(part, wanted))
}

/// The users of a global.
#[derive(Default)]
struct Users {
    instructions: Vec<Value>,
    /// Whether other things than instructions and code-bound variables use it as well.
    elsewhere: bool,
}

fn users_of(global: Value) -> Users {
    let mut users = Users::default();
    let mut seen = HashSet::new();
    let mut left = vec![global];
    while let Some(value) = left.pop() {
        for user in value.users() {
            match user.as_instruction() {
                Some(instruction) => users.instructions.push(instruction),
                None if user.as_global().is_some() => users.elsewhere = true,
                None if seen.insert(user) => left.push(user),
                None => {}
            }
        }
    }
    users
}

/// Exports a local function to other groups, if they need it.
fn share_function(handle: &Handle, function: Value, groups: &HashMap<Value, usize>) {
    let users = users_of(function);
    let own = groups[&function];
    let is_own = |user: &Value| groups.get(&user.parent_function()) == Some(&own);
    if !users.elsewhere && users.instructions.iter().all(is_own) {
        return function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }
    if !users.elsewhere
        && function.has_mark(TWIN)
        && function.users().into_iter().all(|user| is_plain_call(user, function))
    {
        handle.mark(function, UNESCAPED);
    }
    share(function);
}

/// Whether this is a call of the function with its own type and no other use.
fn is_plain_call(user: Value, function: Value) -> bool {
    user.as_instruction().is_some_and(|user| user.opcode() == Opcode::LLVMCall)
        && user.callee() == function
        && user.call_signature() == function.value_type()
        && !user.arguments().contains(&function)
        && (0..function.parameters().len() as u32).all(|index| {
            user.argument_by_value(index).is_some() == function.by_value(index).is_some()
        })
}

fn share(global: Value) {
    global.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    global.hide();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(names: impl IntoIterator<Item = usize>, size: usize) -> Vec<Piece> {
        let hash = |name| fingerprint(&format!("function_{name}"));
        names.into_iter().map(|name| Piece { size, hash: hash(name), models: None }).collect()
    }

    /// The last functions of groups.
    fn ends(names: &[usize], size: usize) -> HashSet<usize> {
        let mut at = 0;
        let lengths = lengths(&pieces(names.iter().copied(), size));
        assert_eq!(lengths.iter().sum::<usize>(), names.len());
        let end = |length| {
            at += length;
            names[at - 1]
        };
        lengths.into_iter().map(end).collect()
    }

    #[test]
    fn groups_are_neither_tiny_nor_huge() {
        let lengths = lengths(&pieces(0..2000, 50));
        let (_, whole) = lengths.split_last().unwrap();
        assert!(whole.iter().all(|length| (LEAST..=MOST).contains(&(length * 50))));
    }

    #[test]
    fn a_function_more_or_less_moves_few_boundaries() {
        let old: Vec<_> = (0..2000).collect();
        let mut new = old.clone();
        new.insert(700, 5000);
        new.remove(1300);
        let moved = ends(&old, 50).symmetric_difference(&ends(&new, 50)).count();
        assert!(moved <= 12, "{moved} boundaries moved");
    }

    #[test]
    fn a_large_function_is_a_group_and_so_is_each_file_of_models() {
        let of = |file: &str, piece| Piece { models: Some(file.to_owned()), ..piece };
        let mut all = pieces(0..3, MOST + 1);
        all.extend(pieces(3..5, LEAST).into_iter().map(|piece| of("print", piece)));
        all.extend(pieces(5..20, LEAST / 3).into_iter().map(|piece| of("scan", piece)));
        assert_eq!(lengths(&all), [1, 1, 1, 2, 15]);
    }
}
