//! Follows facts through a program, with calls matched to returns.
//!
//! A function is analysed once for each argument that it is entered with, once for being called or
//! not, and once for all memory, and facts that leave it return only to callers that passed a fact
//! of this kind. Cells of memory are not distinguished here: there are too many, and all later
//! callees see them anyway. The function of the start has no caller in the analysis, so facts that
//! leave it go to all of its possible callers. Facts are not followed to nodes that control cannot
//! reach from the start, or cannot reach it from: the code that parses options is not affected by
//! their later use.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque, hash_map::Entry};

use super::{Body, Dependence, Extent, body::OwnCall};
use crate::{
    graph::{Bits, Direction, FanId, Reached},
    model::{FunctionId, SiteId},
    points_to::{CellId, Quick},
};

/// The instructions that depend on others, or that others depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// The instructions, by their ids.
    pub sites: Bits,
    /// Those of them that are there through control: a decision executes them or not, or chooses what
    /// they compute.
    pub decided: Bits,
    /// Those that are there through a value.
    pub computed: Bits,
    /// Whether the deadline cut it short: then it is all that control can reach.
    pub cut: bool,
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

/// Where facts enter and leave a function.
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
    /// By returning or not.
    Returned,
}

/// A known fact about a part of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// This instruction is in the slice.
    Site(u32),
    /// The result of this call is.
    Result(u32),
    /// The execution of this node is.
    Node(u32),
    /// This memory is, at the edge of a node where a fact enters.
    Memory(CellId, u32),
}

/// A context: a function, with the fact that entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entered {
    /// None: the query started here, or facts left callees to here.
    Free,
    /// A fact that is no memory.
    By(Port),
    /// By memory.
    ByMemory,
}

pub(super) type ContextId = usize;

/// Limit on callees; calls with more of them enter the callees together with all calls of the same
/// callees: one by one would take the product of calls and callees in steps.
const MANY: usize = 8;

/// Callees that many calls share, with the facts that entered them.
#[derive(Default)]
struct Junction {
    callers: HashSet<(ContextId, u32), Quick>,
    left: HashSet<Port, Quick>,
    /// Memory that has left one of the functions.
    taken: Bits,
    /// Memory that they were entered with.
    brought: Bits,
    /// Memory that one of them reads.
    readable: Bits,
}

type JunctionId = usize;

struct Context {
    function: FunctionId,
    /// The junctions through which the function was entered.
    junctions: Vec<JunctionId>,
    is_free: bool,
    known: Known,
    /// Memory that is followed, by the node at whose start it is.
    flows: HashMap<u32, Stream, Quick>,
    /// Places with pending memory.
    waiting: BTreeSet<(u32, Place)>,
    /// Memory that has returned from calls, pending.
    returned: HashMap<u32, Bits, Quick>,
    /// Memory that the function was entered with.
    brought: Bits,
    /// Memory that has left it.
    taken: Bits,
    callers: HashSet<(ContextId, u32), Quick>,
    /// Calls that may be made or not.
    calls: HashSet<u32, Quick>,
    left: HashSet<Port, Quick>,
    entered: HashSet<Port, Quick>,
}

/// Memory at the start of a node.
#[derive(Default)]
struct Stream {
    /// Memory already followed.
    known: Bits,
    /// New memory, pending.
    waiting: Bits,
}

/// The facts recorded for a context.
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
            Fact::Memory(cell, node) => self.memory.entry(cell).or_default().insert(node as usize),
        }
    }
}

/// The propagation rules of a direction.
pub(super) trait Travel {
    /// Follows a fact in a function.
    fn follow(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, fact: Fact);
    /// Follows an instruction that may be executed or not.
    fn decide(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32);
    /// Facts inside a function after it is entered through a port.
    fn enter(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, port: Port);
    /// Facts around a call after a fact has left the callee.
    fn come_back(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, port: Port);
    /// Propagates memory from an instruction of a node on.
    fn flow(
        &self,
        tracer: &mut Tracer<'_, '_>,
        context: ContextId,
        node: u32,
        from: u32,
        cells: &Bits,
    );
}

