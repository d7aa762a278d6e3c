//! Private local variables, whose address does not escape, and the stores that reach each of their
//! loads.
//!
//! The compiler's plain output keeps every variable in memory. One whose address is only used to
//! load and store all of it is private: a load sees the stores that reach it along the blocks and
//! nothing else. Only these are followed through the control flow; all other memory is not, so
//! the constraints stay a plain set.

use std::collections::HashMap;

use super::set::Quick;
use crate::model::{BlockId, Detail, Function, Instruction, Opcode, Operand, Program, SiteId};

/// The source of a value that is loaded from a private variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// None: the variable was never stored.
    Nowhere,
    /// The value that one store stored.
    Stored(Operand),
    /// One of several, by the index into [`Flow::merges`].
    Merged(u32),
}

/// The private variables of a function and the loads of those that can hold pointers.
#[derive(Default)]
pub(super) struct Flow {
    /// The variables, sorted.
    pub(super) private: Vec<SiteId>,
    /// The source of each load of one.
    pub(super) loads: HashMap<SiteId, Source, Quick>,
    /// The inputs of each merge point.
    pub(super) merges: Vec<Vec<Source>>,
}

/// Limit on merge points; a variable with more is treated as one value.
const MOST_MERGES: usize = 128;

/// Limit on steps to find its stores, likewise.
const MOST_STEPS: usize = 8192;

/// The bytes of a pointer.
pub(super) const POINTER: u64 = 8;

impl Flow {
    pub(super) fn of(program: &Program, function: &Function) -> Flow {
        let variables = private_variables(program, function);
        let mut private: Vec<_> = variables.keys().copied().collect();
        private.sort_unstable();
        let mut flow = Flow { private, ..Flow::default() };
        let blocks = predecessors(function);
        let mut uses = Uses::of(function, &variables);
        for site in flow.private.clone() {
            let Some(used) = uses.0.remove(&site) else { continue };
            flow.follow(&used, &blocks);
        }
        flow
    }

    fn follow(&mut self, used: &Used, before: &[Vec<BlockId>]) {
        match &used.stores[..] {
            [] => self.resolve(&used.loads, Source::Nowhere),
            [only] => self.resolve(&used.loads, Source::Stored(only.value)),
            _ if used.volatile => self.follow_as_one(used),
            _ => {
                let mut walk = Walk::new(used, before, self.merges.len() as u32);
                let found: Option<Vec<Source>> =
                    used.loads.iter().map(|load| walk.load(load)).collect();
                match found.filter(|_| walk.finish()) {
                    Some(found) => {
                        let sites = used.loads.iter().map(|load| load.site);
                        self.loads.extend(sites.zip(found));
                        self.merges.append(&mut walk.merges);
                    }
                    None => self.follow_as_one(used),
                }
            }
        }
    }

    fn follow_as_one(&mut self, used: &Used) {
        let merged = Source::Merged(self.merges.len() as u32);
        self.merges.push(used.stores.iter().map(|store| Source::Stored(store.value)).collect());
        self.resolve(&used.loads, merged);
    }

    fn resolve(&mut self, loads: &[Load], source: Source) {
        self.loads.extend(loads.iter().map(|load| (load.site, source)));
    }
}

/// The private variables and their sizes.
fn private_variables(program: &Program, function: &Function) -> HashMap<SiteId, u64, Quick> {
    let mut found: HashMap<SiteId, u64, Quick> = HashMap::default();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let Some(size) = size_of_one(program, instruction) {
            found.insert(instruction.site, size);
        }
    }
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        for (index, operand) in instruction.operands.iter().enumerate() {
            let Operand::Site(site) = operand else { continue };
            let Some(&size) = found.get(site) else { continue };
            if !is_plain_use(program, instruction, index, size) {
                found.remove(site);
            }
        }
    }
    found
}

/// The size of a local variable, unless it is an array of a length that is not known.
pub(super) fn size_of_one(program: &Program, instruction: &Instruction) -> Option<u64> {
    let Detail::Local { size, .. } = instruction.detail else { return None };
    let Some(&Operand::Constant(count)) = instruction.operands.first() else { return None };
    let count = &program.constants.get(count.0 as usize)?.text;
    (instruction.opcode == Opcode::Alloca && count.ends_with(" 1")).then_some(size)
}

/// Whether an operand is the address of a load or store of the whole variable, or of a lifetime
/// marker.
fn is_plain_use(program: &Program, instruction: &Instruction, index: usize, size: u64) -> bool {
    let whole =
        matches!(instruction.detail, Detail::Access { size: accessed, .. } if accessed == size);
    match instruction.opcode {
        Opcode::Load => whole,
        Opcode::Store => whole && index == 1,
        Opcode::Call => is_marker(program, instruction),
        _ => false,
    }
}

