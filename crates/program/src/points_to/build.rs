//! Constraint generation: from a program to the rules over its pointers.
//!
//! A function is read once, except for small ones that return an address: each call of one of those
//! reads it again, so that `xmalloc` returns a separate object for each of its calls, and a
//! function that only checks and returns its argument returns the one of this very call. Each
//! reading is an [`Instance`].

use std::collections::HashSet;

use super::{
    call::{Argument, Call, Entry, Kind},
    cell::{CellId, Object, Step, gcd},
    constraint::{Analysis, Read, Value},
    flow::{Flow, POINTER, Source, size_of_one},
    graph::Node,
    library::{Effect, effects},
    set::Quick,
};
use crate::model::{
    Constant, ConstantId, Detail, Function, FunctionId, GlobalId, Instruction, Opcode, Operand,
    Program, SiteId, TypeId,
};

/// One reading of a function, a calling context.
pub(super) struct Instance {
    pub(super) function: FunctionId,
    pub(super) first: SiteId,
    /// The value of each instruction, where it has one.
    pub(super) values: Vec<Option<Value>>,
    pub(super) entry: Entry,
    /// The call of this context, and the chain of calls to it.
    chain: Vec<(SiteId, FunctionId)>,
    /// The constant arguments of this call.
    numbers: Vec<Option<u64>>,
    variadic: Option<CellId>,
}

/// The generated constraints.
#[derive(Default)]
pub(super) struct Built {
    pub(super) instances: Vec<Instance>,
    /// The private variables of all functions.
    pub(super) private: HashSet<SiteId, Quick>,
    /// The addresses in the constants that instructions use.
    pub(super) constants: Vec<Value>,
}

impl Instance {
    /// The value of an operand of the function.
    pub(super) fn value(&self, operand: Operand) -> Value {
        let known = match operand {
            Operand::Site(site) => {
                let index = site.0.wrapping_sub(self.first.0) as usize;
                self.values.get(index).copied().flatten()
            }
            Operand::Parameter(index) => {
                self.entry.parameters.get(index as usize).copied().map(Value::Node)
            }
            _ => None,
        };
        known.unwrap_or(Value::Nothing)
    }
}

/// Size limit on a function, with the callees that allocate, to be read again for a call.
const MOST_REREAD: usize = 600;

/// The same limit for functions that return addresses without allocating anything.
const MOST_REREAD_OF_OTHERS: usize = 40;

/// Limit on all instructions that are read again.
const MOST_REREAD_IN_ALL: usize = 1_000_000;

/// Limit on callees of a call through a pointer whose callees are read for it.
const MOST_CALLEES: usize = 8;

/// Limit on the depth of nested contexts.
const DEEPEST: usize = 9;

/// Generates the constraints of a whole program and solves them.
pub(super) fn build(analysis: &mut Analysis<'_>) -> Built {
    let program = analysis.program;
    analysis.watch_outside();
    let mut builder = Builder::new(analysis);
    for id in (0..program.functions.len() as u32).map(FunctionId) {
        builder.analysis.start(Object::Function(id));
    }
    builder.globals();
    for (id, function) in program.defined() {
        let instance = builder.instance(id, function, Vec::new(), Vec::new());
        builder.analysis.calls.entries.insert(id, instance.entry.clone());
        builder.open.push(instance);
    }
    builder.start_of_program();
    // The order of the functions, and behind them the contexts of their calls.
    builder.open.reverse();
    builder.read_all();
    builder.constants();
    builder.solve();
    builder.built
}

struct Builder<'b, 'a> {
    analysis: &'b mut Analysis<'a>,
    program: &'a Program,
    /// The functions that get a context for each call.
    rereading: Rereading,
    constants: Vec<Option<Value>>,
    open: Vec<Instance>,
    /// How many instructions were read again.
    spent: usize,
    built: Built,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(analysis: &'b mut Analysis<'a>) -> Builder<'b, 'a> {
        let program = analysis.program;
        Builder {
            analysis,
            program,
            rereading: Rereading::new(program),
            constants: vec![None; program.constants.len()],
            open: Vec::new(),
            spent: 0,
            built: Built::default(),
        }
    }