/// The start of a query.
#[derive(Clone, Copy)]
pub(super) struct Start<'s> {
    /// The instructions of the query.
    pub(super) from: &'s [SiteId],
    /// Instructions that may be executed or not.
    pub(super) decided: &'s [SiteId],
}

/// The state of a query.
pub(super) struct Tracer<'d, 'p> {
    pub(super) dependence: &'d Dependence<'p>,
    extent: Extent,
    contexts: Vec<Context>,
    index: HashMap<(FunctionId, Entered), ContextId, Quick>,
    junctions: Vec<Junction>,
    junction_index: HashMap<(FanId, Entered), JunctionId, Quick>,
    /// Facts that have left a function without a caller in the analysis and went to all calls that
    /// may call it.
    left: HashSet<(FanId, Port), Quick>,
    taken: HashMap<FanId, Bits, Quick>,
    work: Vec<Work>,
    /// Functions with pending memory.
    waiting: VecDeque<ContextId>,
    found: Slice,
    /// Where the question starts.
    starts: HashSet<SiteId>,
    /// Nodes that control can reach from the start, or reach it from; not computed for direct
    /// dependence.
    bounds: Option<Reached>,
}

enum Work {
    Follow(ContextId, Fact),
    Enter(ContextId, Port),
    ComeBack(ContextId, u32, Port),
}

/// A place where memory is pending, so that much of it is followed at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// At the start of a node.
    Node(u32),
    /// After a call.
    Call(u32),
}

/// All instructions that control can reach: a superset without any look at dependence.
fn all_within(dependence: &Dependence<'_>, reached: &Reached) -> Slice {
    let mut sites = Bits::default();
    for (_, function) in dependence.program.defined() {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let node = dependence.whole.node_at(instruction.site);
            if node.is_some_and(|node| reached.contains(node)) {
                sites.insert(instruction.site.0 as usize);
            }
        }
    }
    Slice { decided: sites.clone(), computed: sites.clone(), sites, cut: true }
}

impl<'d, 'p> Tracer<'d, 'p> {
    /// Runs a query.
    pub(super) fn run(
        dependence: &'d Dependence<'p>,
        start: Start<'_>,
        extent: Extent,
        direction: Direction,
        travel: &dyn Travel,
    ) -> Slice {
        let Start { from, decided } = start;
        let all = from.iter().chain(decided);
        let nodes: Vec<_> = all.filter_map(|site| dependence.whole.node_at(*site)).collect();
        let mut tracer = Tracer {
            dependence,
            extent,
            contexts: Vec::new(),
            index: HashMap::default(),
            junctions: Vec::new(),
            junction_index: HashMap::default(),
            left: HashSet::default(),
            taken: HashMap::default(),
            work: Vec::new(),
            waiting: VecDeque::new(),
            found: Slice::default(),
            starts: from.iter().copied().collect(),
            bounds: (extent == Extent::All).then(|| dependence.whole.reach(&nodes, direction)),
        };
        for site in from {
            let Some(function) = dependence.function_of(*site) else { continue };
            let context = tracer.context(function, Entered::Free);
            tracer.add(context, Fact::Site(dependence.body(function).index(*site)));
        }
        for site in decided {
            let Some(function) = dependence.function_of(*site) else { continue };
            let context = tracer.context(function, Entered::Free);
            travel.decide(&mut tracer, context, dependence.body(function).index(*site));
        }
        for step in 0_u64.. {
            // A step may follow thousands of cells.
            if step.is_multiple_of(16) && dependence.deadline.is_over() {
                let reached = tracer.bounds.take();
                let reach = || dependence.whole.reach(&nodes, direction);
                return all_within(dependence, &reached.unwrap_or_else(reach));
            }
            if let Some(work) = tracer.work.pop() {
                tracer.do_work(travel, &work);
            } else if let Some(context) = tracer.waiting.front().copied() {
                match tracer.contexts[context].waiting.pop_first() {
                    Some((_, place)) => tracer.let_flow(travel, context, place),
                    None => _ = tracer.waiting.pop_front(),
                }
            } else {
                break;
            }
        }
        tracer.found
    }

