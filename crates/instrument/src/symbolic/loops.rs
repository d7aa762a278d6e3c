//! Copies of inner loops that run while nothing symbolic is in reach.
//!
//! A loop that native code vectorises is thirty times slower once each of its loads looks for a
//! label. But if the bounds of a loop's accesses can be computed before it starts, one look at that
//! memory decides whether the copy without probes may run.

mod decide;
mod find;
mod predicate;

use std::collections::{HashMap, HashSet};

use self::{
    find::{Loop, inner_loops},
    predicate::{inverse, is_signed, leads_to_end, swapped},
};
use super::pass::Pass;
use crate::llvm::{Block, Opcode, Value};

/// The largest loop that is copied, in instructions.
const LARGEST: usize = 400;
/// Limit on different addresses that are checked before a loop.
const MOST_ACCESSES: usize = 12;
/// The largest variable that is checked as a whole.
const LARGEST_OBJECT: u64 = 1 << 16;

/// A loop that has a copy.
///
/// It names instructions of the loop only: those outside may have been replaced when it is asked.
pub(crate) struct FastLoop {
    /// The call in front of it that decides which copy runs; the weaver replaces it.
    pub(crate) marker: Value,
    /// The original of each copied block.
    pub(crate) originals: HashMap<Block, Block>,
    bound: Option<Bound>,
    accesses: Vec<Access>,
    counters: HashMap<Value, Counter>,
    /// The instructions of the loop itself.
    inside: Vec<Value>,
    preheader: Block,
}

/// A header phi that changes by the same amount in each iteration.
#[derive(Clone, Copy)]
struct Counter {
    /// In units of its type; bytes of a pointer.
    step: i64,
}

/// A comparison that ends the loop: a bound on its iterations.
#[derive(Clone, Copy)]
struct Bound {
    counter: Value,
    comparison: Value,
    /// The operand of the comparison that changes; the other one is the limit.
    moving: u32,
    signed: bool,
}

/// Memory that the loop may touch.
#[derive(Clone, Copy)]
enum Access {
    /// The memory that this load or store touches as counters move, this many bytes at a time.
    Range { access: Value, size: u64 },
    /// All of a variable.
    Object { start: Value, size: u64 },
}

/// Copies the loops of a function that can be copied.
pub(crate) fn copy_loops(pass: &Pass, function: Value) -> Vec<FastLoop> {
    let found = inner_loops(function);
    found
        .into_iter()
        .filter_map(|found| Candidate::new(pass, found)?.copy(pass, function))
        .collect()
}

/// A loop under inspection.
struct Candidate {
    found: Loop,
    code: Vec<Value>,
    inside: HashSet<Value>,
    counters: HashMap<Value, Counter>,
    bound: Option<Bound>,
    accesses: Vec<Access>,
}

impl Candidate {
    fn new(pass: &Pass, found: Loop) -> Option<Candidate> {
        let all: Vec<_> = found.blocks.iter().flat_map(|block| block.instructions()).collect();
        let is_small = all.len() <= LARGEST;
        if !is_small || !all.iter().all(|instruction| is_plain(pass, *instruction)) {
            return None;
        }
        let mut candidate = Candidate {
            inside: all.iter().copied().collect(),
            code: all.clone(),
            found,
            counters: HashMap::new(),
            bound: None,
            accesses: Vec::new(),
        };
        candidate.find_counters(pass);
        candidate.find_bound();
        for instruction in all {
            candidate.add_access(pass, instruction)?;
        }
        (candidate.accesses.len() <= MOST_ACCESSES).then_some(candidate)
    }

    fn is_outside(&self, value: Value) -> bool {
        !self.inside.contains(&value)
    }

    fn find_counters(&mut self, pass: &Pass) {
        for phi in self.found.header.instructions() {
            if phi.opcode() != Opcode::LLVMPHI {
                break;
            }
            let incoming = phi.incoming();
            let from = |block| incoming.iter().find(|(_, b)| *b == block).map(|(value, _)| *value);
            if let Some(step) = from(self.found.latch).and_then(|next| step(pass, phi, next)) {
                self.counters.insert(phi, Counter { step });
            }
        }
    }

    /// A comparison with an invariant in every iteration that can end the loop.
    fn find_bound(&mut self) {
        let conditions: Vec<_> =
            self.found.blocks.iter().flat_map(|b| self.conditions(*b)).collect();
        self.bound =
            conditions.into_iter().find_map(|(test, goes_on)| self.bound_by(test, goes_on));
    }