    fn instance(
        &mut self,
        id: FunctionId,
        function: &Function,
        chain: Vec<(SiteId, FunctionId)>,
        numbers: Vec<Option<u64>>,
    ) -> Instance {
        let first = instructions(function).next().map_or(SiteId(0), |first| first.site);
        let shape = self.analysis.shape(function.signature);
        let rest = shape.is_some_and(|shape| shape.is_variadic).then(|| self.analysis.graph.node());
        let variadic = rest.map(|rest| self.variadic(id, rest, chain.is_empty()));
        let parameters = (0..function.parameters).map(|_| self.analysis.graph.node());
        let parameters = parameters.collect();
        let entry = Entry { parameters, rest, result: self.analysis.graph.node() };
        let values = vec![None; instructions(function).count()];
        Instance { function: id, first, values, entry, chain, numbers, variadic }
    }

    /// The cell of a function's unnamed arguments.
    fn variadic(&mut self, id: FunctionId, rest: Node, is_shared: bool) -> CellId {
        let object = Object::Variadic(id);
        let object = match is_shared {
            true => self.analysis.object(object),
            false => self.analysis.memory.object(object, 0),
        };
        let cell = self.analysis.memory.at(object, 0);
        self.analysis.store(Value::Cell(cell), Value::Node(rest), POINTER);
        cell
    }

