//! Calls: callees, arguments, and effects of functions without a body.

use std::collections::HashMap;

use super::{
    cell::{CellId, Object, Step},
    constraint::{Analysis, Read, Value},
    flow::POINTER,
    graph::Node,
    library::{Effect, Given, effects},
    set::{Quick, Set},
    shape::Shape,
};
use crate::model::{FunctionId, GlobalId, SiteId, TypeId};

/// The state of the analysis for calls.
#[derive(Default)]
pub(super) struct Calls {
    list: Vec<Call>,
    /// The entries of the functions that have a body.
    pub(super) entries: HashMap<FunctionId, Entry, Quick>,
    shapes: HashMap<TypeId, Shape, Quick>,
    /// Whether calls of a type with so many arguments can call functions of a type.
    fitting: HashMap<(TypeId, usize, TypeId), bool, Quick>,
    /// The functions, as cells, that each call is connected to.
    connected: Vec<Set>,
    /// Calls inside contexts, and their callees: these may get a context, too.
    waiting: Vec<(u32, FunctionId)>,
    /// Pairs of calls and callees.
    pub(super) callees: Vec<(SiteId, FunctionId)>,
    /// Pairs of calls and callbacks that they pass.
    pub(super) callbacks: Vec<(SiteId, FunctionId)>,
    /// Calls of unknown functions.
    pub(super) unknown: Vec<SiteId>,
    /// Functions that external code can call.
    pub(super) escaped: Vec<FunctionId>,
}

/// A call, or a call back from a library function.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) site: SiteId,
    /// The chain of calls of the context around it, with their callees.
    pub(super) chain: Vec<(SiteId, FunctionId)>,
    pub(super) within: FunctionId,
    pub(super) kind: Kind,
    pub(super) arguments: Vec<Argument>,
    pub(super) result: Option<Node>,
    /// The function type of the call, if it has to fit.
    pub(super) signature: Option<TypeId>,
    /// The unnamed arguments of the function around it.
    pub(super) variadic: Option<CellId>,
}

/// The caller of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The instruction.
    Instruction,
    /// The called library function, which calls back.
    Library,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) value: Value,
    /// Its value, if it is a constant number.
    pub(super) number: Option<u64>,
}

/// The nodes for the parameters and the result of a function.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) parameters: Vec<Node>,
    /// The arguments beyond the parameters.
    pub(super) rest: Option<Node>,
    pub(super) result: Node,
}

impl Call {
    /// The call that names its new memory.
    fn origin(&self) -> SiteId {
        self.chain.first().map_or(self.site, |(site, _)| *site)
    }

    fn value(&self, argument: usize) -> Value {
        self.arguments.get(argument).map_or(Value::Nothing, |argument| argument.value)
    }

    fn number(&self, argument: usize) -> Option<u64> {
        self.arguments.get(argument)?.number
    }
}

