//! The flow of the whole program, and reachability in it.
//!
//! Only paths on which calls match returns count. Such a path first leaves functions that were
//! called before it began, and then enters others without leaving the one it was in: so each node
//! is reached either while leaving is still allowed or after it is not, and two bits for each node
//! suffice.

use std::{cell::OnceCell, collections::HashMap};

use super::{Bits, Call, CallGraph, Control, EdgeKind, Ending, Flow};
use crate::model::{BlockId, FunctionId, Program, SiteId};

/// A segment of a block of some function, by its position among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The flow of all functions of a program.
#[derive(Debug)]
pub struct WholeFlow {
    /// The flow of each function, by [`FunctionId`]; empty for one without a body.
    pub flows: Vec<Flow>,
    /// The entry of the program.
    pub main: Option<FunctionId>,
    /// The call graph.
    pub calls: CallGraph,
    /// The control dependence of each function, computed on demand.
    controls: Vec<OnceCell<Control>>,
    /// The first node of each function.
    bases: Vec<u32>,
    /// The functions of the nodes.
    owners: Vec<FunctionId>,
    /// The first instructions of the nodes.
    first_sites: Vec<u32>,
    /// The calls that end nodes.
    called: HashMap<NodeId, SiteId>,
    /// Where the calls are.
    callers: HashMap<SiteId, NodeId>,
}

/// A direction of reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To nodes that can be executed afterwards.
    Forward,
    /// To nodes that could have been executed before.
    Backward,
}

/// A set of reachable nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Reached on paths that may still leave their function.
    free: Bits,
    /// Reached on paths that have entered their function.
    inside: Bits,
}

impl Reached {
    /// Whether a node can be reached.
    pub fn contains(&self, node: NodeId) -> bool {
        let node = node.0 as usize;
        self.free.contains(node) || self.inside.contains(node)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        let both = self.free.iter().filter(|node| self.inside.contains(*node)).count();
        self.free.len() + self.inside.len() - both
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty() && self.inside.is_empty()
    }
}

impl WholeFlow {
    /// The flow of a program.
    pub fn new(program: &Program, calls: CallGraph) -> WholeFlow {
        let ids = (0..program.functions.len() as u32).map(FunctionId);
        let flows: Vec<_> = ids.map(|id| Flow::new(program, id, &calls)).collect();
        let main = program.functions.iter().position(|function| function.name == "main");
        let mut whole = WholeFlow {
            main: main.map(|main| FunctionId(main as u32)),
            flows: Vec::new(),
            calls,
            controls: flows.iter().map(|_| OnceCell::new()).collect(),
            bases: Vec::new(),
            owners: Vec::new(),
            first_sites: Vec::new(),
            called: HashMap::new(),
            callers: HashMap::new(),
        };
        for (id, (function, flow)) in
            (0..).map(FunctionId).zip(program.functions.iter().zip(&flows))
        {
            whole.bases.push(whole.owners.len() as u32);
            for segment in &flow.segments {
                let node = NodeId(whole.owners.len() as u32);
                whole.owners.push(id);
                let block = &function.blocks[segment.block.0 as usize];
                let first = block.instructions.get(segment.instructions.start as usize);
                whole.first_sites.push(first.map_or(u32::MAX, |first| first.site.0));
                if segment.calls {
                    let call = &block.instructions[segment.instructions.end as usize - 1];
                    whole.called.insert(node, call.site);
                    whole.callers.insert(call.site, node);
                }
            }
        }
        whole.flows = flows;
        whole
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The function of a node.
    pub fn owner(&self, node: NodeId) -> FunctionId {
        self.owners[node.0 as usize]
    }

    /// The flow of a function.
    pub fn flow(&self, function: FunctionId) -> &Flow {
        &self.flows[function.0 as usize]
    }

    /// The control dependence of a function.
    pub fn control(&self, function: FunctionId) -> &Control {
        self.controls[function.0 as usize].get_or_init(|| Control::new(self.flow(function)))
    }

    /// A node of a function.
    pub fn node(&self, function: FunctionId, local: u32) -> NodeId {
        NodeId(self.bases[function.0 as usize] + local)
    }

    /// The position of a node in the flow of its function.
    pub fn local(&self, node: NodeId) -> u32 {
        node.0 - self.bases[self.owner(node).0 as usize]
    }

    /// The node that an instruction is in.
    pub fn node_of(&self, function: FunctionId, block: BlockId, instruction: u32) -> NodeId {
        self.node(function, self.flow(function).node_of(block, instruction))
    }

    /// The node that an instruction is in, by its id.
    pub fn node_at(&self, site: SiteId) -> Option<NodeId> {
        let after = self.first_sites.partition_point(|first| *first <= site.0);
        after.checked_sub(1).map(|node| NodeId(node as u32))
    }

    /// The first node of a function; `None` if it has no body.
    pub fn entry(&self, function: FunctionId) -> Option<NodeId> {
        let has_body = !self.flow(function).segments.is_empty();
        has_body.then(|| self.node(function, 0))
    }

    /// The call that ends a node.
    pub fn call_of(&self, node: NodeId) -> Option<SiteId> {
        self.called.get(&node).copied()
    }

    /// The node that a call ends.
    pub fn caller(&self, call: SiteId) -> Option<NodeId> {
        self.callers.get(&call).copied()
    }

    /// The nodes that can be reached from these, or that these can be reached from, themselves
    /// included.
    pub fn reach(&self, from: &[NodeId], direction: Direction) -> Reached {
        let mut walk = Walk {
            whole: self,
            reached: Reached::default(),
            stack: Vec::new(),
            entered: Bits::new(self.calls.fans()),
            left: Bits::new(self.calls.fans()),
        };
        for node in from {
            walk.visit(*node, true);
        }
        while walk.run(direction) {
            walk.visit_signals(direction);
        }
        walk.reached
    }

    /// The nodes at which the program ends in order, so that its exit handlers run.
    pub fn ends(&self) -> impl Iterator<Item = NodeId> + '_ {
        let exits = self.calls.exits().iter().filter_map(|exit| self.caller(exit.site));
        exits.chain(self.main.into_iter().flat_map(|main| self.leaving(main)))
    }