    /// The conditions tested in every iteration, and their values for the loop to go on.
    fn conditions(&self, block: Block) -> Vec<(Value, bool)> {
        let is_passed = block == self.found.header || block == self.found.latch;
        let Some(test) = block.terminator().filter(|test| test.is_conditional()) else {
            return Vec::new();
        };
        let leaves = test.successors().iter().position(|way| !self.found.blocks.contains(way));
        let Some(leaving) = leaves else { return Vec::new() };
        let condition = test.operand(0);
        match condition.as_instruction().map(Value::opcode) {
            Some(Opcode::LLVMICmp) if is_passed => vec![(condition, leaving == 1)],
            // `a && b`: false at once if a is, and a is evaluated in every iteration.
            Some(Opcode::LLVMPHI) if condition.block() == block => {
                let stops = u64::from(leaving == 0);
                let header = self.found.header;
                let decided = condition
                    .incoming()
                    .into_iter()
                    .any(|(value, from)| value.as_constant_int() == Some(stops) && from == header);
                let test = header.terminator().filter(|test| decided && test.is_conditional());
                let way = |test: &Value| test.successors().iter().position(|way| *way == block);
                test.iter().filter_map(|test| Some((test.operand(0), way(test)? == 1))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn bound_by(&self, condition: Value, goes_on: bool) -> Option<Bound> {
        condition.as_instruction().filter(|c| c.opcode() == Opcode::LLVMICmp)?;
        let (left, right) = (condition.operand(0), condition.operand(1));
        let predicate = condition.int_predicate();
        let predicate = if goes_on { predicate } else { inverse(predicate) };
        let ways = [(0, left, right, predicate), (1, right, left, swapped(predicate))];
        ways.into_iter().find_map(|(index, moving, limit, predicate)| {
            let counter = self.counter_of(moving).filter(|_| self.is_outside(limit))?;
            let step = self.counters[&counter].step;
            let ends = moves_like_its_counter(moving) && leads_to_end(predicate, step);
            let signed = is_signed(predicate);
            ends.then_some(Bound { counter, comparison: condition, moving: index, signed })
        })
    }

    /// The counter that a value changes with, monotonically.
    fn counter_of(&self, value: Value) -> Option<Value> {
        if self.counters.contains_key(&value) {
            return Some(value);
        }
        let instruction = value.as_instruction().filter(|i| !self.is_outside(*i))?;
        let moving = |value: Value| (!self.is_outside(value)).then(|| self.counter_of(value));
        match instruction.opcode() {
            Opcode::LLVMSExt | Opcode::LLVMZExt => self.counter_of(instruction.operand(0)),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMGetElementPtr => {
                let operands = instruction.operands();
                let mut found = operands.iter().filter_map(|operand| moving(*operand));
                match (found.next(), found.next()) {
                    (Some(counter), None) => counter,
                    _ => None,
                }
            }
            Opcode::LLVMMul | Opcode::LLVMShl => {
                let (left, right) = (instruction.operand(0), instruction.operand(1));
                if self.is_outside(right) { self.counter_of(left) } else { None }
            }
            _ => None,
        }
    }

    fn add_access(&mut self, pass: &Pass, instruction: Value) -> Option<()> {
        let ty = match instruction.opcode() {
            Opcode::LLVMLoad => instruction.ty(),
            Opcode::LLVMStore => instruction.operand(0).ty(),
            _ => return Some(()),
        };
        let access = self.access(pass, instruction, pass.handle.store_size(ty))?;
        let is_known = self.accesses.iter().any(|known| known.covers(&access));
        if !is_known {
            self.accesses.push(access);
        }
        Some(())
    }

    fn access(&self, pass: &Pass, access: Value, size: u64) -> Option<Access> {
        let address = accessed(access);
        let moves = self.bound.is_some() && self.counter_of(address).is_some();
        if self.is_outside(address) || moves {
            return Some(Access::Range { access, size });
        }
        let (start, size) = object(pass, address)?;
        (size <= LARGEST_OBJECT).then_some(Access::Object { start, size })
    }

    fn copy(self, pass: &Pass, function: Value) -> Option<FastLoop> {
        let handle = &pass.handle;
        let builder = handle.builder();
        let mut values: HashMap<Value, Value> = HashMap::new();
        let mut blocks: HashMap<Block, Block> = HashMap::new();
        for block in &self.found.blocks {
            blocks.insert(*block, handle.append_block(function));
        }
        for block in &self.found.blocks {
            builder.at_end(blocks[block]);
            for instruction in block.instructions() {
                let copy = match instruction.opcode() {
                    Opcode::LLVMPHI => builder.phi(instruction.ty()),
                    _ => builder.copy(instruction),
                };
                values.insert(instruction, copy);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each copy is completed by itself")]
        for (original, copy) in &values {
            let kept = |value: Value| values.get(&value).copied().unwrap_or(value);
            if original.opcode() == Opcode::LLVMPHI {
                for (value, block) in original.incoming() {
                    copy.add_incoming(kept(value), blocks.get(&block).copied().unwrap_or(block));
                }
                continue;
            }
            copy.replace_operands(&kept);
            for (index, block) in original.successors_if_any().into_iter().enumerate() {
                if let Some(block) = blocks.get(&block) {
                    copy.set_successor(index as u32, *block);
                }
            }
        }
        self.join_exits(&values, &blocks);
        let terminator = self.found.preheader.terminator()?;
        builder.before(terminator);
        let (probe, signature) = pass.marker();
        let marker = builder.call(signature, probe, &[]);
        builder.branch(marker, blocks[&self.found.header], self.found.header);
        terminator.erase();
        let preheader = self.found.preheader;
        let originals = blocks.into_iter().map(|(original, copy)| (copy, original)).collect();
        let Candidate { counters, bound, accesses, code: inside, .. } = self;
        Some(FastLoop { marker, originals, bound, accesses, counters, inside, preheader })
    }

    /// Adds the exits of the copy to the phis behind the loop.
    fn join_exits(&self, values: &HashMap<Value, Value>, blocks: &HashMap<Block, Block>) {
        let mut known = HashSet::new();
        let exits = self.found.blocks.iter().flat_map(|block| block.successors());
        for exit in exits.filter(|block| !blocks.contains_key(block) && known.insert(*block)) {
            for phi in exit.instructions() {
                if phi.opcode() != Opcode::LLVMPHI {
                    break;
                }
                for (value, block) in phi.incoming() {
                    if let Some(copy) = blocks.get(&block) {
                        phi.add_incoming(values.get(&value).copied().unwrap_or(value), *copy);
                    }
                }
            }
        }
    }
}

impl FastLoop {
    /// Values from outside that are used inside.
    fn invariants(&self) -> Vec<Value> {
        let inside: HashSet<_> = self.inside.iter().copied().collect();
        let mut seen = inside.clone();
        let operands = self.inside.iter().flat_map(|instruction| match instruction.opcode() {
            Opcode::LLVMPHI => instruction.incoming().into_iter().map(|(value, _)| value).collect(),
            _ => instruction.operands(),
        });
        operands.filter(|operand| seen.insert(*operand)).collect()
    }

    /// The initial value of a counter.
    fn start_of(&self, counter: Value) -> Option<Value> {
        let incoming = counter.incoming();
        incoming.into_iter().find(|(_, block)| *block == self.preheader).map(|(value, _)| value)
    }
}

/// The address of a load or store.
fn accessed(access: Value) -> Value {
    access.operand(u32::from(access.opcode() == Opcode::LLVMStore))
}

impl Access {
    fn covers(&self, other: &Access) -> bool {
        match (*self, *other) {
            (Access::Range { access, size }, Access::Range { access: other, size: s }) => {
                accessed(access) == accessed(other) && size >= s
            }
            (Access::Object { start, size }, Access::Object { start: other, size: s }) => {
                start == other && size >= s
            }
            _ => false,
        }
    }
}

/// Whether an instruction changes nothing but values and memory at its address.
fn is_plain(pass: &Pass, instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMCall => pass.called(instruction).is_some_and(|callee| {
            let name = callee.name();
            super::intrinsic::is_arithmetic(&name)
        }),
        Opcode::LLVMLoad | Opcode::LLVMStore => !instruction.is_atomic(),
        Opcode::LLVMInvoke
        | Opcode::LLVMCallBr
        | Opcode::LLVMIndirectBr
        | Opcode::LLVMAlloca
        | Opcode::LLVMFence
        | Opcode::LLVMAtomicCmpXchg
        | Opcode::LLVMAtomicRMW
        | Opcode::LLVMVAArg
        | Opcode::LLVMLandingPad => false,
        _ => true,
    }
}

/// The change of a phi until `next`.
fn step(pass: &Pass, phi: Value, next: Value) -> Option<i64> {
    let next = next.as_instruction()?;
    let constant = |value: Value| value.as_signed_constant();
    match next.opcode() {
        Opcode::LLVMAdd if next.operand(0) == phi => constant(next.operand(1)),
        Opcode::LLVMSub if next.operand(0) == phi => {
            constant(next.operand(1)).map(i64::wrapping_neg)
        }
        Opcode::LLVMGetElementPtr if next.operand(0) == phi && next.operands().len() == 2 => {
            let size = pass.handle.size(next.source_element()) as i64;
            constant(next.operand(1)).map(|count| count * size)
        }
        _ => None,
    }
    .filter(|step| *step != 0)
}

/// Whether a value changes by the step of its counter, not by a multiple or the opposite.
fn moves_like_its_counter(value: Value) -> bool {
    match value.as_instruction().map(Value::opcode) {
        Some(Opcode::LLVMPHI) => true,
        Some(Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMAdd) => {
            let value = value.operand(0);
            value.as_instruction().is_some_and(moves_like_its_counter)
        }
        _ => false,
    }
}

/// The variable that contains an address, if it is computed from one.
fn object(pass: &Pass, address: Value) -> Option<(Value, u64)> {
    let mut base = address;
    while let Some(gep) = base.as_instruction().filter(|i| i.opcode() == Opcode::LLVMGetElementPtr)
    {
        base = gep.operand(0);
    }
    if let Some(global) = base.as_global_variable().filter(|g| !g.is_thread_local()) {
        let is_known = !global.is_declaration() || pass.variables.contains(&global);
        return is_known.then(|| (global, pass.handle.size(global.value_type())));
    }
    let alloca = base.as_instruction().filter(|i| i.opcode() == Opcode::LLVMAlloca)?;
    let count = alloca.operand(0).as_constant_int()?;
    Some((alloca, pass.handle.size(alloca.allocated()) * count))
}