    /// The initial values of globals.
    fn globals(&mut self) {
        let program = self.program;
        for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
            self.analysis.start(Object::Global(id));
            let object = self.analysis.object(Object::Global(id));
            let initial = global.initializer.and_then(|id| program.constants.get(id.0 as usize));
            match initial {
                Some(initial) => {
                    self.analysis.memory.expect(object, initial.addresses.len());
                    if global.constant && initial.addresses.is_empty() {
                        self.analysis.memory.never_changes(object);
                    }
                    for held in &initial.addresses {
                        let cell = self.analysis.memory.at(object, held.at);
                        let address = self.address(held.base, held.offset);
                        self.analysis.store(Value::Cell(cell), address, POINTER);
                    }
                }
                None if global.size >= POINTER || global.size == 0 => {
                    self.foreign(id, &global.name)
                }
                None => {}
            }
        }
    }

    /// A variable that is defined outside the program.
    fn foreign(&mut self, id: GlobalId, name: &str) {
        let variable = self.analysis.start(Object::Global(id));
        let content = match name {
            "optarg"
            | "environ"
            | "__environ"
            | "program_invocation_name"
            | "__progname"
            | "program_invocation_short_name"
            | "__progname_full" => self.arguments(),
            "stdin" | "stdout" | "stderr" => self.analysis.start(Object::Outside),
            _ => {
                self.analysis.escape(Value::Cell(variable));
                return;
            }
        };
        self.analysis.store(Value::Cell(variable), Value::Cell(content), POINTER);
    }

    /// The arguments of the program, which hold addresses of parts of themselves.
    fn arguments(&mut self) -> CellId {
        let cell = self.analysis.start(Object::Arguments);
        self.analysis.store(Value::Cell(cell), Value::Cell(cell), POINTER);
        cell
    }

    /// Calls from the system that start the program, or from users of a library.
    fn start_of_program(&mut self) {
        let arguments = self.arguments();
        let position = self.program.functions.iter().position(|it| it.name == "main");
        let main = position.map(|index| FunctionId(index as u32));
        match main.and_then(|main| self.analysis.calls.entries.get(&main)).cloned() {
            Some(entry) => {
                for parameter in entry.parameters {
                    self.analysis.graph.insert(parameter, arguments.0);
                }
            }
            None => {
                let program = self.program;
                for (id, _) in program.defined().filter(|(_, function)| function.external) {
                    let cell = self.analysis.start(Object::Function(id));
                    self.analysis.escape(Value::Cell(cell));
                }
            }
        }
    }

    fn address(&mut self, base: Operand, offset: Option<i64>) -> Value {
        let object = match base {
            Operand::Global(id) => Object::Global(id),
            Operand::Function(id) => Object::Function(id),
            _ => return Value::Nothing,
        };
        let start = Value::Cell(self.analysis.start(object));
        self.analysis.step(start, offset.map_or(Step::ANYWHERE, Step::by))
    }

    fn constant(&mut self, id: ConstantId) -> Value {
        let index = id.0 as usize;
        if let Some(known) = self.constants.get(index).copied().flatten() {
            return known;
        }
        let program = self.program;
        let Some(constant) = program.constants.get(index) else { return Value::Nothing };
        let held = constant.addresses.iter().map(|held| self.address(held.base, held.offset));
        let held: Vec<Value> = held.collect();
        let value = self.analysis.any_of(&held);
        self.constants[index] = Some(value);
        value
    }

    /// Contents of the constants that instructions use, including some that the analysis does not
    /// need.
    fn constants(&mut self) {
        let program = self.program;
        for operand in program.instructions().flat_map(|instruction| &instruction.operands) {
            if let Operand::Constant(id) = operand {
                self.constant(*id);
            }
        }
        let values = self.constants.iter().map(|value| value.unwrap_or(Value::Nothing));
        self.built.constants = values.collect();
    }

    fn read(&mut self, instance: Instance) {
        let program = self.program;
        let Some(function) = program.functions.get(instance.function.0 as usize) else { return };
        let flow = Flow::of(program, function);
        self.built.private.extend(&flow.private);
        let merges = flow.merges.iter().map(|_| self.analysis.graph.node()).collect();
        let increments = increments(function);
        let mut reading = Reading { builder: self, instance, flow, merges, increments, at: 0 };
        for instruction in instructions(function) {
            reading.instruction(instruction);
        }
        reading.join_merges();
        let instance = reading.instance;
        self.built.instances.push(instance);
    }

    fn read_all(&mut self) {
        while let Some(instance) = self.open.pop() {
            self.read(instance);
        }
    }

    /// Solves, reads callees that get a context of their own, and solves again.
    fn solve(&mut self) {
        loop {
            self.analysis.solve();
            let waiting = self.analysis.waiting_calls();
            if waiting.is_empty() {
                break;
            }
            for (call, callees) in waiting {
                let is_worth = callees.len() <= MOST_CALLEES;
                for id in callees {
                    match is_worth.then(|| self.entry_for(&call, id)).flatten() {
                        Some(entry) => {
                            self.analysis.note_callee(&call, id);
                            self.analysis.enter(&call, &entry);
                        }
                        None => self.analysis.connect(&call, id),
                    }
                }
            }
            self.read_all();
        }
    }

    /// The entry of a function for one call, if it gets a context of its own.
    fn entry_for(&mut self, call: &Call, id: FunctionId) -> Option<Entry> {
        let program = self.program;
        let function = program.functions.get(id.0 as usize)?;
        let size = instructions(function).count();
        let is_again = call.within == id || call.chain.iter().any(|(_, other)| *other == id);
        let is_worth = self.rereading.is_worth(program, id, !call.chain.is_empty())
            && call.chain.len() < DEEPEST
            && !is_again
            && self.spent + size <= MOST_REREAD_IN_ALL;
        if !is_worth {
            return None;
        }
        self.spent += size;
        let mut chain = call.chain.clone();
        chain.push((call.site, id));
        let numbers = call.arguments.iter().map(|argument| argument.number).collect();
        let instance = self.instance(id, function, chain, numbers);
        let entry = instance.entry.clone();
        self.open.push(instance);
        Some(entry)
    }
}

/// One instance being read.
struct Reading<'r, 'b, 'a> {
    builder: &'r mut Builder<'b, 'a>,
    instance: Instance,
    flow: Flow,
    merges: Vec<Node>,
    increments: HashSet<SiteId, Quick>,
    /// Number of instructions read so far.
    at: usize,
}