    /// The first nodes of the exit handlers.
    pub fn handlers(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.calls.handlers().filter_map(|handler| self.entry(handler))
    }

    /// The first nodes of `main` and of the functions that run before it.
    pub fn begins(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.calls.starters().chain(self.main).filter_map(|function| self.entry(function))
    }

    /// Successors of the return of a function that the program does not call itself, and whether
    /// the path may leave their functions.
    pub fn next_after(&self, function: FunctionId) -> Vec<(NodeId, bool)> {
        let mut next = Vec::new();
        if self.main == Some(function) {
            next.extend(self.handlers().map(|entry| (entry, false)));
        }
        if self.calls.starters().any(|starter| starter == function) {
            next.extend(self.begins().map(|entry| (entry, true)));
        }
        next
    }

    /// The nodes with a return of a function.
    pub fn leaving(&self, function: FunctionId) -> impl Iterator<Item = NodeId> + '_ {
        let flow = self.flow(function);
        let nodes = 0..flow.segments.len() as u32;
        let leaves = |node: &u32| flow.edges(*node).any(|edge| edge.kind == EdgeKind::Left);
        nodes.filter(leaves).map(move |node| self.node(function, node))
    }

    /// Targets of the call that ends a node, and whether the path may leave their functions: the
    /// callees, and, if it ends the program or jumps to where another call returns a second time,
    /// those places.
    pub fn called_from(&self, node: NodeId) -> Vec<(NodeId, bool)> {
        let Some(call) = self.call_of(node) else { return Vec::new() };
        let callees = self.calls.callees(call).iter().filter_map(|callee| self.entry(*callee));
        let mut next: Vec<_> = callees.map(|entry| (entry, false)).collect();
        if self.calls.exits().iter().any(|exit| exit.site == call) {
            next.extend(self.handlers().map(|entry| (entry, false)));
        }
        if self.calls.jumps().iter().any(|jump| jump.site == call) {
            let resumed = self.calls.resumed().iter().filter_map(|resumed| self.after(resumed));
            next.extend(resumed.map(|node| (node, true)));
        }
        next
    }

    /// The node behind a call, if it returns.
    pub fn after(&self, call: &Call) -> Option<NodeId> {
        let node = self.caller(call.site)?;
        let comes_back = self.calls.ending(call.site) != Ending::Ends;
        comes_back.then_some(NodeId(node.0 + 1))
    }
}

/// A search over nodes, each of them free or inside.
struct Walk<'w> {
    whole: &'w WholeFlow,
    reached: Reached,
    stack: Vec<(NodeId, bool)>,
    /// The fans whose callees have been visited from one of their calls.
    entered: Bits,
    /// The fans whose calls have been visited from one of their callees.
    left: Bits,
}

