//! Following facts through a program, calls matched to returns.
//!
//! A function is looked at once for each fact that it is entered with, and what comes out of it goes
//! back to those who have sent this fact, and to nobody else. A function that is entered with very
//! many facts is looked at for all further ones together: less precise, and never wrong. Where the
//! question starts nobody has entered the function, and what comes out of it goes to all who may
//! have.

use std::collections::{HashMap, HashSet};

use super::{Body, Dependence, Extent};
use crate::{
    graph::Bits,
    model::{FunctionId, SiteId},
    points_to::CellId,
};

/// Facts that a function is entered with before they are looked at together.
const MOST_APART: usize = 24;

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
    /// By one fact.
    By(Port),
    /// By one of many.
    ByMany,
}

pub(super) type ContextId = usize;

struct Context {
    function: FunctionId,
    is_free: bool,
    facts: HashSet<Fact>,
    callers: Vec<(ContextId, u32)>,
    left: Vec<Port>,
    entered: HashSet<Port>,
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
    index: HashMap<(FunctionId, Entered), ContextId>,
    /// How many facts each function was entered with.
    apart: HashMap<FunctionId, usize>,
    work: Vec<Work>,
    found: Slice,
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
            index: HashMap::new(),
            apart: HashMap::new(),
            work: Vec::new(),
            found: Slice::default(),
        };
        for site in from {
            let Some(function) = dependence.function_of(*site) else { continue };
            let context = tracer.context(function, Entered::Free);
            tracer.add(context, Fact::Site(dependence.body(function).index(*site)));
        }
        // What is found from here on is not gone beyond if only the nearest is asked for.
        let starts: HashSet<_> = from.iter().copied().collect();
        while let Some(work) = tracer.work.pop() {
            match work {
                Work::Follow(context, Fact::Site(index))
                    if extent == Extent::Direct
                        && !starts.contains(&tracer.body(context).site(index)) => {}
                Work::Follow(context, fact) => travel.follow(&mut tracer, context, fact),
                Work::Enter(context, port) => travel.enter(&mut tracer, context, port),
                Work::ComeBack(context, call, port) => {
                    travel.come_back(&mut tracer, context, call, port);
                }
            }
        }
        tracer.found
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

    fn add_work(&mut self, context: ContextId, fact: Fact) {
        if self.contexts[context].facts.insert(fact) {
            self.work.push(Work::Follow(context, fact));
        }
    }

    /// Notes that a fact is handed to a function that is called.
    pub(super) fn enter(&mut self, context: ContextId, call: u32, callee: FunctionId, port: Port) {
        if !self.dependence.is_own(callee) {
            return;
        }
        let entered = self.contexts_of(callee, port);
        if !self.contexts[entered].callers.contains(&(context, call)) {
            self.contexts[entered].callers.push((context, call));
            let left = self.contexts[entered].left.iter();
            self.work.extend(left.map(|port| Work::ComeBack(context, call, *port)));
        }
        if self.contexts[entered].entered.insert(port) {
            self.work.push(Work::Enter(entered, port));
        }
    }

    fn contexts_of(&mut self, callee: FunctionId, port: Port) -> ContextId {
        if let Some(known) = self.index.get(&(callee, Entered::By(port))) {
            return *known;
        }
        let apart = self.apart.entry(callee).or_default();
        *apart += 1;
        match *apart <= MOST_APART {
            true => self.context(callee, Entered::By(port)),
            false => self.context(callee, Entered::ByMany),
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
            facts: HashSet::new(),
            callers: Vec::new(),
            left: Vec::new(),
            entered: HashSet::new(),
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
        if self.contexts[context].left.contains(&port) {
            return;
        }
        self.contexts[context].left.push(port);
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