    fn do_work(&mut self, travel: &dyn Travel, work: &Work) {
        match *work {
            // Direct dependence does not go beyond the first result.
            Work::Follow(context, Fact::Site(index))
                if self.extent == Extent::Direct && !self.is_start(context, index) => {}
            Work::Follow(context, fact) => travel.follow(self, context, fact),
            Work::Enter(context, port) => travel.enter(self, context, port),
            Work::ComeBack(context, call, port) => travel.come_back(self, context, call, port),
        }
    }

    fn let_flow(&mut self, travel: &dyn Travel, context: ContextId, place: Place) {
        match place {
            Place::Node(node) => {
                let streams = &mut self.contexts[context].flows;
                let cells = std::mem::take(&mut streams.entry(node).or_default().waiting);
                let start = self.body(context).range(node).start;
                travel.flow(self, context, node, start, &cells);
            }
            Place::Call(call) => {
                let cells = self.contexts[context].returned.remove(&call).unwrap_or_default();
                let node = self.body(context).node(call);
                let cells = self.unknown_at(context, node + 1, &cells);
                if !cells.is_empty() {
                    travel.flow(self, context, node, call + 1, &cells);
                }
            }
        }
    }

    /// Marks memory as pending at a place. Places of one function are processed in the order of its
    /// code.
    fn wait(&mut self, context: ContextId, node: u32, place: Place) {
        if self.contexts[context].waiting.is_empty() {
            self.waiting.push_back(context);
        }
        self.contexts[context].waiting.insert((node, place));
    }

    /// Records memory that has returned from a call.
    fn come_back_with(&mut self, context: ContextId, call: u32, cells: &Bits) {
        match self.contexts[context].returned.entry(call) {
            Entry::Occupied(mut known) => known.get_mut().add_all(cells),
            Entry::Vacant(place) => {
                place.insert(cells.clone());
                let node = self.body(context).node(call);
                self.wait(context, node, Place::Call(call));
            }
        }
    }

    /// Whether the query starts at an instruction.
    pub(super) fn is_start(&self, context: ContextId, index: u32) -> bool {
        self.starts.contains(&self.body(context).site(index))
    }

    /// The function of a context.
    pub(super) fn body(&self, context: ContextId) -> &'d Body<'p> {
        self.dependence.body(self.contexts[context].function)
    }

    /// Whether control can get from the start to a node, or from there to the start.
    fn is_within(&self, context: ContextId, node: u32) -> bool {
        let Some(bounds) = &self.bounds else { return true };
        bounds.contains(self.dependence.whole.node(self.contexts[context].function, node))
    }

    /// The same for a call that returns: a start inside the callee never reaches the call itself.
    fn is_back_within(&self, context: ContextId, call: u32) -> bool {
        let node = self.body(context).node(call);
        self.is_within(context, node) || self.is_within(context, node + 1)
    }

    /// Adds a call as a whole, because of its callees.
    pub(super) fn add_call(&mut self, context: ContextId, call: u32) {
        if self.is_back_within(context, call) {
            let site = self.body(context).site(call).0 as usize;
            self.found.sites.insert(site);
            self.found.computed.insert(site);
            self.add_work(context, Fact::Site(call));
        }
    }

    /// Records a fact.
    pub(super) fn add(&mut self, context: ContextId, fact: Fact) {
        let is_within = match fact {
            Fact::Site(index) => self.is_within(context, self.body(context).node(index)),
            Fact::Result(index) => self.is_back_within(context, index),
            Fact::Node(node) | Fact::Memory(_, node) => self.is_within(context, node),
        };
        if !is_within {
            return;
        }
        if let Fact::Site(index) | Fact::Result(index) = fact {
            let site = self.body(context).site(index).0 as usize;
            self.found.sites.insert(site);
            self.found.computed.insert(site);
        }
        self.add_work(context, fact);
    }