impl<'w> Walk<'w> {
    fn visit(&mut self, node: NodeId, free: bool) {
        // A free node reaches everything that an inside one does.
        let (index, reached) = (node.0 as usize, &mut self.reached);
        let is_new = match free {
            true => reached.free.insert(index),
            false => !reached.free.contains(index) && reached.inside.insert(index),
        };
        if is_new {
            self.stack.push((node, free));
        }
    }

    /// Processes the worklist; returns whether there was anything in it.
    fn run(&mut self, direction: Direction) -> bool {
        let has_work = !self.stack.is_empty();
        while let Some((node, free)) = self.stack.pop() {
            match direction {
                Direction::Forward => self.forward(node, free),
                Direction::Backward => self.backward(node, free),
            }
        }
        has_work
    }

    fn forward(&mut self, node: NodeId, free: bool) {
        let whole = self.whole;
        let function = whole.owner(node);
        for edge in whole.flow(function).edges(whole.local(node)) {
            match edge.kind {
                EdgeKind::Way(_) | EdgeKind::Returned => {
                    self.visit(whole.node(function, edge.to), free);
                }
                EdgeKind::Left if free => {
                    for call in self.calls_of(function) {
                        whole.after(call).into_iter().for_each(|next| self.visit(next, true));
                    }
                    for (next, free) in whole.next_after(function) {
                        self.visit(next, free);
                    }
                }
                EdgeKind::Left | EdgeKind::Ended | EdgeKind::Never => {}
            }
        }
        let Some(call) = whole.call_of(node) else { return };
        let special = || whole.calls.exits().iter().chain(whole.calls.jumps());
        if self.enters(call) || special().any(|special| special.site == call) {
            for (next, free) in whole.called_from(node) {
                self.visit(next, free);
            }
        }
    }

    /// Whether this is the first call of its fan to be entered.
    fn enters(&mut self, call: SiteId) -> bool {
        let fan = self.whole.calls.fan(call);
        fan.is_some_and(|fan| self.entered.insert(fan.0 as usize))
    }

    /// The calls of a function, except for fans that have been left before.
    fn calls_of(&mut self, function: FunctionId) -> Vec<&'w Call> {
        let calls = &self.whole.calls;
        let fans = calls.fans_into(function).iter();
        let new = fans.filter(|fan| self.left.insert(fan.0 as usize));
        new.flat_map(|fan| calls.calls_of(*fan)).collect()
    }

    fn backward(&mut self, node: NodeId, free: bool) {
        let whole = self.whole;
        let function = whole.owner(node);
        let local = whole.local(node);
        for before in whole.flow(function).before(local) {
            self.visit(whole.node(function, *before), free);
        }
        if local == 0 && free {
            self.visit_callers(function);
        }
        let Some(call) = local.checked_sub(1).and_then(|_| whole.call_of(NodeId(node.0 - 1)))
        else {
            return;
        };
        if whole.calls.ending(call) != Ending::Ends && self.enters(call) {
            for callee in whole.calls.callees(call) {
                whole.leaving(*callee).for_each(|leaving| self.visit(leaving, false));
            }
        }
        if whole.calls.resumed().iter().any(|resumed| resumed.site == call) {
            for jump in whole.calls.jumps().iter().filter_map(|jump| whole.caller(jump.site)) {
                self.visit(jump, true);
            }
        }
    }

    fn visit_callers(&mut self, function: FunctionId) {
        let whole = self.whole;
        let calls = self.calls_of(function).into_iter();
        for caller in calls.filter_map(|call| whole.caller(call.site)) {
            self.visit(caller, true);
        }
        if whole.calls.handlers().any(|handler| handler == function) {
            whole.ends().for_each(|end| self.visit(end, true));
        }
        let mut starters = whole.calls.starters();
        if whole.main == Some(function) || starters.any(|starter| starter == function) {
            let before = whole.calls.starters().flat_map(|starter| whole.leaving(starter));
            before.for_each(|leaving| self.visit(leaving, true));
        }
    }

    /// Signal handlers may run before and after everything.
    fn visit_signals(&mut self, direction: Direction) {
        let whole = self.whole;
        let mut entries = whole.calls.signals().filter_map(|function| whole.entry(function));
        match direction {
            Direction::Forward => entries.for_each(|entry| self.visit(entry, false)),
            Direction::Backward => {
                if entries.any(|entry| self.reached.free.contains(entry.0 as usize)) {
                    (0..whole.len() as u32).for_each(|node| self.visit(NodeId(node), true));
                }
            }
        }
    }
}
