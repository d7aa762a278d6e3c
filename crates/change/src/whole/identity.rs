//! Identities of types, constants, globals and functions in both versions, as one number.
//!
//! Each version has numbers of its own. An identity is the same number on both sides exactly for
//! equal things: types by their text, paired functions and globals by their pair, literals by their
//! content, constants by their text and the identities of the addresses in it.
//!
//! Facts about the source itself are not part of it: the path of a source file in a literal is
//! reduced to the file's name, and a call with its file and its own line number as arguments, like
//! every assertion, loses the line. Otherwise a comment would change every assertion behind it.

use std::collections::HashSet;

use parallax_program::{Constant, Function, Global, Instruction, Opcode, Operand, Program, TypeId};

use crate::{whole::global::is_literal, whole::hash::hash_of, whole::pairing::Pairing};

/// Depth limit for literals that hold addresses of literals.
const DEPTH: u32 = 6;

/// The identities of one version's types, constants, globals and functions.
pub(crate) struct Identities {
    types: Vec<u64>,
    constants: Vec<u64>,
    globals: Vec<u64>,
    functions: Vec<u64>,
    /// The value of each constant that may be a line number.
    numbers: Vec<Option<u32>>,
    /// The names of the source files.
    files: HashSet<String>,
    /// The literals that hold one of them, by their identity.
    named_files: HashSet<u64>,
}

impl Identities {
    /// The identities of both versions; unpaired things equal nothing in the other version.
    pub(crate) fn of_both(
        old: &Program,
        new: &Program,
        functions: &Pairing,
        globals: &Pairing,
    ) -> (Identities, Identities) {
        let left = |kind: &str, index: usize| hash_of((kind, "old", index));
        let right = |kind: &str, index: usize| hash_of((kind, "new", index));
        Identities::with(old, new, (functions, globals), left, right)
    }

    /// The same, but all things without a counterpart yet are equal.
    pub(crate) fn without_unpaired(
        old: &Program,
        new: &Program,
        functions: &Pairing,
        globals: &Pairing,
    ) -> (Identities, Identities) {
        let any = |kind: &str, _: usize| hash_of((kind, "unpaired"));
        Identities::with(old, new, (functions, globals), any, any)
    }

    fn with(
        old: &Program,
        new: &Program,
        (functions, globals): (&Pairing, &Pairing),
        left: impl Fn(&str, usize) -> u64,
        right: impl Fn(&str, usize) -> u64,
    ) -> (Identities, Identities) {
        let known = |kind: &str, pair: Option<usize>| pair.map(|old| hash_of((kind, "pair", old)));
        let left = |kind: &str, pairing: &Pairing, index: usize| {
            let pair = pairing.new_of(index).map(|_| index);
            known(kind, pair).unwrap_or_else(|| left(kind, index))
        };
        let right = |kind: &str, pairing: &Pairing, index: usize| {
            known(kind, pairing.old_of(index)).unwrap_or_else(|| right(kind, index))
        };
        (
            Identities::of(
                old,
                |it| left("function", functions, it),
                |it| left("global", globals, it),
            ),
            Identities::of(
                new,
                |it| right("function", functions, it),
                |it| right("global", globals, it),
            ),
        )
    }

    fn of(
        program: &Program,
        function: impl Fn(usize) -> u64,
        global: impl Fn(usize) -> u64,
    ) -> Identities {
        let mut identities = Identities {
            types: program.types.iter().map(|it| hash_of(&it.text)).collect(),
            constants: Vec::new(),
            functions: (0..program.functions.len()).map(function).collect(),
            globals: (0..program.globals.len()).map(global).collect(),
            numbers: program.constants.iter().map(number).collect(),
            files: program.files.iter().map(|path| file_name(path).to_owned()).collect(),
            named_files: HashSet::new(),
        };
        let named = identities.files.iter().map(|file| of_file_name(file));
        identities.named_files = named.collect();
        let literals = program.globals.iter().enumerate().filter(|(_, it)| is_literal(it));
        let contents: Vec<_> =
            literals.map(|(index, it)| (index, identities.content(program, it, DEPTH))).collect();
        for (index, content) in contents {
            identities.globals[index] = content;
        }
        identities.constants = program.constants.iter().map(|it| identities.value(it)).collect();
        identities
    }

    /// The content of a literal.
    fn content(&self, program: &Program, literal: &Global, depth: u32) -> u64 {
        let constant = literal.initializer.and_then(|it| program.constants.get(it.0 as usize));
        let Some(constant) = constant else { return 0 };
        let named = quoted(&constant.text).map(file_name).filter(|it| self.files.contains(*it));
        if let Some(file) = named {
            return of_file_name(file);
        }
        let held = constant.addresses.iter().map(|address| match address.base {
            Operand::Global(id) => match program.globals.get(id.0 as usize) {
                // A cycle ends somewhere, on both sides in the same place.
                Some(inner) if is_literal(inner) && depth == 0 => {
                    let constant = inner.initializer;
                    let constant = constant.and_then(|it| program.constants.get(it.0 as usize));
                    hash_of(constant.map(|constant| &constant.text))
                }
                Some(inner) if is_literal(inner) => self.content(program, inner, depth - 1),
                _ => self.of_operand(address.base),
            },
            base => self.of_operand(base),
        });
        hash_of((&constant.text, held.collect::<Vec<_>>()))
    }

    fn value(&self, constant: &Constant) -> u64 {
        let held = constant.addresses.iter().map(|address| self.of_operand(address.base));
        hash_of((&constant.text, held.collect::<Vec<_>>()))
    }

    /// A type.
    pub(crate) fn of_type(&self, id: TypeId) -> u64 {
        self.types.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The function type.
    pub(crate) fn signature(&self, function: &Function) -> u64 {
        self.of_type(function.signature)
    }

    /// The initial value of a global.
    pub(crate) fn initial(&self, global: &Global) -> Option<u64> {
        global.initializer.and_then(|id| self.constants.get(id.0 as usize)).copied()
    }

    /// An operand of an instruction.
    pub(crate) fn of_use(&self, instruction: &Instruction, operand: Operand) -> u64 {
        if let (Opcode::Call, Operand::Constant(id)) = (instruction.opcode, operand) {
            let line = instruction.location.map(|location| location.line);
            let number = self.numbers.get(id.0 as usize).copied().flatten();
            if number.is_some() && number == line && self.is_told_its_file(instruction) {
                return hash_of("own line");
            }
        }
        self.of_operand(operand)
    }

    fn is_told_its_file(&self, call: &Instruction) -> bool {
        call.operands.iter().any(|it| self.named_files.contains(&self.of_operand(*it)))
    }

    /// An operand with a meaning in the whole program; of the others, only their kind.
    pub(crate) fn of_operand(&self, operand: Operand) -> u64 {
        let known = match operand {
            Operand::Global(id) => self.globals.get(id.0 as usize),
            Operand::Function(id) => self.functions.get(id.0 as usize),
            Operand::Constant(id) => self.constants.get(id.0 as usize),
            Operand::Parameter(index) => return hash_of(("parameter", index)),
            Operand::Site(_) => return 1,
            Operand::Other => return 2,
        };
        known.copied().unwrap_or_default()
    }
}

/// The value of an integer of the width of `__LINE__`.
fn number(constant: &Constant) -> Option<u32> {
    constant.text.strip_prefix("i32 ")?.parse().ok()
}

/// The text of a string literal.
fn quoted(text: &str) -> Option<&str> {
    let (_, text) = text.split_once(" c\"")?;
    text.strip_suffix("\\00\"")
}

fn of_file_name(name: &str) -> u64 {
    hash_of(("file", name))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