impl Reading<'_, '_, '_> {
    fn instruction(&mut self, instruction: &Instruction) {
        let value = self.evaluate(instruction);
        let Some(known) = self.instance.values.get_mut(self.at) else { return };
        self.at += 1;
        match *known {
            // The value was used before it was read.
            Some(Value::Node(node)) => self.builder.analysis.flow(value, node),
            _ => *known = Some(value),
        }
    }

    fn join_merges(&mut self) {
        for (index, sources) in std::mem::take(&mut self.flow.merges).into_iter().enumerate() {
            for source in sources {
                let value = self.source(source);
                self.builder.analysis.flow(value, self.merges[index]);
            }
        }
    }

    fn source(&mut self, source: Source) -> Value {
        match source {
            Source::Nowhere => Value::Nothing,
            Source::Stored(operand) => self.value(operand),
            Source::Merged(merge) => {
                self.merges.get(merge as usize).map_or(Value::Nothing, |node| Value::Node(*node))
            }
        }
    }

    fn value(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Site(site) => self.site(site),
            Operand::Parameter(index) => {
                let parameter = self.instance.entry.parameters.get(index as usize);
                parameter.map_or(Value::Nothing, |node| Value::Node(*node))
            }
            Operand::Global(_) | Operand::Function(_) => self.builder.address(operand, Some(0)),
            Operand::Constant(id) => self.builder.constant(id),
            Operand::Other => Value::Nothing,
        }
    }

    fn site(&mut self, site: SiteId) -> Value {
        let index = site.0.wrapping_sub(self.instance.first.0) as usize;
        match self.instance.values.get_mut(index) {
            Some(Some(known)) => *known,
            Some(unread) => *unread.insert(Value::Node(self.builder.analysis.graph.node())),
            None => Value::Nothing,
        }
    }

    fn operand(&mut self, instruction: &Instruction, index: usize) -> Value {
        let operand = instruction.operands.get(index).copied();
        operand.map_or(Value::Nothing, |operand| self.value(operand))
    }

    fn evaluate(&mut self, instruction: &Instruction) -> Value {
        let is_capable = self.can_hold(instruction.result);
        match instruction.opcode {
            Opcode::Alloca => self.local(instruction),
            Opcode::Load if is_capable => self.load(instruction),
            Opcode::Store => self.store(instruction),
            Opcode::GetElementPtr => self.address(instruction),
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => self.call(instruction, is_capable),
            Opcode::Ret => self.leave(instruction),
            Opcode::AtomicRmw | Opcode::AtomicCmpXchg => self.exchange(instruction),
            _ if !is_capable => Value::Nothing,
            Opcode::PtrToInt
            | Opcode::IntToPtr
            | Opcode::BitCast
            | Opcode::AddrSpaceCast
            | Opcode::Freeze
            | Opcode::ExtractValue
            | Opcode::ExtractElement
            | Opcode::ZExt
            | Opcode::SExt
            | Opcode::Trunc => self.operand(instruction, 0),
            Opcode::Phi => self.any_of(instruction, 0..instruction.operands.len()),
            Opcode::Select => self.any_of(instruction, 1..3),
            Opcode::InsertValue | Opcode::InsertElement | Opcode::ShuffleVector => {
                self.any_of(instruction, 0..2)
            }
            Opcode::Add
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr => self.compute(instruction),
            Opcode::Sub => self.subtract(instruction),
            Opcode::VaArg => self.next_variadic(instruction),
            _ => Value::Nothing,
        }
    }

    /// Whether a value of a type can be an address or have one in it.
    fn can_hold(&self, kind: TypeId) -> bool {
        let kind = self.builder.program.types.get(kind.0 as usize);
        kind.is_some_and(|kind| kind.size >= POINTER && !is_real(&kind.text))
    }

    fn any_of(&mut self, instruction: &Instruction, which: std::ops::Range<usize>) -> Value {
        let values: Vec<Value> = which.map(|index| self.operand(instruction, index)).collect();
        self.builder.analysis.any_of(&values)
    }

    fn local(&mut self, instruction: &Instruction) -> Value {
        let size = size_of_one(self.builder.program, instruction).unwrap_or(0);
        let object = Object::Local(instruction.site);
        let object = self.builder.analysis.memory.object(object, size);
        Value::Cell(self.builder.analysis.memory.at(object, 0))
    }

    fn load(&mut self, instruction: &Instruction) -> Value {
        if let Some(source) = self.flow.loads.get(&instruction.site) {
            return self.source(*source);
        }
        let pointer = self.operand(instruction, 0);
        let is_number = self.is_number(instruction.result);
        self.builder.analysis.loaded(pointer, Read { size: size_of_access(instruction), is_number })
    }

    fn is_number(&self, kind: TypeId) -> bool {
        let kind = self.builder.program.types.get(kind.0 as usize);
        kind.is_some_and(|kind| kind.text.starts_with('i'))
    }

    fn store(&mut self, instruction: &Instruction) -> Value {
        let size = size_of_access(instruction);
        let is_private = matches!(instruction.operands.get(1), Some(Operand::Site(site))
            if self.flow.private.binary_search(site).is_ok());
        if size >= POINTER && !is_private {
            let (value, pointer) = (self.operand(instruction, 0), self.operand(instruction, 1));
            self.builder.analysis.store(pointer, value, size);
        }
        Value::Nothing
    }

    fn address(&mut self, instruction: &Instruction) -> Value {
        let base = self.operand(instruction, 0);
        let is_increment = self.increments.contains(&instruction.site);
        let step = step_of(&instruction.detail, is_increment);
        self.builder.analysis.step(base, step)
    }

    fn leave(&mut self, instruction: &Instruction) -> Value {
        let value = self.operand(instruction, 0);
        let result = self.instance.entry.result;
        self.builder.analysis.flow(value, result);
        Value::Nothing
    }

    fn exchange(&mut self, instruction: &Instruction) -> Value {
        let pointer = self.operand(instruction, 0);
        let value = self.operand(instruction, instruction.operands.len().saturating_sub(1));
        let inside = self.builder.analysis.step(value, Step::ANYWHERE);
        let value = self.builder.analysis.any_of(&[value, inside]);
        self.builder.analysis.store(pointer, value, POINTER);
        match self.can_hold(instruction.result) {
            true => self.builder.analysis.loaded(pointer, Read::ADDRESS),
            false => Value::Nothing,
        }
    }

    /// Arithmetic on an address as a number.
    fn compute(&mut self, instruction: &Instruction) -> Value {
        let is_sum = instruction.opcode == Opcode::Add;
        let number = self.number(instruction, 1).filter(|_| is_sum);
        let by = |number| Step { unit: 1, ..Step::by(number as i64) };
        let step = number.map_or(Step::ANYWHERE, by);
        let values = [0, 1].map(|index| {
            let value = self.computed_with(instruction, index);
            self.builder.analysis.step(value, step)
        });
        self.builder.analysis.any_of(&values)
    }

    /// An operand of arithmetic. A number from memory is assumed not to be an address: all lengths
    /// and counts come from memory, and hardly an address does.
    fn computed_with(&mut self, instruction: &Instruction, index: usize) -> Value {
        let mut operand = instruction.operands.get(index).copied().unwrap_or(Operand::Other);
        let program = self.builder.program;
        let function = program.functions.get(self.instance.function.0 as usize);
        if let (Operand::Site(site), Some(function)) = (operand, function) {
            if let Some(Source::Stored(stored)) = self.flow.loads.get(&site) {
                operand = *stored;
            }
            let made = match operand {
                Operand::Site(site) => find(function, site),
                _ => None,
            };
            let is_loaded = made.is_some_and(|made| made.opcode == Opcode::Load);
            if is_loaded && made.is_some_and(|made| !self.flow.loads.contains_key(&made.site)) {
                return Value::Nothing;
            }
        }
        self.value(operand)
    }

    /// The difference of two addresses is no address; an address minus a number is one.
    fn subtract(&mut self, instruction: &Instruction) -> Value {
        let less = self.computed_with(instruction, 1);
        let from = self.computed_with(instruction, 0);
        let number = self.number(instruction, 1).and_then(|number| (number as i64).checked_neg());
        match (less, number) {
            (Value::Nothing, Some(number)) => {
                self.builder.analysis.step(from, Step { unit: 1, ..Step::by(number) })
            }
            _ if is_distance(instruction, self.builder.program, &self.instance) => Value::Nothing,
            _ => self.builder.analysis.step(from, Step::ANYWHERE),
        }
    }

    fn next_variadic(&mut self, instruction: &Instruction) -> Value {
        let list = self.operand(instruction, 0);
        let list = self.builder.analysis.step(list, Step::ANYWHERE);
        let arguments = self.builder.analysis.loaded(list, Read::ADDRESS);
        self.builder.analysis.loaded(arguments, Read::ADDRESS)
    }

    fn number(&self, instruction: &Instruction, index: usize) -> Option<u64> {
        number_of(self.builder.program, *instruction.operands.get(index)?)
    }

    /// The value of a constant operand, also if it is an argument of the call of this context.
    fn number_of(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Parameter(index) => *self.instance.numbers.get(index as usize)?,
            Operand::Site(site) => match self.flow.loads.get(&site)? {
                Source::Stored(stored @ Operand::Parameter(_)) => self.number_of(*stored),
                Source::Stored(stored) => number_of(self.builder.program, *stored),
                _ => None,
            },
            _ => number_of(self.builder.program, operand),
        }
    }

    fn call(&mut self, instruction: &Instruction, is_capable: bool) -> Value {
        let Some((called, passed)) = instruction.operands.split_last() else {
            return Value::Nothing;
        };
        let arguments = passed.iter().map(|operand| Argument {
            value: self.value(*operand),
            number: self.number_of(*operand),
        });
        let arguments = arguments.collect();
        let site = instruction.site;
        let signature = match instruction.detail {
            Detail::Call { signature, .. } => Some(signature),
            _ => None,
        };
        let mut call = Call {
            site,
            chain: self.instance.chain.clone(),
            within: self.instance.function,
            kind: Kind::Instruction,
            arguments,
            result: None,
            signature,
            variadic: self.instance.variadic,
        };
        if let Some(callee) = instruction.callee
            && let Some(result) = self.call_directly(&call, callee)
        {
            return if is_capable { Value::Node(result) } else { Value::Nothing };
        }
        call.result = is_capable.then(|| self.builder.analysis.graph.node());
        let result = call.result.map_or(Value::Nothing, Value::Node);
        self.call_otherwise(call, instruction.callee, *called);
        result
    }

    /// Calls a function that has a body; the result is its return value.
    fn call_directly(&mut self, call: &Call, callee: FunctionId) -> Option<Node> {
        let own = self.builder.entry_for(call, callee);
        let entry = match own {
            Some(entry) => entry,
            None => self.builder.analysis.calls.entries.get(&callee)?.clone(),
        };
        self.builder.analysis.note_callee(call, callee);
        self.builder.analysis.enter(call, &entry);
        Some(entry.result)
    }

    fn call_otherwise(&mut self, call: Call, callee: Option<FunctionId>, called: Operand) {
        let pointer = self.value(called);
        let analysis = &mut *self.builder.analysis;
        let is_constant = matches!(called, Operand::Constant(_) | Operand::Other);
        match (callee, pointer) {
            (Some(callee), _) => analysis.connect(&call, callee),
            // Inline assembler, or the null address.
            (None, Value::Nothing) if is_constant => analysis.call_unknown(&call),
            (None, _) => {
                let call = analysis.note_call(call);
                analysis.call_through(pointer, call);
            }
        }
    }
}