impl Analysis<'_> {
    /// Records a call whose callees are found later.
    pub(super) fn note_call(&mut self, call: Call) -> usize {
        self.calls.list.push(call);
        self.calls.connected.push(Set::default());
        self.calls.list.len() - 1
    }

    pub(super) fn shape(&mut self, kind: TypeId) -> Option<Shape> {
        let known = self.calls.shapes.get(&kind).cloned();
        known.or_else(|| {
            let shape = Shape::of(self.program.types.get(kind.0 as usize)?);
            self.calls.shapes.insert(kind, shape.clone());
            Some(shape)
        })
    }

    /// Connects a call to those cells that are functions of a fitting type.
    pub(super) fn call_all(&mut self, cells: &Set, call: usize) {
        let functions = cells.common(&self.memory.functions);
        let fresh = self.calls.connected[call].add(&functions);
        if fresh.is_empty() {
            return;
        }
        let calling = self.calls.list[call].clone();
        for cell in fresh.iter() {
            let Object::Function(id) = self.memory.cells[cell as usize].object else { continue };
            if !self.fits(&calling, id) {
                continue;
            }
            match !calling.chain.is_empty() && self.calls.entries.contains_key(&id) {
                true => self.calls.waiting.push((call as u32, id)),
                false => self.connect(&calling, id),
            }
        }
    }

    /// Takes the calls that wait for being connected, each with its callees.
    pub(super) fn waiting_calls(&mut self) -> Vec<(Call, Vec<FunctionId>)> {
        let mut waiting = std::mem::take(&mut self.calls.waiting);
        waiting.sort_unstable();
        let by_call = waiting.chunk_by(|one, other| one.0 == other.0);
        let with_callees = by_call.map(|callees| {
            let call = self.calls.list[callees[0].0 as usize].clone();
            (call, callees.iter().map(|(_, id)| *id).collect())
        });
        with_callees.collect()
    }

    fn fits(&mut self, call: &Call, function: FunctionId) -> bool {
        let Some(function) = self.program.functions.get(function.0 as usize) else { return false };
        let Some(signature) = call.signature else { return true };
        let arguments = call.arguments.len();
        let pair = (signature, arguments, function.signature);
        if let Some(known) = self.calls.fitting.get(&pair) {
            return *known;
        }
        let fits = match (self.shape(signature), self.shape(function.signature)) {
            (Some(call), Some(function)) => call.can_call(arguments, &function),
            _ => true,
        };
        self.calls.fitting.insert(pair, fits);
        fits
    }

    /// Records a callee of a call.
    pub(super) fn note_callee(&mut self, call: &Call, id: FunctionId) {
        match call.kind {
            Kind::Instruction => self.calls.callees.push((call.site, id)),
            Kind::Library => self.calls.callbacks.push((call.site, id)),
        }
    }

    /// Connects a call to a function.
    pub(super) fn connect(&mut self, call: &Call, id: FunctionId) {
        self.note_callee(call, id);
        match self.calls.entries.get(&id).cloned() {
            Some(entry) => self.enter(call, &entry),
            None => self.call_library(call, id),
        }
    }

    /// Passes the arguments to a function and the result back.
    pub(super) fn enter(&mut self, call: &Call, entry: &Entry) {
        for (index, argument) in call.arguments.iter().enumerate() {
            if let Some(to) = entry.parameters.get(index).copied().or(entry.rest) {
                self.flow(argument.value, to);
            }
        }
        if let Some(result) = call.result {
            self.graph.flow(entry.result, result);
        }
    }

    fn call_library(&mut self, call: &Call, id: FunctionId) {
        let name = self.program.functions.get(id.0 as usize).map(|it| it.name.as_str());
        match name.and_then(effects) {
            Some(effects) => effects.iter().for_each(|effect| self.affect(call, id, *effect)),
            None => self.call_unknown(call),
        }
    }

    /// A call of external code.
    pub(super) fn call_unknown(&mut self, call: &Call) {
        self.calls.unknown.push(call.site);
        for argument in &call.arguments {
            self.escape(argument.value);
        }
        let escaped = self.escaped();
        self.give(call, escaped);
    }

    /// Lets external code call a function.
    pub(super) fn call_from_outside(&mut self, id: FunctionId) {
        self.calls.escaped.push(id);
        let Some(entry) = self.calls.entries.get(&id).cloned() else { return };
        let escaped = self.escaped();
        for parameter in entry.parameters.iter().chain(&entry.rest) {
            self.flow(escaped, *parameter);
        }
        self.escape(Value::Node(entry.result));
    }

    fn give(&mut self, call: &Call, value: Value) {
        if let Some(result) = call.result {
            self.flow(value, result);
        }
    }

    fn affect(&mut self, call: &Call, id: FunctionId, effect: Effect) {
        match effect {
            Effect::Fresh => {
                let fresh = self.fresh(call, &[]);
                self.give(call, Value::Cell(fresh));
            }
            Effect::FreshOf(factors) => {
                let fresh = self.fresh(call, factors);
                self.give(call, Value::Cell(fresh));
            }
            Effect::Renewed(old) => {
                if let Some(result) = call.result {
                    self.copy(Value::Node(result), call.value(old), None);
                }
            }
            Effect::FreshAt(at) => {
                let fresh = self.fresh(call, &[]);
                self.store(call.value(at), Value::Cell(fresh), POINTER);
            }
            Effect::Same(argument) => self.give(call, call.value(argument)),
            Effect::Into(argument) => {
                let inside = self.step(call.value(argument), Step::ANYWHERE);
                self.give(call, inside);
            }
            Effect::Own => {
                let own = self.own(id);
                self.give(call, own);
            }
            Effect::OwnAt(at) => {
                let (own, anywhere) = (self.own(id), self.step(call.value(at), Step::ANYWHERE));
                self.store(anywhere, own, POINTER);
            }
            Effect::IntoAt(at, argument) => {
                let inside = self.step(call.value(argument), Step::ANYWHERE);
                self.store(call.value(at), inside, POINTER);
            }
            Effect::Copies { to, from, size } => {
                let size = size.and_then(|size| call.number(size));
                self.copy(call.value(to), call.value(from), size);
            }
            Effect::Keep(argument) => self.escape(call.value(argument)),
            Effect::Kept => {
                let escaped = self.escaped();
                self.give(call, escaped);
            }
            Effect::Held(argument) => {
                let held = self.held(call.value(argument));
                let inside = self.step(held, Step::ANYWHERE);
                self.give(call, inside);
                self.store(call.value(argument), inside, POINTER);
            }
            Effect::Name(name, argument) => self.name(name, call.value(argument)),
            Effect::Call(argument, given) => self.call_back(call, id, call.value(argument), given),
            Effect::CallHeld(argument, given) => {
                let held = self.held(call.value(argument));
                self.call_back(call, id, held, given);
            }
            Effect::Variadic(list) => self.start_variadic(call, list),
        }
    }

    /// New memory, with the size from the given arguments if all are constant.
    fn fresh(&mut self, call: &Call, factors: &[usize]) -> CellId {
        let mut numbers = factors.iter().map(|factor| call.number(*factor));
        let size = numbers.try_fold(1u64, |all, number| all.checked_mul(number?));
        let size = size.filter(|_| !factors.is_empty()).unwrap_or(0);
        let object = self.sized_object(Object::Heap(call.origin()), size);
        self.memory.at(object, 0)
    }

    /// Memory that a library function owns; the addresses in it are those of its own parts.
    fn own(&mut self, id: FunctionId) -> Value {
        let cell = self.start(Object::Library(id));
        if let Some(content) = self.content(cell) {
            self.graph.insert(content.written, cell.0);
        }
        Value::Cell(cell)
    }

    /// The contents of any place in the objects that a value points into.
    fn held(&mut self, value: Value) -> Value {
        let anywhere = self.step(value, Step::ANYWHERE);
        self.loaded(anywhere, Read::ADDRESS)
    }

    fn name(&mut self, name: &str, holder: Value) {
        let named = self.program.globals.iter().position(|global| global.name == name);
        let Some(index) = named else { return };
        let variable = self.start(Object::Global(GlobalId(index as u32)));
        let held = self.held(holder);
        let inside = self.step(held, Step::ANYWHERE);
        self.store(Value::Cell(variable), inside, POINTER);
    }

    fn call_back(&mut self, call: &Call, id: FunctionId, called: Value, given: &[Given]) {
        let arguments = given
            .iter()
            .map(|given| Argument { value: self.given(call, id, *given), number: None });
        let arguments = arguments.collect();
        let result = None;
        let back = Call { kind: Kind::Library, arguments, result, signature: None, ..call.clone() };
        let back = self.note_call(back);
        self.call_through(called, back);
    }

    fn given(&mut self, call: &Call, id: FunctionId, given: Given) -> Value {
        match given {
            Given::Argument(argument) => call.value(argument),
            Given::Element(array, size) => {
                let stride = call.number(size).filter(|size| *size != 0).unwrap_or(1);
                self.step(call.value(array), Step { stride, ..Step::ANYWHERE })
            }
            Given::Own => {
                let (own, escaped) = (self.own(id), self.escaped());
                self.any_of(&[own, escaped])
            }
            Given::Number => Value::Nothing,
        }
    }

    /// Makes a `va_list` point to the function's arguments; the place inside it differs by machine.
    fn start_variadic(&mut self, call: &Call, list: usize) {
        let Some(variadic) = call.variadic else { return };
        for at in [0, 8, 16] {
            let part = self.step(call.value(list), Step { inwards: true, ..Step::by(at) });
            self.store(part, Value::Cell(variadic), POINTER);
        }
    }
}
