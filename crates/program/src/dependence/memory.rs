//! Memory accesses of instructions and functions.

use std::{cell::RefCell, collections::HashMap};

use super::{
    body::OwnCall,
    library::{Arguments, World, effect},
};
use crate::{
    graph::{Bits, CallGraph, Digraph},
    model::{Detail, FunctionId, Instruction, Opcode, Operand, Program, SiteId},
    points_to::{CellId, Object, PointsTo, Quick},
};

/// An odd number without pattern: cells with different accesses have different products.
const MIXER: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

type Overlapping = HashMap<(CellId, Option<u64>), Vec<CellId>>;

/// The kind of access to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    /// It may read it.
    Read,
    /// It may write it.
    Write,
    /// It overwrites all of the cell and nothing else: the old value is gone.
    Replace,
}

/// The memory accesses of a program.
pub(super) struct Memory<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    calls: &'p CallGraph,
    world: Cells,
    /// The class of each cell: cells that the same instructions access in the same way are one
    /// class.
    alike: Vec<CellId>,
    /// A member of each class.
    classes: Vec<CellId>,
    /// The accesses of instructions, each cell only once.
    touches: HashMap<SiteId, Vec<(CellId, Touch)>, Quick>,
    /// The cells that an access of a size at a cell touches, cached.
    overlapping: RefCell<Overlapping>,
    /// The cells that each function reads, itself or in callees.
    read: Vec<Bits>,
    /// The cells that each function writes.
    written: Vec<Bits>,
    recursive: Bits,
    /// The classes of local variables whose life ends with a call of each function.
    gone: Vec<Bits>,
    /// The names of local variables.
    names: HashMap<SiteId, String>,
}

