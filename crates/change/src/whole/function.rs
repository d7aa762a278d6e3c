//! Matching of functions.
//!
//! The name decides, even if the signature differs: people look for `parse` under `parse`. Of
//! several `static` functions of one name, those in files of the same name belong together.
//! Unmatched functions are matched by their bodies.

use parallax_program::{FunctionId, Program};

use crate::{
    whole::global, whole::identity::Identities, whole::name, whole::pairing::Pairing,
    whole::similar,
};

/// The functions and globals that are in both versions.
pub(crate) struct Named {
    pub(crate) functions: Pairing,
    pub(crate) globals: Pairing,
}

impl Named {
    /// Pairs the functions and globals of two versions.
    pub(crate) fn find(old: &Program, new: &Program) -> Named {
        let mut functions = by_name(old, new);
        let globals = global::pair(old, new);
        let (left, right) = Identities::without_unpaired(old, new, &functions, &globals);
        similar::join(old, new, (&left, &right), &mut functions);
        Named { functions, globals }
    }

    /// The renamed functions.
    pub(crate) fn renamed(&self, old: &Program, new: &Program) -> Vec<(FunctionId, FunctionId)> {
        let pairs = self.functions.pairs().filter(|&(left, right)| {
            name::of_function(&old.functions[left]) != name::of_function(&new.functions[right])
        });
        pairs.map(|(old, new)| (FunctionId(old as u32), FunctionId(new as u32))).collect()
    }
}

fn by_name(old: &Program, new: &Program) -> Pairing {
    let mut pairing = Pairing::empty(old.functions.len(), new.functions.len());
    let placed = |program, index| placed(program, index);
    pairing.join_by_key(|index| placed(old, index), |index| placed(new, index));
    let named = |program: &Program, index: usize| {
        Some(name::of_function(&program.functions[index]).to_owned())
    };
    pairing.join_by_key(|index| named(old, index), |index| named(new, index));
    pairing
}

/// The name of a function and of the file it is in; `None` if it is only declared.
fn placed(program: &Program, index: usize) -> Option<(String, String)> {
    let function = &program.functions[index];
    let file = name::of_file(program, function.location).unwrap_or_default();
    let defined = !function.blocks.is_empty();
    defined.then(|| (name::of_function(function).to_owned(), file.to_owned()))
}