/// Whether a call is a lifetime marker.
fn is_marker(program: &Program, instruction: &Instruction) -> bool {
    let callee = instruction.callee.and_then(|id| program.functions.get(id.0 as usize));
    callee.is_some_and(|callee| callee.name.starts_with("llvm.lifetime."))
}

/// The predecessors of each block, each once.
fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut before = vec![Vec::new(); function.blocks.len()];
    for (id, block) in (0..).map(BlockId).zip(&function.blocks) {
        for next in &block.successors {
            let Some(before) = before.get_mut(next.0 as usize) else { continue };
            if before.last() != Some(&id) {
                before.push(id);
            }
        }
    }
    before
}

/// A load of a variable, in the order of the code.
#[derive(Clone, Copy)]
struct Load {
    site: SiteId,
    block: BlockId,
}

/// A store to it.
#[derive(Clone, Copy)]
struct Store {
    site: SiteId,
    block: BlockId,
    value: Operand,
}

/// The loads and stores of a variable.
#[derive(Default)]
struct Used {
    loads: Vec<Load>,
    stores: Vec<Store>,
    volatile: bool,
}

/// The loads and stores of all private variables that are big enough for a pointer.
struct Uses(HashMap<SiteId, Used, Quick>);

impl Uses {
    fn of(function: &Function, variables: &HashMap<SiteId, u64, Quick>) -> Uses {
        let mut uses = Uses(HashMap::default());
        for (block, body) in (0..).map(BlockId).zip(&function.blocks) {
            for instruction in &body.instructions {
                uses.note(instruction, block, variables);
            }
        }
        uses
    }

    fn note(
        &mut self,
        instruction: &Instruction,
        block: BlockId,
        variables: &HashMap<SiteId, u64, Quick>,
    ) {
        let (Opcode::Load | Opcode::Store, Some(Operand::Site(variable))) =
            (instruction.opcode, instruction.operands.last())
        else {
            return;
        };
        if variables.get(variable).is_none_or(|size| *size < POINTER) {
            return;
        }
        let used = self.0.entry(*variable).or_default();
        used.volatile |= matches!(instruction.detail, Detail::Access { volatile: true, .. });
        let site = instruction.site;
        match instruction.opcode {
            Opcode::Load => used.loads.push(Load { site, block }),
            _ => used.stores.push(Store { site, block, value: instruction.operands[0] }),
        }
    }
}

/// The search for the stores that reach the loads of one variable.
struct Walk<'a> {
    used: &'a Used,
    before: &'a [Vec<BlockId>],
    /// The last store of each block that has one.
    last: HashMap<BlockId, Operand, Quick>,
    /// The values at the start of merge blocks.
    meetings: HashMap<BlockId, u32, Quick>,
    /// Merge blocks with unknown inputs.
    open: Vec<(BlockId, u32)>,
    first: u32,
    merges: Vec<Vec<Source>>,
    steps: usize,
}

impl<'a> Walk<'a> {
    fn new(used: &'a Used, before: &'a [Vec<BlockId>], first: u32) -> Walk<'a> {
        let last = used.stores.iter().map(|store| (store.block, store.value)).collect();
        let (meetings, open, merges) = (HashMap::default(), Vec::new(), Vec::new());
        Walk { used, before, last, meetings, open, first, merges, steps: 0 }
    }

    /// The source of a load; `None` if the limit is reached.
    fn load(&mut self, load: &Load) -> Option<Source> {
        let earlier = self.used.stores.partition_point(|store| store.site < load.site);
        match self.used.stores[..earlier].last().filter(|store| store.block == load.block) {
            Some(store) => Some(Source::Stored(store.value)),
            None => self.at_start(load.block),
        }
    }

    /// The value at the start of a block.
    fn at_start(&mut self, mut block: BlockId) -> Option<Source> {
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            match self.before.get(block.0 as usize).map_or(&[][..], Vec::as_slice) {
                [] => return Some(Source::Nowhere),
                [only] => match self.last.get(only) {
                    Some(value) => return Some(Source::Stored(*value)),
                    None => block = *only,
                },
                _ => return Some(Source::Merged(self.meeting(block))),
            }
        }
    }

    fn meeting(&mut self, block: BlockId) -> u32 {
        let next = self.first + self.merges.len() as u32;
        let meeting = *self.meetings.entry(block).or_insert(next);
        if meeting == next {
            self.merges.push(Vec::new());
            self.open.push((block, next));
        }
        meeting
    }

    /// Finds the inputs of all merge blocks; false if there are too many.
    fn finish(&mut self) -> bool {
        while let Some((block, meeting)) = self.open.pop() {
            let before = self.before;
            for from in &before[block.0 as usize] {
                let source = match self.last.get(from) {
                    Some(value) => Some(Source::Stored(*value)),
                    None => self.at_start(*from),
                };
                let Some(source) = source.filter(|_| self.merges.len() <= MOST_MERGES) else {
                    return false;
                };
                self.merges[(meeting - self.first) as usize].push(source);
            }
        }
        true
    }
}