impl<'p> Memory<'p> {
    pub(super) fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        calls: &'p CallGraph,
    ) -> Memory<'p> {
        let mut memory = Memory {
            program,
            points_to,
            calls,
            world: Cells::new(program, points_to),
            alike: Vec::new(),
            classes: Vec::new(),
            gone: Vec::new(),
            touches: HashMap::default(),
            overlapping: RefCell::default(),
            read: Vec::new(),
            written: Vec::new(),
            recursive: Bits::default(),
            names: program.instructions().filter_map(local_name).collect(),
        };
        (memory.alike, memory.classes) = memory.alike();
        memory.find_touches();
        memory.overlapping = RefCell::default();
        memory.summarise();
        memory.gone = memory.gone();
        memory
    }

    /// Partitions cells into classes with equal accesses: the class of each cell, and a member of
    /// each class.
    fn alike(&self) -> (Vec<CellId>, Vec<CellId>) {
        let count = self.world.own as usize + Cells::MORE;
        let mut touched: Vec<u128> = vec![0; count];
        for (function, contents) in self.program.defined() {
            for instruction in contents.blocks.iter().flat_map(|block| &block.instructions) {
                for (cell, touch) in self.touched(function, instruction) {
                    let known = &mut touched[cell.0 as usize];
                    let touch = u128::from(instruction.site.0) << 2 | touch as u128;
                    *known = (known.rotate_left(47) ^ touch).wrapping_mul(MIXER);
                }
            }
        }
        let mut numbers: HashMap<_, CellId> = HashMap::new();
        let cells = (0..count as u32).map(CellId);
        // A local variable ends when its function returns.
        let key = |cell: CellId| (touched[cell.0 as usize], self.local_of(cell));
        let mut classes = Vec::new();
        let mut class = |cell: CellId| {
            let next = CellId(classes.len() as u32);
            *numbers.entry(key(cell)).or_insert_with(|| {
                classes.push(cell);
                next
            })
        };
        let alike = cells.map(&mut class).collect();
        (alike, classes)
    }

    fn find_touches(&mut self) {
        let program = self.program;
        for (function, contents) in program.defined() {
            for instruction in contents.blocks.iter().flat_map(|block| &block.instructions) {
                let mut touches = self.touched(function, instruction);
                for (cell, _) in &mut touches {
                    *cell = self.alike[cell.0 as usize];
                }
                touches.sort_unstable();
                touches.dedup();
                if !touches.is_empty() {
                    self.touches.insert(instruction.site, touches);
                }
            }
        }
    }

    /// Computes the reads and writes of each function, callees before callers; mutually recursive
    /// functions share them.
    fn summarise(&mut self) {
        let count = self.program.functions.len();
        let mut edges = Vec::new();
        for (caller, function) in self.program.defined() {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            // Calls with the same possible callees are one here.
            let mut fans: Vec<_> =
                instructions.filter_map(|it| Some((self.calls.fan(it.site)?, it.site))).collect();
            fans.sort_unstable();
            fans.dedup_by_key(|(fan, _)| *fan);
            for callee in fans.iter().flat_map(|(_, site)| self.calls.callees(*site)) {
                edges.push((caller.0, callee.0));
            }
        }
        let graph = Digraph::new(count, &edges);
        let components = graph.components();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|function| components[*function as usize]);
        self.read = vec![Bits::default(); count];
        self.written = vec![Bits::default(); count];
        for group in
            order.chunk_by(|one, other| components[*one as usize] == components[*other as usize])
        {
            let (mut read, mut written) = (Bits::default(), Bits::default());
            for function in group {
                self.add_own(FunctionId(*function), &mut read, &mut written);
                for callee in graph.successors(*function) {
                    read.add_all(&self.read[*callee as usize]);
                    written.add_all(&self.written[*callee as usize]);
                }
            }
            let calls_itself = graph.successors(group[0]).contains(&group[0]);
            for function in group {
                if calls_itself || group.len() > 1 {
                    self.recursive.insert(*function as usize);
                }
                self.read[*function as usize] = read.clone();
                self.written[*function as usize] = written.clone();
            }
        }
    }

    fn add_own(&self, function: FunctionId, read: &mut Bits, written: &mut Bits) {
        let blocks = &self.program.at(function).blocks;
        for instruction in blocks.iter().flat_map(|block| &block.instructions) {
            for &(cell, touch) in self.touches(instruction) {
                // Private variables of a function are invisible to others.
                if self.is_private(cell) {
                    continue;
                }
                match touch {
                    Touch::Read => _ = read.insert(cell.0 as usize),
                    Touch::Write | Touch::Replace => _ = written.insert(cell.0 as usize),
                }
            }
        }
    }

    /// Whether a function, or one that it calls, may write a cell.
    pub(super) fn may_write(&self, function: FunctionId, cell: CellId) -> bool {
        self.written[function.0 as usize].contains(cell.0 as usize)
    }

    /// The name of the variable that a class is part of.
    pub(super) fn name(&self, class: CellId) -> Option<String> {
        match self.object(self.member(class)?)? {
            Object::Global(global) => Some(self.program.globals[global.0 as usize].name.clone()),
            Object::Local(local) => self.names.get(&local).cloned(),
            _ => None,
        }
    }

    /// One of the cells of a class.
    fn member(&self, class: CellId) -> Option<CellId> {
        self.classes.get(class.0 as usize).copied()
    }

    /// The object of a cell; `None` if it is part of the world.
    fn object(&self, cell: CellId) -> Option<Object> {
        (cell.0 < self.world.own).then(|| self.points_to.cell(cell).object)
    }

    fn local_of(&self, cell: CellId) -> Option<SiteId> {
        match self.object(cell)? {
            Object::Local(local) => Some(local),
            _ => None,
        }
    }

    /// The local variables whose life ends with a call of each function.
    fn gone(&self) -> Vec<Bits> {
        let mut owners: HashMap<SiteId, FunctionId> = HashMap::new();
        for (id, function) in self.program.defined().filter(|(id, _)| !self.is_recursive(*id)) {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            let locals = instructions.filter(|it| it.opcode == Opcode::Alloca);
            owners.extend(locals.map(|local| (local.site, id)));
        }
        let mut gone = vec![Bits::default(); self.program.functions.len()];
        for (class, cell) in self.classes.iter().enumerate() {
            if let Some(owner) = self.local_of(*cell).and_then(|local| owners.get(&local)) {
                gone[owner.0 as usize].insert(class);
            }
        }
        gone
    }

    /// The classes of local variables whose life ends with a call of a function.
    pub(super) fn gone_with(&self, function: FunctionId) -> &Bits {
        &self.gone[function.0 as usize]
    }

    /// The cells that a function, or a callee, may read.
    pub(super) fn readable(&self, function: FunctionId) -> &Bits {
        &self.read[function.0 as usize]
    }

    /// The cells that a function, or a callee, may write.
    pub(super) fn writable(&self, function: FunctionId) -> &Bits {
        &self.written[function.0 as usize]
    }

    /// Whether a function may be called while it is running.
    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(function.0 as usize)
    }

    /// Whether a cell belongs to a local variable whose address does not escape.
    fn is_private(&self, class: CellId) -> bool {
        let local = self.member(class).and_then(|cell| self.local_of(cell));
        local.is_some_and(|local| self.points_to.is_private(local))
    }

    /// The call of an instruction, if it leaves the function.
    pub(super) fn own_call(&self, index: u32, instruction: &Instruction) -> Option<OwnCall> {
        let site = instruction.site;
        self.calls.matters(site).then(|| {
            let callees = self.calls.callees(site).iter().copied();
            let is_own = |callee: &FunctionId| !self.program.at(*callee).blocks.is_empty();
            OwnCall {
                index,
                callees: callees.filter(is_own).collect(),
                is_exit: self.calls.exits().iter().any(|exit| exit.site == site),
                is_jump: self.calls.jumps().iter().any(|jump| jump.site == site),
            }
        })
    }

    /// Whether an instruction fetches arguments that its function does not name.
    pub(super) fn takes_more_arguments(&self, instruction: &Instruction) -> bool {
        let name = instruction.callee.map(|callee| self.program.at(callee).name.as_str());
        name.is_some_and(|name| name.starts_with("llvm.va_start"))
    }

    /// The cells that an instruction reads and writes, without those of the program's own callees.
    pub(super) fn touches(&self, instruction: &Instruction) -> &[(CellId, Touch)] {
        self.touches.get(&instruction.site).map_or(&[], Vec::as_slice)
    }

    fn touched(&self, function: FunctionId, instruction: &Instruction) -> Vec<(CellId, Touch)> {
        let operand = |index: usize| instruction.operands.get(index).copied();
        match (&instruction.opcode, &instruction.detail) {
            (Opcode::Load, Detail::Access { size, .. }) => {
                self.through(function, operand(0), Some(*size), Touch::Read)
            }
            (Opcode::Store, Detail::Access { size, .. }) => {
                let cells = self.through(function, operand(1), Some(*size), Touch::Write);
                match cells[..] {
                    [(cell, _)] if self.is_all_of(cell, *size) => vec![(cell, Touch::Replace)],
                    _ => cells,
                }
            }
            (Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::VaArg, _) => {
                let read = self.through(function, operand(0), None, Touch::Read);
                let written = read.iter().map(|(cell, _)| (*cell, Touch::Write));
                read.iter().copied().chain(written).collect()
            }
            (Opcode::Call | Opcode::Invoke | Opcode::CallBr, _) => {
                self.touched_by_call(function, instruction)
            }
            _ => Vec::new(),
        }
    }

    fn touched_by_call(
        &self,
        function: FunctionId,
        instruction: &Instruction,
    ) -> Vec<(CellId, Touch)> {
        let callees = self.calls.callees(instruction.site).iter();
        let mut outside: Vec<_> = callees.map(|callee| self.program.at(*callee)).collect();
        outside.retain(|callee| callee.blocks.is_empty());
        let names = outside.iter().map(|callee| callee.name.as_str());
        // A call through an unknown pointer, or assembler, may have any effect.
        let is_unknown =
            instruction.callee.is_none() && self.calls.callees(instruction.site).is_empty();
        let names = names.chain(is_unknown.then_some(""));
        let mut touches = Vec::new();
        for effect in names.map(effect) {
            self.touch_arguments(function, instruction, effect.reads, Touch::Read, &mut touches);
            self.touch_arguments(function, instruction, effect.writes, Touch::Write, &mut touches);
            let (read, written) = self.world.cells(effect.world);
            touches.extend(read.into_iter().map(|cell| (cell, Touch::Read)));
            touches.extend(written.into_iter().map(|cell| (cell, Touch::Write)));
        }
        touches
    }

    fn touch_arguments(
        &self,
        function: FunctionId,
        call: &Instruction,
        which: Arguments,
        touch: Touch,
        touches: &mut Vec<(CellId, Touch)>,
    ) {
        let arguments = &call.operands[..call.operands.len().saturating_sub(1)];
        for (index, argument) in arguments.iter().enumerate() {
            if which.contains(index) {
                touches.extend(self.through(function, Some(*argument), None, touch));
            }
        }
    }

    fn through(
        &self,
        function: FunctionId,
        pointer: Option<Operand>,
        size: Option<u64>,
        touch: Touch,
    ) -> Vec<(CellId, Touch)> {
        let Some(pointer) = pointer else { return Vec::new() };
        let mut cells = Vec::new();
        for target in self.points_to.targets(function, pointer) {
            // Code is not data.
            if let Object::Function(_) = self.points_to.cell(target).object {
                continue;
            }
            let mut known = self.overlapping.borrow_mut();
            let overlapping = known
                .entry((target, size))
                .or_insert_with(|| self.points_to.overlapping(target, size).collect());
            cells.extend_from_slice(overlapping);
        }
        cells.sort_unstable();
        cells.dedup();
        let is_shared = cells.iter().any(|cell| self.world.shared.contains(cell.0 as usize));
        let world = match touch {
            Touch::Read => self.world.brought,
            Touch::Write | Touch::Replace => self.world.taken,
        };
        let world = is_shared.then_some((world, touch));
        cells.into_iter().map(|cell| (cell, touch)).chain(world).collect()
    }

    /// Whether an access of so many bytes covers a cell that exists once.
    fn is_all_of(&self, cell: CellId, size: u64) -> bool {
        let cell = self.points_to.cell(cell);
        match cell.object {
            Object::Global(global) => {
                let whole = self.program.globals[global.0 as usize].size;
                cell.offset() == Some(0) && size == whole
            }
            Object::Local(local) => self.points_to.is_private(local),
            _ => false,
        }
    }
}

