//! Following facts through a program, calls matched to returns.
//!
//! A function is looked at once for each argument that it is entered with, once for being called or
//! not, and once for all memory, and what comes out of it goes back to those who have sent something
//! of this kind, and to nobody else. Cells of memory are not told apart here: there are too many, and
//! all who are called later see them anyway. Where the question starts nobody has entered the
//! function, and what comes out of it goes to all who may have.

use std::collections::{HashMap, HashSet};

use super::{Body, Dependence, Extent};
use crate::{
    graph::Bits,
    model::{FunctionId, SiteId},
    points_to::{CellId, Quick},
};

/// The instructions that have to do with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// The instructions, by their ids.
    pub sites: Bits,
    /// Those of them that are there because a decision has them executed or not, or chooses what
    /// they compute.
    pub decided: Bits,
    /// Those that are there because of a value.
    pub computed: Bits,
}

impl Slice {
    /// Whether an instruction is in it.
    pub fn contains(&self, site: SiteId) -> bool {
        self.sites.contains(site.0 as usize)
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}

/// Where facts come into a function and leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Port {
    /// By a parameter.
    Parameter(u32),
    /// By an argument beyond the named parameters.
    MoreArguments,
    /// By memory, at the entry or the exit.
    Memory(CellId),
    /// By being called or not.
    Called,
    /// By the value that it returns.
    Value,
    /// By coming back or not.
    Returned,
}

/// Something that is known about a part of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// This instruction has to do with the start.
    Site(u32),
    /// What this call returns has.
    Result(u32),
    /// Whether this node is executed has.
    Node(u32),
    /// This memory has, at the edge of a node where one comes in.
    Memory(CellId, u32),
}

/// A function, with the fact that it was entered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entered {
    /// It was not: the question started here, or has come here by leaving others.
    Free,
    /// By something that is no memory.
    By(Port),
    /// By memory.
    ByMemory,
}

pub(super) type ContextId = usize;

struct Context {
    function: FunctionId,
    is_free: bool,
    known: Known,
    callers: HashSet<(ContextId, u32), Quick>,
    left: HashSet<Port, Quick>,
    entered: HashSet<Port, Quick>,
}

/// The facts that were noted.
#[derive(Default)]
struct Known {
    sites: Bits,
    results: Bits,
    nodes: Bits,
    memory: HashMap<CellId, Bits, Quick>,
}

impl Known {
    /// Whether a fact is new.
    fn insert(&mut self, fact: Fact) -> bool {
        match fact {
            Fact::Site(index) => self.sites.insert(index as usize),
            Fact::Result(index) => self.results.insert(index as usize),
            Fact::Node(node) => self.nodes.insert(node as usize),
            Fact::Memory(cell, node) => {
                self.memory.entry(cell).or_default().insert(node as usize)
            }
        }
    }
}

/// How facts travel.
pub(super) trait Travel {
    /// What a fact in a function leads to.
    fn follow(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, fact: Fact);
    /// What is known in a function that is entered.
    fn enter(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, port: Port);
    /// What is known around a call if a fact has left the function that it calls.
    fn come_back(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, port: Port);
}

/// What was found so far.
pub(super) struct Tracer<'d, 'p> {
    pub(super) dependence: &'d Dependence<'p>,
    contexts: Vec<Context>,
    index: HashMap<(FunctionId, Entered), ContextId, Quick>,
    work: Vec<Work>,
    found: Slice,
    /// Where the question starts.
    starts: HashSet<SiteId>,
}

enum Work {
    Follow(ContextId, Fact),
    Enter(ContextId, Port),
    ComeBack(ContextId, u32, Port),
}

impl<'d, 'p> Tracer<'d, 'p> {
    /// Follows what these instructions have to do with.
    pub(super) fn run(
        dependence: &'d Dependence<'p>,
        from: &[SiteId],
        extent: Extent,
        travel: &dyn Travel,
    ) -> Slice {
        let mut tracer = Tracer {
            dependence,
            contexts: Vec::new(),
            index: HashMap::default(),
            work: Vec::new(),
            found: Slice::default(),
            starts: from.iter().copied().collect(),
        };
        for site in from {
            let Some(function) = dependence.function_of(*site) else { continue };
            let context = tracer.context(function, Entered::Free);
            tracer.add(context, Fact::Site(dependence.body(function).index(*site)));
        }
        while let Some(work) = tracer.work.pop() {
            match work {
                // What is found is not gone beyond if only the nearest is asked for.
                Work::Follow(context, Fact::Site(index))
                    if extent == Extent::Direct && !tracer.is_start(context, index) => {}
                Work::Follow(context, fact) => travel.follow(&mut tracer, context, fact),
                Work::Enter(context, port) => travel.enter(&mut tracer, context, port),
                Work::ComeBack(context, call, port) => {
                    travel.come_back(&mut tracer, context, call, port);
                }
            }
        }
        tracer.found
    }

