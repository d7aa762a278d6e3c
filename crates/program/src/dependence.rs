//! Data and control dependence, inside functions and across them.
//!
//! Only the memory effects of functions are computed for the whole program in advance. Queries are
//! answered by following facts from their start, through values, memory and decisions, with calls
//! matched to returns ([`slice`]): a graph with all edges of all functions would be larger than the
//! memory of most machines, and most of it would never be used.

mod body;
mod library;
mod memory;
mod slice;

mod backward;
mod forward;

use std::cell::OnceCell;

pub use self::slice::Slice;
use self::{body::Body, memory::Memory, slice::Start};
use parallax_deadline::Deadline;

use crate::{
    graph::{Bits, WholeFlow},
    model::{FunctionId, Instruction, Opcode, Program, SiteId},
    points_to::{CellId, PointsTo},
};

/// The dependences of a program.
pub struct Dependence<'p> {
    program: &'p Program,
    whole: &'p WholeFlow,
    memory: Memory<'p>,
    /// Computed on demand.
    bodies: Vec<OnceCell<Body<'p>>>,
    /// The function of each instruction, by where its instructions start.
    starts: Vec<(u32, FunctionId)>,
    outputs: OnceCell<Bits>,
    deadline: Deadline,
}

/// Which way to follow dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// To what depends on the start.
    Dependents,
    /// To what the start depends on.
    Sources,
}

/// How far to follow dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Direct dependences only, without another instruction in between.
    Direct,
    /// Transitively.
    All,
}

impl<'p> Dependence<'p> {
    /// Prepares a program for queries.
    pub fn new(
        program: &'p Program,
        whole: &'p WholeFlow,
        points_to: &'p PointsTo,
    ) -> Dependence<'p> {
        let starts = program.defined().filter_map(|(id, function)| {
            let first = function.blocks.first()?.instructions.first()?;
            Some((first.site.0, id))
        });
        Dependence {
            program,
            whole,
            memory: Memory::new(program, points_to, &whole.calls),
            bodies: program.functions.iter().map(|_| OnceCell::new()).collect(),
            starts: starts.collect(),
            outputs: OnceCell::new(),
            deadline: Deadline::NEVER,
        }
    }

    /// The same with a deadline: once it is over, a [`Slice`] is all that control can reach, a
    /// superset of the dependents.
    #[must_use]
    pub fn within(self, deadline: Deadline) -> Dependence<'p> {
        Dependence { deadline, ..self }
    }

    /// Whether the deadline is over.
    pub fn is_late(&self) -> bool {
        self.deadline.is_over()
    }

    /// The slice of some instructions.
    pub fn slice(&self, from: &[SiteId], follow: Follow, extent: Extent) -> Slice {
        match follow {
            Follow::Dependents => forward::slice(self, Start { from, decided: &[] }, extent),
            Follow::Sources => backward::slice(self, from, extent),
        }
    }

    /// The instructions that depend on these, or on whether the `decided` ones are executed.
    pub fn dependents(&self, from: &[SiteId], decided: &[SiteId]) -> Slice {
        forward::slice(self, Start { from, decided }, Extent::All)
    }

    /// All instructions: the coarsest superset of dependents.
    pub fn everything(&self) -> Vec<SiteId> {
        let blocks = self.program.defined().flat_map(|(_, function)| &function.blocks);
        blocks.flat_map(|block| &block.instructions).map(|instruction| instruction.site).collect()
    }

    /// The name of a variable that one of the instructions in `from` writes and one in `to` reads.
    pub fn variable(&self, from: &[SiteId], to: &[SiteId]) -> Option<String> {
        let written = |site: &SiteId| Some(self.touched(*site)?.1);
        let written: Vec<_> = from.iter().filter_map(written).flatten().copied().collect();
        let read = |site: &SiteId| Some(self.touched(*site)?.0);
        let mut read = to.iter().filter_map(read).flatten();
        let cell = read.find(|cell| written.contains(cell))?;
        self.memory.name(*cell)
    }

    /// The cells that an instruction reads and writes.
    fn touched(&self, site: SiteId) -> Option<(&[CellId], &[CellId])> {
        let body = self.body(self.function_of(site)?);
        let index = body.index(site);
        Some((body.reads(index), body.writes(index)))
    }

    /// The function that an instruction is in.
    pub fn function_of(&self, site: SiteId) -> Option<FunctionId> {
        let after = self.starts.partition_point(|(start, _)| *start <= site.0);
        self.starts.get(after.checked_sub(1)?).map(|(_, function)| *function)
    }

    /// The instructions with an effect that is visible outside: output, and the exit status of the
    /// program.
    pub fn outputs(&self) -> &Bits {
        self.outputs.get_or_init(|| self.find_outputs())
    }

    fn find_outputs(&self) -> Bits {
        let mut outputs = Bits::default();
        for (id, function) in self.program.defined() {
            let is_main = self.is_main(id);
            for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                let name = instruction.callee.map(|callee| self.program.at(callee));
                let outside = name.filter(|callee| callee.blocks.is_empty() || callee.borrowed);
                let is_output = outside.is_some_and(|callee| is_output(&callee.name));
                if is_output || is_main && instruction.opcode == Opcode::Ret {
                    outputs.insert(instruction.site.0 as usize);
                }
            }
        }
        outputs
    }

    fn body(&self, function: FunctionId) -> &Body<'p> {
        self.bodies[function.0 as usize]
            .get_or_init(|| Body::new(self.program, self.whole, &self.memory, function))
    }

    fn is_main(&self, function: FunctionId) -> bool {
        self.whole.main == Some(function)
    }

    /// Whether a call calls a library function, which may call the program back.
    fn calls_library(&self, call: &Instruction) -> bool {
        call.callee.is_some_and(|callee| !self.is_own(callee))
    }

    /// Whether a function is the program's own.
    fn is_own(&self, function: FunctionId) -> bool {
        !self.program.at(function).blocks.is_empty()
    }
}

/// Library functions that end the program with a status, or show something.
fn is_output(name: &str) -> bool {
    const STATUS: &[&str] = &["exit", "_exit", "_Exit", "abort"];
    STATUS.contains(&name) || library::effect(name).world == library::World::Output
}
