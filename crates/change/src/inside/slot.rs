//! Variables that the compiler introduces to leave scopes.
//!
//! If a function has several `return`s, or one from inside a scope, each stores its value in a
//! variable and jumps to the end, which loads it. If scopes end on the way, another variable
//! selects where to go on after each. Whether a function has them depends on the whole function, so
//! they are looked through: stores to the former are the returns, the latter only selects the way.
//! They have no name and no declaration, which only debug information shows; without it, they are
//! compared as any other variable.

use std::ops::Range;

use parallax_program::{Opcode, Operand, Program};

use crate::inside::body::{Body, Form, Role};

/// The uses of values in a body.
pub(crate) struct Uses {
    /// For each instruction: how many use it, and the last one of them.
    users: Vec<(u32, usize)>,
    /// For each local: its declarations.
    pub(crate) births: Vec<Vec<usize>>,
    /// Calls without an effect at run time.
    quiet: Vec<bool>,
}

impl Uses {
    /// Collects the uses in a body whose locals are known.
    pub(crate) fn of(program: &Program, body: &Body<'_>) -> Uses {
        let mut uses = Uses {
            users: vec![(0, 0); body.code.len()],
            births: vec![Vec::new(); body.locals.len()],
            quiet: vec![false; body.code.len()],
        };
        for (index, code) in body.code.iter().enumerate() {
            let callee =
                code.instruction.callee.and_then(|id| program.functions.get(id.0 as usize));
            let name = callee.map_or("", |function| function.name.as_str());
            uses.quiet[index] = name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.");
            for operand in &code.instruction.operands {
                uses.note(body, index, *operand, name.starts_with("llvm.lifetime.start"));
            }
        }
        uses
    }

    fn note(&mut self, body: &Body<'_>, user: usize, operand: Operand, birth: bool) {
        let Operand::Site(site) = operand else { return };
        let Some(used) = body.index(site) else { return };
        self.users[used] = (self.users[used].0 + 1, user);
        if let (Role::Local(local), true) = (body.code[used].role, birth) {
            self.births[local].push(user);
        }
    }

    /// The user of a value with only one.
    pub(crate) fn only_user(&self, code: usize) -> Option<usize> {
        match self.users[code] {
            (1, user) => Some(user),
            _ => None,
        }
    }

    /// Whether an instruction is a call without an effect at run time.
    pub(crate) fn is_quiet(&self, code: usize) -> bool {
        self.quiet[code]
    }
}

/// The purpose of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// A variable of the program.
    Variable,
    /// The value of a `return`, loaded at the end of the function.
    Result,
    /// The target after the end of a scope.
    Jump,
}

/// The purposes of the locals of a body.
pub(crate) struct Slots(Vec<Slot>);

/// The accesses of a local.
#[derive(Clone, Default)]
struct Habits {
    results: u32,
    jumps: u32,
    stores: u32,
    constants: u32,
    others: u32,
}

impl Slots {
    /// Classifies the locals.
    pub(crate) fn of(body: &Body<'_>, uses: &Uses) -> Slots {
        let habits = habits(body, uses);
        let slots = body.locals.iter().zip(&habits).map(|(local, habits)| {
            if local.name.is_some() || body.form == Form::Bare || habits.others > 0 {
                Slot::Variable
            } else if habits.results == 1 && habits.jumps == 0 {
                Slot::Result
            } else if habits.results == 0 && habits.stores == habits.constants && habits.stores > 0
            {
                Slot::Jump
            } else {
                Slot::Variable
            }
        });
        Slots(slots.collect())
    }

    /// Whether an instruction does not stand for anything in the source.
    pub(crate) fn is_scaffold(&self, body: &Body<'_>, uses: &Uses, code: usize) -> bool {
        let instruction = body.code[code].instruction;
        let on_slot = |slot| self.slot_at(body, code) == Some(slot);
        match instruction.opcode {
            Opcode::Br => instruction.operands.is_empty(),
            Opcode::Unreachable => true,
            Opcode::Call => uses.is_quiet(code),
            Opcode::Load => on_slot(Slot::Result) || on_slot(Slot::Jump),
            // The implicit zero that `main` returns has no place in the source.
            Opcode::Store => {
                let is_preset = body.code[code].block == 0 && instruction.location.is_none();
                on_slot(Slot::Jump) || on_slot(Slot::Result) && is_preset
            }
            Opcode::Ret => self.loads(body, code, Slot::Result),
            Opcode::Switch => self.takes_up(body, code),
            _ => false,
        }
    }

    /// Whether an instruction returns from the function, in whichever form.
    pub(crate) fn is_return(&self, body: &Body<'_>, code: usize) -> bool {
        match body.code[code].instruction.opcode {
            Opcode::Ret => true,
            Opcode::Store => self.slot_at(body, code) == Some(Slot::Result),
            _ => false,
        }
    }

    /// Whether an instruction continues a prepared jump.
    pub(crate) fn takes_up(&self, body: &Body<'_>, code: usize) -> bool {
        let is_switch = body.code[code].instruction.opcode == Opcode::Switch;
        is_switch && self.loads(body, code, Slot::Jump)
    }

    /// The jump that some code prepares.
    pub(crate) fn jump(
        &self,
        program: &Program,
        body: &Body<'_>,
        code: Range<usize>,
    ) -> Option<u64> {
        let mut stores = code.rev().filter(|&code| {
            let is_store = body.code[code].instruction.opcode == Opcode::Store;
            is_store && self.slot_at(body, code) == Some(Slot::Jump)
        });
        let stored = body.code[stores.next()?].instruction.operands.first()?;
        let Operand::Constant(id) = stored else { return None };
        let text = &program.constants.get(id.0 as usize)?.text;
        text.rsplit(' ').next()?.parse().ok()
    }

    /// The slot that a load or store accesses, if it is a local.
    fn slot_at(&self, body: &Body<'_>, code: usize) -> Option<Slot> {
        let local = body.local(*body.code[code].instruction.operands.last()?)?;
        self.0.get(local).copied()
    }

    /// Whether an instruction uses a value loaded from such a slot.
    fn loads(&self, body: &Body<'_>, code: usize, slot: Slot) -> bool {
        let Some(Operand::Site(site)) = body.code[code].instruction.operands.first() else {
            return false;
        };
        let load = body.index(*site);
        let load = load.filter(|&it| body.code[it].instruction.opcode == Opcode::Load);
        load.is_some_and(|load| self.slot_at(body, load) == Some(slot))
    }
}

fn habits(body: &Body<'_>, uses: &Uses) -> Vec<Habits> {
    let mut habits = vec![Habits::default(); body.locals.len()];
    for (index, code) in body.code.iter().enumerate() {
        let instruction = code.instruction;
        for (position, operand) in instruction.operands.iter().enumerate() {
            let Some(local) = body.local(*operand) else { continue };
            let habits = &mut habits[local];
            match (instruction.opcode, position) {
                (Opcode::Load, _) => habits.note_load(body, uses.only_user(index)),
                (Opcode::Store, 1) => {
                    habits.stores += 1;
                    let constant = matches!(instruction.operands[0], Operand::Constant(_));
                    habits.constants += u32::from(constant);
                }
                _ => habits.others += 1,
            }
        }
    }
    habits
}

impl Habits {
    fn note_load(&mut self, body: &Body<'_>, user: Option<usize>) {
        match user.map(|user| body.code[user].instruction.opcode) {
            Some(Opcode::Ret) => self.results += 1,
            Some(Opcode::Switch) => self.jumps += 1,
            _ => self.others += 1,
        }
    }
}