/// Whether both operands of a difference are addresses just converted to numbers.
fn is_distance(instruction: &Instruction, program: &Program, instance: &Instance) -> bool {
    let Some(function) = program.functions.get(instance.function.0 as usize) else { return false };
    instruction.operands.iter().all(|operand| {
        let Operand::Site(site) = operand else { return false };
        let made = find(function, *site);
        made.is_some_and(|made| made.opcode == Opcode::PtrToInt)
    })
}

/// An instruction of a function.
fn find(function: &Function, site: SiteId) -> Option<&Instruction> {
    let block = function
        .blocks
        .partition_point(|block| block.instructions.last().is_some_and(|last| last.site < site));
    let instructions = &function.blocks.get(block)?.instructions;
    let index = instructions.binary_search_by_key(&site, |instruction| instruction.site).ok()?;
    instructions.get(index)
}

fn is_real(text: &str) -> bool {
    let element = text.rsplit(['<', ' ']).next().unwrap_or(text).trim_end_matches('>');
    matches!(element, "double" | "float" | "x86_fp80" | "fp128") && !text.contains('{')
}

fn size_of_access(instruction: &Instruction) -> u64 {
    match instruction.detail {
        Detail::Access { size, .. } => size,
        _ => POINTER,
    }
}

/// The value of a constant: `i64 8`.
fn number_of(program: &Program, operand: Operand) -> Option<u64> {
    let Operand::Constant(id) = operand else { return None };
    let Constant { text, .. } = program.constants.get(id.0 as usize)?;
    let number = text.strip_prefix("i64 ").or_else(|| text.strip_prefix("i32 "))?;
    number.parse::<i64>().ok().map(|number| number as u64)
}

