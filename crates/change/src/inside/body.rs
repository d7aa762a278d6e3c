//! A function's body in comparable form.
//!
//! Only part of the compiler's output stands for something in the source. The rest is scaffolding
//! that comes and goes with edits elsewhere: the space of local variables and where it begins and
//! ends, unconditional jumps, the variable that a `return` inside a scope leaves its value in. A
//! [`Body`] keeps the former as [`Item`]s in the order of the code and the latter as locals and
//! ways between items ([`crate::inside::flow`]), so that neither a reordered declaration nor a
//! second `return` looks like a change of everything.

use std::ops::Range;

use parallax_program::{Detail, Function, Instruction, Location, Opcode, Operand, Program, SiteId};

use crate::{
    inside::slot::{Slots, Uses},
    inside::token,
    whole::hash::hash_of,
    whole::identity::Identities,
};

/// Amount of debug information about a function. Two bodies must be read in the same form to be
/// compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Lines and the names of locals are known.
    Sourced,
    /// There is no debug information, at least not in both versions.
    Bare,
}

impl Form {
    /// The form in which these functions can be compared.
    pub(crate) fn of(functions: &[&Function]) -> Form {
        match functions.iter().all(|function| function.location.is_some()) {
            true => Form::Sourced,
            false => Form::Bare,
        }
    }
}

/// The body of a function of one version.
pub(crate) struct Body<'p> {
    pub(crate) function: &'p Function,
    pub(crate) form: Form,
    /// All instructions.
    pub(crate) code: Vec<Code<'p>>,
    /// The instructions that are compared.
    pub(crate) items: Vec<Item>,
    /// The local variables.
    pub(crate) locals: Vec<Local<'p>>,
    /// The blocks.
    pub(crate) parts: Vec<Part>,
    first: u32,
}

/// An instruction, by its position in the function.
pub(crate) struct Code<'p> {
    pub(crate) instruction: &'p Instruction,
    pub(crate) block: usize,
    /// Its own line, or the inferred one.
    pub(crate) place: Option<Location>,
    pub(crate) role: Role,
}

/// The role of an instruction in the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It stands for something in the source.
    Item(usize),
    /// The alloca of a local variable.
    Local(usize),
    /// Glue between the others.
    Scaffold,
}

/// An instruction that stands for something in the source.
pub(crate) struct Item {
    /// The instruction, in [`Body::code`].
    pub(crate) code: usize,
    /// Its operation, without the local values.
    pub(crate) base: u64,
    /// The local values that it uses.
    pub(crate) values: Vec<Value>,
    /// The line that it belongs to; without debug information, the statement.
    pub(crate) unit: u64,
}

/// A value of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Local(usize),
    Item(usize),
    Unknown,
}

/// A local variable.
pub(crate) struct Local<'p> {
    /// Its alloca, in [`Body::code`].
    pub(crate) code: usize,
    pub(crate) name: Option<&'p str>,
    /// The size of its space.
    pub(crate) size: u64,
    /// Its declarations, in [`Body::code`].
    pub(crate) births: Vec<usize>,
}

/// A block.
pub(crate) struct Part {
    pub(crate) code: Range<usize>,
    pub(crate) items: Range<usize>,
    /// The target of a jump out of a scope that it prepares.
    pub(crate) jump: Option<u64>,
    /// Whether its last instruction only continues such a jump.
    pub(crate) takes_up: bool,
}