/// The cells that stand for the world outside of the program's memory. No pointer leads to four of
/// them.
struct Cells {
    /// The next input.
    input: CellId,
    /// The output.
    output: CellId,
    /// Internal state of the library.
    state: Vec<CellId>,
    /// Where the library stores errors.
    error: Vec<CellId>,
    /// The cells that code outside of the program can reach.
    shared: Bits,
    /// Reads of them from outside: one cell for all, as code outside may read any of them at any
    /// time.
    taken: CellId,
    /// Writes to them from outside.
    brought: CellId,
    /// How many cells pointers can lead to.
    own: u32,
}

impl Cells {
    /// How many cells no pointer leads to.
    const MORE: usize = 4;

    fn new(program: &Program, points_to: &PointsTo) -> Cells {
        let own = points_to.cells() as u32;
        let errno = program.functions.iter().position(|it| it.name == "__errno_location");
        let errno = errno.map(|errno| Object::Library(FunctionId(errno as u32)));
        Cells {
            input: CellId(own),
            output: CellId(own + 1),
            state: points_to.cells_of(Object::Outside).to_vec(),
            error: errno.map_or_else(Vec::new, |errno| points_to.cells_of(errno).to_vec()),
            shared: shared(points_to),
            taken: CellId(own + 2),
            brought: CellId(own + 3),
            own,
        }
    }

    /// The cells that are read and written.
    fn cells(&self, world: World) -> (Vec<CellId>, Vec<CellId>) {
        let (input, output, state) = (vec![self.input], vec![self.output], self.state.clone());
        let (read, mut written) = match world {
            World::Nothing => return (Vec::new(), Vec::new()),
            World::Output => (Vec::new(), output),
            World::Input => (input.clone(), input),
            World::Files => ([&input[..], &output[..]].concat(), input),
            World::State => (state.clone(), state),
            World::Everything => {
                let all = [input, output, state].concat();
                ([&all[..], &[self.taken]].concat(), [&all[..], &[self.brought]].concat())
            }
        };
        written.extend(&self.error);
        (read, written)
    }
}

fn shared(points_to: &PointsTo) -> Bits {
    let mut shared = Bits::new(points_to.cells());
    for cell in points_to.reachable(points_to.cells_of(Object::Outside)) {
        shared.insert(cell.0 as usize);
    }
    shared
}

fn local_name(instruction: &Instruction) -> Option<(SiteId, String)> {
    match &instruction.detail {
        Detail::Local { name: Some(name), .. } => Some((instruction.site, name.clone())),
        _ => None,
    }
}