    /// Adds an instruction through control.
    pub(super) fn add_decided(&mut self, context: ContextId, index: u32) {
        if !self.is_within(context, self.body(context).node(index)) {
            return;
        }
        let site = self.body(context).site(index).0 as usize;
        self.found.sites.insert(site);
        self.found.decided.insert(site);
        self.add_work(context, Fact::Site(index));
    }

    /// Records memory at the start of a node.
    pub(super) fn add_memory(&mut self, context: ContextId, node: u32, cells: &Bits) {
        if !self.is_within(context, node) {
            return;
        }
        let stream = self.contexts[context].flows.entry(node).or_default();
        let new = stream.known.add_new(cells);
        if new.is_empty() {
            return;
        }
        let is_idle = stream.waiting.is_empty();
        stream.waiting.add_all(&new);
        if is_idle {
            self.wait(context, node, Place::Node(node));
        }
    }

    /// The memory without a fact at the start of a node so far.
    pub(super) fn unknown_at(&self, context: ContextId, node: u32, cells: &Bits) -> Bits {
        match self.contexts[context].flows.get(&node) {
            Some(stream) => cells.without(&stream.known),
            None => cells.clone(),
        }
    }

    /// Passes memory to a callee.
    pub(super) fn enter_with(
        &mut self,
        context: ContextId,
        call: u32,
        callee: FunctionId,
        cells: &Bits,
    ) {
        let node = self.body(context).node(call);
        let is_decided = self.contexts[context].calls.contains(&call);
        if !self.is_within(context, node) || is_decided && self.extent == Extent::All {
            return;
        }
        let entered = self.context(callee, Entered::ByMemory);
        if self.contexts[entered].callers.insert((context, call)) {
            self.come_back_with_all(context, call, entered);
        }
        self.bring(entered, cells);
    }

    /// Records memory at a node of a function for all callers.
    pub(super) fn add_memory_anywhere(&mut self, function: FunctionId, node: u32, cells: &Bits) {
        let context = self.context(function, Entered::Free);
        self.add_memory(context, node, cells);
    }

    /// Enters a function with memory without a caller.
    pub(super) fn bring_anywhere(&mut self, function: FunctionId, cells: &Bits) {
        let context = self.context(function, Entered::Free);
        self.bring(context, cells);
    }

    fn bring(&mut self, context: ContextId, cells: &Bits) {
        let new = self.contexts[context].brought.add_new(cells);
        if !new.is_empty() {
            self.add_memory(context, 0, &new);
        }
    }

    /// Passes to a caller all memory that has left a function so far.
    fn come_back_with_all(&mut self, context: ContextId, call: u32, entered: ContextId) {
        let left = self.contexts[entered].left.iter();
        self.work.extend(left.map(|port| Work::ComeBack(context, call, *port)));
        if !self.contexts[entered].taken.is_empty() {
            let taken = self.contexts[entered].taken.clone();
            self.come_back_with(context, call, &taken);
        }
    }

    /// Records memory that leaves a function.
    pub(super) fn leave_with(&mut self, context: ContextId, cells: &Bits) {
        let new = self.contexts[context].taken.add_new(cells);
        if new.is_empty() {
            return;
        }
        let callers: Vec<_> = self.contexts[context].callers.iter().copied().collect();
        for (caller, call) in callers {
            self.come_back_with(caller, call, &new);
        }
        for junction in self.contexts[context].junctions.clone() {
            self.hear_memory(junction, &new);
        }
        if !self.contexts[context].is_free {
            return;
        }
        let calls = &self.dependence.whole.calls;
        for fan in calls.fans_into(self.contexts[context].function) {
            let new = self.taken.entry(*fan).or_default().add_new(&new);
            if new.is_empty() {
                continue;
            }
            for call in calls.calls_of(*fan) {
                let caller = self.context(call.caller, Entered::Free);
                let index = self.dependence.body(call.caller).index(call.site);
                self.come_back_with(caller, index, &new);
            }
        }
    }