impl<'p> Body<'p> {
    /// The body of a function.
    pub(crate) fn new(
        program: &'p Program,
        identities: &Identities,
        form: Form,
        function: &'p Function,
    ) -> Body<'p> {
        let code = code(function);
        let first = code.first().map_or(0, |it| it.instruction.site.0);
        let mut body = Body {
            function,
            form,
            code,
            items: Vec::new(),
            locals: Vec::new(),
            parts: Vec::new(),
            first,
        };
        body.find_locals(program);
        let uses = Uses::of(program, &body);
        let slots = Slots::of(&body, &uses);
        body.find_births(&uses);
        body.find_items(identities, &uses, &slots);
        body.find_parts(program, &slots);
        body.find_units(&uses);
        body
    }

    /// The position of an instruction in [`Body::code`].
    pub(crate) fn index(&self, site: SiteId) -> Option<usize> {
        let index = site.0.checked_sub(self.first)? as usize;
        (index < self.code.len()).then_some(index)
    }

    /// The instruction behind an item.
    pub(crate) fn instruction(&self, item: usize) -> &'p Instruction {
        self.code[self.items[item].code].instruction
    }

    /// The local variable that an operand is the address of.
    pub(crate) fn local(&self, operand: Operand) -> Option<usize> {
        let Operand::Site(site) = operand else { return None };
        match self.code[self.index(site)?].role {
            Role::Local(local) => Some(local),
            _ => None,
        }
    }

    /// The line of an instruction in comparable form.
    pub(crate) fn line(&self, code: usize) -> Option<u64> {
        self.code.get(code)?.place.map(line)
    }

    fn find_locals(&mut self, program: &Program) {
        let entry = self.function.blocks.first().map_or(0, |block| block.instructions.len());
        for index in 0..entry {
            let instruction = self.code[index].instruction;
            let count = instruction.operands.first();
            let (Opcode::Alloca, Some(&Operand::Constant(count))) = (instruction.opcode, count)
            else {
                continue;
            };
            let Detail::Local { size, name } = &instruction.detail else { continue };
            let count = program.constants.get(count.0 as usize).map(|it| it.text.as_str());
            self.code[index].role = Role::Local(self.locals.len());
            self.locals.push(Local {
                code: index,
                name: name.as_deref(),
                size: hash_of((size, count)),
                births: Vec::new(),
            });
        }
    }

    fn find_births(&mut self, uses: &Uses) {
        for (local, births) in self.locals.iter_mut().zip(&uses.births) {
            local.births.clone_from(births);
        }
    }

    fn find_items(&mut self, identities: &Identities, uses: &Uses, slots: &Slots) {
        for index in 0..self.code.len() {
            let instruction = self.code[index].instruction;
            if self.code[index].role != Role::Scaffold || slots.is_scaffold(self, uses, index) {
                continue;
            }
            let returns = slots.is_return(self, index);
            let base = match returns {
                true => token::of_return(identities, instruction),
                false => token::of(identities, instruction, self.form),
            };
            let operands = match returns {
                true => instruction.operands.get(..1).unwrap_or_default(),
                false => &instruction.operands,
            };
            let values = operands.iter().filter_map(|operand| self.value(*operand)).collect();
            self.code[index].role = Role::Item(self.items.len());
            self.items.push(Item { code: index, base, values, unit: 0 });
        }
        self.settle_values(slots);
    }

    fn value(&self, operand: Operand) -> Option<Value> {
        let Operand::Site(site) = operand else { return None };
        Some(match self.index(site).map(|index| self.code[index].role) {
            Some(Role::Item(item)) => Value::Item(item),
            Some(Role::Local(local)) => Value::Local(local),
            _ => Value::Unknown,
        })
    }

    /// Resolves values that were used before their instructions were known, those of phis.
    fn settle_values(&mut self, slots: &Slots) {
        for item in 0..self.items.len() {
            if !self.items[item].values.contains(&Value::Unknown) {
                continue;
            }
            let operands = &self.instruction(item).operands;
            let count = match slots.is_return(self, self.items[item].code) {
                true => 1,
                false => operands.len(),
            };
            let values = operands.iter().take(count).filter_map(|operand| self.value(*operand));
            self.items[item].values = values.collect();
        }
    }

    fn find_parts(&mut self, program: &Program, slots: &Slots) {
        let mut start = 0;
        let mut item = 0;
        for block in &self.function.blocks {
            let code = start..start + block.instructions.len();
            start = code.end;
            let items = self.items[item..].iter().take_while(|it| it.code < code.end).count();
            let items = item..item + items;
            item = items.end;
            self.parts.push(Part {
                jump: slots.jump(program, self, code.clone()),
                takes_up: code.clone().next_back().is_some_and(|last| slots.takes_up(self, last)),
                code,
                items,
            });
        }
    }

    fn find_units(&mut self, uses: &Uses) {
        for item in (0..self.items.len()).rev() {
            let code = self.items[item].code;
            let user = uses.only_user(code).and_then(|user| match self.code[user].role {
                Role::Item(user) if user > item => Some(self.items[user].unit),
                _ => None,
            });
            let statement = || user.unwrap_or(STATEMENT | item as u64);
            let line = self.line(code).filter(|_| self.form == Form::Sourced);
            self.items[item].unit = line.unwrap_or_else(statement);
        }
    }
}

/// Marks a unit that is no line.
const STATEMENT: u64 = 1 << 63;

fn line(place: Location) -> u64 {
    u64::from(place.file & 0x7fff_ffff) << 32 | u64::from(place.line)
}

/// All instructions, each at least at the line of the one before it.
fn code(function: &Function) -> Vec<Code<'_>> {
    let mut place = function.location.filter(|place| place.line > 0);
    let mut code = Vec::new();
    for (block, it) in function.blocks.iter().enumerate() {
        for instruction in &it.instructions {
            place = instruction.location.filter(|place| place.line > 0).or(place);
            code.push(Code { instruction, block, place, role: Role::Scaffold });
        }
    }
    code
}
