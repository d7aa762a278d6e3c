//! Tokens: the operation of an instruction as one number that is the same in both versions.
//!
//! Tokens leave out meaningless differences: numbers of instructions, names and the position of
//! local variables, and of addresses everything but their computation.

use parallax_program::{Detail, Instruction, Operand};

use crate::{
    inside::body::{Body, Form, Value},
    whole::hash::hash_of,
    whole::identity::Identities,
};

/// An instruction, except for the local values that it works on.
pub(crate) fn of(identities: &Identities, instruction: &Instruction, form: Form) -> u64 {
    let operands = instruction.operands.iter().enumerate();
    let operands = operands.filter(|(index, _)| !is_in_offset(instruction, *index));
    let operands: Vec<_> = operands
        .map(|(_, it)| match form {
            Form::Sourced => identities.of_use(instruction, *it),
            Form::Bare => identities.of_operand(*it),
        })
        .collect();
    hash_of((
        instruction.opcode,
        identities.of_type(instruction.result),
        detail(identities, &instruction.detail),
        operands,
    ))
}

/// A return, in whichever form.
pub(crate) fn of_return(identities: &Identities, instruction: &Instruction) -> u64 {
    let value = instruction.operands.first();
    hash_of(("return", value.map(|operand| identities.of_operand(*operand))))
}

/// Whether a part of an address computation is in the constant part already.
fn is_in_offset(instruction: &Instruction, index: usize) -> bool {
    let Detail::Address { strides, .. } = &instruction.detail else { return false };
    let stride = index.checked_sub(1).and_then(|index| strides.get(index));
    let constant = matches!(instruction.operands.get(index), Some(Operand::Constant(_)));
    constant && stride.is_some_and(Option::is_none)
}

fn detail(identities: &Identities, detail: &Detail) -> u64 {
    match detail {
        Detail::None | Detail::Incoming(_) => 0,
        Detail::Flags(flags) => hash_of(("flags", flags)),
        Detail::Predicate(predicate) => hash_of(("predicate", predicate)),
        Detail::Access { size, volatile } => hash_of(("access", size, volatile)),
        Detail::Local { size, .. } => hash_of(("local", size)),
        Detail::Address { offset, strides, .. } => {
            hash_of(("address", offset, strides.iter().flatten().collect::<Vec<_>>()))
        }
        Detail::Call { signature, no_return } => {
            hash_of(("call", identities.of_type(*signature), no_return))
        }
        Detail::Indices(indices) => hash_of(("indices", indices)),
        Detail::Text(text) => hash_of(("text", text)),
    }
}

/// The tokens of a body's items.
pub(crate) struct Tokens {
    /// Each item by itself.
    pub(crate) plain: Vec<u64>,
    /// Each item with the whole computation of its operands.
    pub(crate) deep: Vec<u64>,
}

impl Tokens {
    /// The tokens of a body whose locals are distinguished by these classes.
    pub(crate) fn of(body: &Body<'_>, classes: &[u64]) -> Tokens {
        let mut tokens = Tokens { plain: Vec::new(), deep: Vec::new() };
        for item in &body.items {
            let (mut plain, mut deep) = (Vec::new(), Vec::new());
            for value in &item.values {
                let local = match value {
                    Value::Local(local) => classes.get(*local).copied(),
                    _ => None,
                };
                let computed = match value {
                    Value::Item(item) => tokens.deep.get(*item).copied(),
                    _ => None,
                };
                plain.push(local);
                deep.push(local.or(computed));
            }
            tokens.plain.push(hash_of((item.base, plain)));
            tokens.deep.push(hash_of((item.base, deep)));
        }
        tokens
    }
}