    fn add_work(&mut self, context: ContextId, fact: Fact) {
        if self.contexts[context].known.insert(fact) {
            self.work.push(Work::Follow(context, fact));
        }
    }

    /// Passes a fact to a callee.
    pub(super) fn enter(&mut self, context: ContextId, call: u32, callee: FunctionId, port: Port) {
        let node = self.body(context).node(call);
        if !self.dependence.is_own(callee) || !self.is_within(context, node) {
            return;
        }
        if self.is_called_anyway(context, call, port) {
            return;
        }
        let entered = match port {
            Port::Memory(_) => self.context(callee, Entered::ByMemory),
            port => self.context(callee, Entered::By(port)),
        };
        if self.contexts[entered].callers.insert((context, call)) {
            self.come_back_with_all(context, call, entered);
        }
        if self.contexts[entered].entered.insert(port) {
            self.work.push(Work::Enter(entered, port));
        }
    }

    /// Passes a fact to all possible callees of a call.
    pub(super) fn enter_each(&mut self, context: ContextId, call: u32, port: Port) {
        let dependence = self.dependence;
        let site = self.body(context).site(call);
        let callees = dependence.whole.calls.callees(site);
        let Some(fan) = dependence.whole.calls.fan(site).filter(|_| callees.len() > MANY) else {
            for callee in callees {
                self.enter(context, call, *callee, port_of(dependence, *callee, port));
            }
            return;
        };
        let node = self.body(context).node(call);
        if !self.is_within(context, node) || self.is_called_anyway(context, call, port) {
            return;
        }
        let next = self.junctions.len();
        let junction = *self.junction_index.entry((fan, Entered::By(port))).or_insert(next);
        if junction == next {
            self.junctions.push(Junction::default());
            for callee in callees.iter().filter(|callee| dependence.is_own(**callee)) {
                let port = port_of(dependence, *callee, port);
                let entered = self.context(*callee, Entered::By(port));
                self.link(entered, junction);
                if self.contexts[entered].entered.insert(port) {
                    self.work.push(Work::Enter(entered, port));
                }
            }
        }
        self.call_junction(context, call, junction);
    }

    /// Passes memory to all possible callees of a call that read it.
    pub(super) fn enter_each_with(&mut self, context: ContextId, call: &OwnCall, cells: &Bits) {
        let memory = &self.dependence.memory;
        let site = self.body(context).site(call.index);
        let fan = self.dependence.whole.calls.fan(site).filter(|_| call.callees.len() > MANY);
        let Some(fan) = fan else {
            for callee in &call.callees {
                let read = cells.and(memory.readable(*callee));
                if !read.is_empty() {
                    self.enter_with(context, call.index, *callee, &read);
                }
            }
            return;
        };
        let is_decided = self.contexts[context].calls.contains(&call.index);
        let node = self.body(context).node(call.index);
        if !self.is_within(context, node) || is_decided && self.extent == Extent::All {
            return;
        }
        let next = self.junctions.len();
        let junction = *self.junction_index.entry((fan, Entered::ByMemory)).or_insert(next);
        if junction == next {
            let mut made = Junction::default();
            call.callees.iter().for_each(|it| made.readable.add_all(memory.readable(*it)));
            self.junctions.push(made);
        }
        let read = cells.and(&self.junctions[junction].readable);
        if read.is_empty() {
            return;
        }
        let new = self.junctions[junction].brought.add_new(&read);
        if !new.is_empty() {
            for callee in &call.callees {
                let read = new.and(memory.readable(*callee));
                if !read.is_empty() {
                    let entered = self.context(*callee, Entered::ByMemory);
                    self.link(entered, junction);
                    self.bring(entered, &read);
                }
            }
        }
        self.call_junction(context, call.index, junction);
    }