/// The step of an address computation.
fn step_of(detail: &Detail, is_increment: bool) -> Step {
    let Detail::Address { offset, strides, element } = detail else { return Step::ANYWHERE };
    let stride = strides.iter().flatten().fold(0, |all, stride| gcd(all, *stride));
    let inwards = strides.len() > 1;
    if stride == 0 {
        return match is_increment {
            true => Step { stride: offset.unsigned_abs(), ..Step::ANYWHERE },
            false => Step { inwards, unit: (*element).max(1), ..Step::by(*offset) },
        };
    }
    // Old code declares an array of any length with one element.
    let is_bounded = matches!(strides.first(), Some(None)) && *element > stride;
    let starts_inside = (0..*element as i64).contains(offset);
    let extent = (is_bounded && starts_inside).then_some(*element);
    Step { offset: *offset, stride, extent, inwards, ..Step::ANYWHERE }
}

/// Address computations that advance a pointer in memory: `p++`. Such a pointer runs through an
/// array, and a cell for each element that it can reach would be too many.
fn increments(function: &Function) -> HashSet<SiteId, Quick> {
    let stores = instructions(function).filter(|instruction| instruction.opcode == Opcode::Store);
    let advanced = stores.filter_map(|store| {
        let (Operand::Site(value), place) = (*store.operands.first()?, store.operands.get(1)?)
        else {
            return None;
        };
        let address = find(function, value)?;
        let Detail::Address { offset, strides, .. } = &address.detail else { return None };
        let Operand::Site(base) = *address.operands.first()? else { return None };
        let base = find(function, base)?;
        let is_back = base.opcode == Opcode::Load && base.operands.first() == Some(place);
        (is_back && strides.len() == 1 && *offset != 0).then_some(value)
    });
    advanced.collect()
}

