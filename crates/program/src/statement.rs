//! Statements: instructions that belong together in the source.
//!
//! The front end computes an expression without interruption and ends with an effect: a store, a
//! call, a jump. So a statement ends at such an instruction once none of its values is needed any
//! more. A decision in the middle of an expression (`&&`, `?:`) ends one, too.

use std::{collections::HashMap, ops::Range};

use crate::model::{
    Block, BlockId, FunctionId, Instruction, Location, Opcode, Operand, Program, SiteId,
};

/// A statement, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

/// Instructions that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The instructions, by their ids.
    pub sites: Range<u32>,
    /// Where it begins in the source.
    pub location: Option<Location>,
    /// Whether it is only a jump.
    pub is_silent: bool,
}

impl Statement {
    /// The instructions.
    pub fn sites(&self) -> impl Iterator<Item = SiteId> {
        self.sites.clone().map(SiteId)
    }
}

/// All statements of a program, in the order of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    statements: Vec<Statement>,
}

impl Statements {
    /// The statements of a program.
    pub fn new(program: &Program) -> Statements {
        let mut statements = Vec::new();
        for (function, contents) in program.defined() {
            for (block, contents) in (0..).map(BlockId).zip(&contents.blocks) {
                for range in ranges(program, contents) {
                    let instructions = &contents.instructions[range];
                    statements.extend(statement(program, function, block, instructions));
                }
            }
        }
        Statements { statements }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// A statement.
    pub fn get(&self, id: StatementId) -> &Statement {
        &self.statements[id.0 as usize]
    }

    /// The statement that an instruction is part of.
    pub fn of(&self, site: SiteId) -> Option<StatementId> {
        let after = self.statements.partition_point(|statement| statement.sites.start <= site.0);
        let index = after.checked_sub(1)?;
        let is_in = self.statements[index].sites.contains(&site.0);
        is_in.then_some(StatementId(index as u32))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (StatementId, &Statement)> {
        (0..).map(StatementId).zip(&self.statements)
    }
}

fn statement(
    program: &Program,
    function: FunctionId,
    block: BlockId,
    instructions: &[Instruction],
) -> Option<Statement> {
    let (first, last) = (instructions.first()?, instructions.last()?);
    let locations = instructions.iter().filter_map(|instruction| instruction.location);
    let location = locations.filter(|location| location.line > 0).min();
    let is_silent = !instructions.iter().any(|instruction| has_effect(program, instruction));
    Some(Statement { function, block, sites: first.site.0..last.site.0 + 1, location, is_silent })
}

/// The positions of the statements of a block.
fn ranges(program: &Program, block: &Block) -> Vec<Range<usize>> {
    let mut last_use: HashMap<SiteId, usize> = HashMap::new();
    for (index, instruction) in block.instructions.iter().enumerate() {
        for operand in &instruction.operands {
            if let Operand::Site(site) = operand {
                last_use.insert(*site, index);
            }
        }
    }
    let mut ranges = Vec::new();
    let (mut start, mut needed) = (0, 0);
    for (index, instruction) in block.instructions.iter().enumerate() {
        // The alloca of a variable serves all statements.
        if instruction.opcode != Opcode::Alloca {
            needed = needed.max(last_use.get(&instruction.site).copied().unwrap_or(0));
        }
        if needed <= index && has_effect(program, instruction) {
            ranges.push(start..index + 1);
            start = index + 1;
        }
    }
    // An unconditional jump is part of the statement before it.
    match ranges.last_mut() {
        Some(last) => last.end = block.instructions.len(),
        None => ranges.push(0..block.instructions.len()),
    }
    ranges
}

/// Whether an instruction may be the end of a statement. Markers about the program are not: they
/// belong to the next statement.
fn has_effect(program: &Program, instruction: &Instruction) -> bool {
    match instruction.opcode {
        Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Fence => true,
        Opcode::Br => !instruction.operands.is_empty(),
        Opcode::Ret | Opcode::Switch | Opcode::IndirectBr => true,
        Opcode::Call | Opcode::Invoke | Opcode::CallBr => {
            let name = instruction.callee.map(|callee| program.at(callee).name.as_str());
            !name.is_some_and(|name| name.starts_with("llvm.lifetime."))
        }
        _ => false,
    }
}