    /// Whether the question starts at an instruction.
    pub(super) fn is_start(&self, context: ContextId, index: u32) -> bool {
        self.starts.contains(&self.body(context).site(index))
    }

    /// The function of a context.
    pub(super) fn body(&self, context: ContextId) -> &'d Body<'p> {
        self.dependence.body(self.contexts[context].function)
    }

    /// Notes a fact.
    pub(super) fn add(&mut self, context: ContextId, fact: Fact) {
        if let Fact::Site(index) | Fact::Result(index) = fact {
            let site = self.body(context).site(index).0 as usize;
            self.found.sites.insert(site);
            self.found.computed.insert(site);
        }
        self.add_work(context, fact);
    }

    /// Notes that an instruction has to do with the start because of a decision.
    pub(super) fn add_decided(&mut self, context: ContextId, index: u32) {
        let site = self.body(context).site(index).0 as usize;
        self.found.sites.insert(site);
        self.found.decided.insert(site);
        self.add_work(context, Fact::Site(index));
    }

    /// Notes that memory has to do with the start in some nodes of a function; says in which of them
    /// this is new.
    pub(super) fn add_memory(&mut self, context: ContextId, cell: CellId, nodes: &Bits) -> Bits {
        self.contexts[context].known.memory.entry(cell).or_default().add_new(nodes)
    }

    fn add_work(&mut self, context: ContextId, fact: Fact) {
        if self.contexts[context].known.insert(fact) {
            self.work.push(Work::Follow(context, fact));
        }
    }

    /// Notes that a fact is handed to a function that is called.
    pub(super) fn enter(&mut self, context: ContextId, call: u32, callee: FunctionId, port: Port) {
        if !self.dependence.is_own(callee) {
            return;
        }
        let entered = match port {
            Port::Memory(_) => self.context(callee, Entered::ByMemory),
            port => self.context(callee, Entered::By(port)),
        };
        if self.contexts[entered].callers.insert((context, call)) {
            let left = self.contexts[entered].left.iter();
            self.work.extend(left.map(|port| Work::ComeBack(context, call, *port)));
        }
        if self.contexts[entered].entered.insert(port) {
            self.work.push(Work::Enter(entered, port));
        }
    }

    fn context(&mut self, function: FunctionId, entered: Entered) -> ContextId {
        if let Some(known) = self.index.get(&(function, entered)) {
            return *known;
        }
        let id = self.contexts.len();
        self.contexts.push(Context {
            function,
            is_free: entered == Entered::Free,
            known: Known::default(),
            callers: HashSet::default(),
            left: HashSet::default(),
            entered: HashSet::default(),
        });
        self.index.insert((function, entered), id);
        id
    }

    /// Has facts be known in a function wherever it is called from, and whoever calls it.
    pub(super) fn add_anywhere(&mut self, function: FunctionId, fact: Fact) {
        let context = self.context(function, Entered::Free);
        self.add(context, fact);
    }

    /// Has a function be entered by nobody in particular.
    pub(super) fn enter_anywhere(&mut self, function: FunctionId, port: Port) {
        let context = self.context(function, Entered::Free);
        if self.contexts[context].entered.insert(port) {
            self.work.push(Work::Enter(context, port));
        }
    }

    /// Notes that a fact leaves a function.
    pub(super) fn leave(&mut self, context: ContextId, port: Port) {
        if !self.contexts[context].left.insert(port) {
            return;
        }
        let callers = self.contexts[context].callers.iter();
        self.work.extend(callers.map(|(context, call)| Work::ComeBack(*context, *call, port)));
        if !self.contexts[context].is_free {
            return;
        }
        let calls = &self.dependence.whole.calls;
        for call in calls.callers(self.contexts[context].function) {
            let caller = self.context(call.caller, Entered::Free);
            let index = self.dependence.body(call.caller).index(call.site);
            self.work.push(Work::ComeBack(caller, index, port));
        }
    }
}