/// The costs of a context for each call of a function.
struct Rereading {
    /// For functions that may allocate: the instructions of it and of its callees.
    costs: Vec<Option<usize>>,
    /// Whether it returns an address.
    returns: Vec<bool>,
}

impl Rereading {
    fn new(program: &Program) -> Rereading {
        let functions = program.functions.iter();
        let mut costs: Vec<Option<usize>> =
            functions.map(|function| is_source(function).then_some(0)).collect();
        for _ in 0..DEEPEST {
            costs =
                program.functions.iter().map(|function| cost(program, function, &costs)).collect();
        }
        let functions = program.functions.iter();
        let returns = functions.map(|function| returns_address(program, function)).collect();
        Rereading { costs, returns }
    }

    /// Whether a function gets a context for each call: one that returns an address, and inside a
    /// context, any callee that allocates for it.
    fn is_worth(&self, program: &Program, id: FunctionId, is_inside: bool) -> bool {
        let index = id.0 as usize;
        let function = &program.functions[index];
        let size = instructions(function).count();
        let returns = self.returns[index];
        size > 0
            && (returns && size <= MOST_REREAD_OF_OTHERS
                || (returns || is_inside)
                    && self.costs[index].is_some_and(|cost| cost <= MOST_REREAD))
    }
}

/// The instructions of a function that may allocate and of its allocating callees; `None` if it
/// does not, or if there are too many.
fn cost(program: &Program, function: &Function, costs: &[Option<usize>]) -> Option<usize> {
    if function.blocks.is_empty() {
        return is_source(function).then_some(0);
    }
    let mut total = instructions(function).count();
    let mut allocates = false;
    for call in instructions(function).filter(|it| it.opcode == Opcode::Call) {
        let gives_address =
            program.types.get(call.result.0 as usize).is_some_and(|kind| kind.text == "ptr");
        match call.callee {
            Some(callee) => {
                let cost = costs.get(callee.0 as usize).copied().flatten();
                allocates |= cost.is_some();
                total += cost.unwrap_or(0);
            }
            None => allocates |= gives_address,
        }
    }
    (allocates && total <= MOST_REREAD).then_some(total)
}

fn is_source(function: &Function) -> bool {
    let is_fresh = |effect: &Effect| matches!(effect, Effect::Fresh | Effect::FreshOf(_));
    let allocates = |effects: &[Effect]| effects.iter().any(is_fresh);
    function.blocks.is_empty() && effects(&function.name).is_some_and(allocates)
}

fn returns_address(program: &Program, function: &Function) -> bool {
    let kind = program.types.get(function.signature.0 as usize);
    kind.is_some_and(|kind| kind.text.starts_with("ptr ("))
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}