    /// Subscribes a junction to the facts that leave a function.
    fn link(&mut self, entered: ContextId, junction: JunctionId) {
        if self.contexts[entered].junctions.contains(&junction) {
            return;
        }
        self.contexts[entered].junctions.push(junction);
        let left: Vec<Port> = self.contexts[entered].left.iter().copied().collect();
        left.into_iter().for_each(|port| self.hear(junction, port));
        let taken = self.contexts[entered].taken.clone();
        self.hear_memory(junction, &taken);
    }

    fn hear(&mut self, junction: JunctionId, port: Port) {
        let Junction { callers, left, .. } = &mut self.junctions[junction];
        if left.insert(port) {
            let back = callers.iter().map(|(context, call)| (*context, *call));
            self.work.extend(back.map(|(context, call)| Work::ComeBack(context, call, port)));
        }
    }

    fn hear_memory(&mut self, junction: JunctionId, cells: &Bits) {
        let new = self.junctions[junction].taken.add_new(cells);
        if new.is_empty() {
            return;
        }
        let callers: Vec<_> = self.junctions[junction].callers.iter().copied().collect();
        for (context, call) in callers {
            self.come_back_with(context, call, &new);
        }
    }

    /// Passes to a call all that has left the functions of a junction so far.
    fn call_junction(&mut self, context: ContextId, call: u32, junction: JunctionId) {
        if !self.junctions[junction].callers.insert((context, call)) {
            return;
        }
        let Junction { left, taken, .. } = &self.junctions[junction];
        self.work.extend(left.iter().map(|port| Work::ComeBack(context, call, *port)));
        if !taken.is_empty() {
            let taken = taken.clone();
            self.come_back_with(context, call, &taken);
        }
    }

    /// Records calls that are in the slice as a whole; returns whether this one is, so that other
    /// facts add nothing.
    fn is_called_anyway(&mut self, context: ContextId, call: u32, port: Port) -> bool {
        let calls = &mut self.contexts[context].calls;
        if port == Port::Called {
            calls.insert(call);
            return false;
        }
        calls.contains(&call) && self.extent == Extent::All
    }

    fn context(&mut self, function: FunctionId, entered: Entered) -> ContextId {
        if let Some(known) = self.index.get(&(function, entered)) {
            return *known;
        }
        let id = self.contexts.len();
        self.contexts.push(Context {
            function,
            junctions: Vec::new(),
            is_free: entered == Entered::Free,
            known: Known::default(),
            flows: HashMap::default(),
            waiting: BTreeSet::new(),
            returned: HashMap::default(),
            brought: Bits::default(),
            taken: Bits::default(),
            callers: HashSet::default(),
            calls: HashSet::default(),
            left: HashSet::default(),
            entered: HashSet::default(),
        });
        self.index.insert((function, entered), id);
        id
    }

    /// Records a fact in a function for all callers.
    pub(super) fn add_anywhere(&mut self, function: FunctionId, fact: Fact) {
        let context = self.context(function, Entered::Free);
        self.add(context, fact);
    }

    /// Records a fact that leaves a function.
    pub(super) fn leave(&mut self, context: ContextId, port: Port) {
        if !self.contexts[context].left.insert(port) {
            return;
        }
        let callers = self.contexts[context].callers.iter();
        self.work.extend(callers.map(|(context, call)| Work::ComeBack(*context, *call, port)));
        for junction in self.contexts[context].junctions.clone() {
            self.hear(junction, port);
        }
        if !self.contexts[context].is_free {
            return;
        }
        let calls = &self.dependence.whole.calls;
        for fan in calls.fans_into(self.contexts[context].function) {
            if !self.left.insert((*fan, port)) {
                continue;
            }
            for call in calls.calls_of(*fan) {
                let caller = self.context(call.caller, Entered::Free);
                let index = self.dependence.body(call.caller).index(call.site);
                self.work.push(Work::ComeBack(caller, index, port));
            }
        }
    }
}

/// The port of the callee for an argument of a call.
fn port_of(dependence: &Dependence<'_>, callee: FunctionId, port: Port) -> Port {
    match port {
        Port::Parameter(index) if index >= dependence.program.at(callee).parameters => {
            Port::MoreArguments
        }
        port => port,
    }
}
