//! The call graph, and which functions return.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Bits;
use crate::{
    PointsTo,
    model::{Block, Detail, Function, FunctionId, Instruction, Opcode, Program, SiteId},
    points_to::Quick,
};

/// A call in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The calling function.
    pub caller: FunctionId,
    /// The instruction.
    pub site: SiteId,
}

/// Whether a call, or a function, returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// Always, unless it runs forever.
    Returns,
    /// It may end the program, or jump elsewhere.
    MayEnd,
    /// Never.
    Ends,
}

/// Calls with the same possible callees, by their position among all of those. In a program with
/// calls through tables thousands of calls may each have hundreds of callees; facts about one of
/// them hold for all, and are stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FanId(pub u32);

/// Calls with the same possible callees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Fan {
    callees: Vec<FunctionId>,
    calls: Vec<Call>,
    /// How many of the callees return, may end and end.
    endings: [usize; 3],
}

impl Fan {
    fn ending(&self) -> Ending {
        match self.endings {
            // An unknown pointer leads to an unknown function, which returns.
            [_, 0, 0] => Ending::Returns,
            [0, 0, _] => Ending::Ends,
            _ => Ending::MayEnd,
        }
    }
}

/// The calls of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallGraph {
    fans: Vec<Fan>,
    /// The fan of each call.
    fan_of: HashMap<SiteId, FanId, Quick>,
    /// The fans that each function is called by.
    fans_into: Vec<Vec<FanId>>,
    callers: Vec<Vec<Call>>,
    endings: Vec<Ending>,
    /// The functions that have a body.
    defined: Bits,
    calls: HashMap<SiteId, Ending, Quick>,
    /// Calls that may return a second time: of `setjmp`.
    resumed: Vec<Call>,
    /// Calls that jump to one of these.
    jumps: Vec<Call>,
    /// Calls that end the program in order, so that its exit handlers run.
    exits: Vec<Call>,
    /// Functions that handle signals.
    signals: BTreeSet<FunctionId>,
    /// Entry functions of threads.
    threads: BTreeSet<FunctionId>,
    /// Exit handlers.
    handlers: BTreeSet<FunctionId>,
    /// Functions that are called before `main`.
    starters: BTreeSet<FunctionId>,
}

/// Functions that return twice.
const RESUMED: &[&str] = &["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "llvm.eh.sjlj.setjmp"];
/// Functions that jump to where others returned.
const JUMPS: &[&str] = &["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// Functions that end the program in order, or may do so.
const EXITS: &[&str] =
    &["exit", "error", "error_at_line", "err", "errx", "verr", "verrx", "errc", "argp_error"];
/// Functions that may leave the program without an attribute that they never return.
const MAY_END: &[&str] = &[
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "fexecve",
    "raise",
    "kill",
    "error",
    "error_at_line",
    "argp_parse",
    "pthread_kill",
    "setcontext",
    "swapcontext",
];
/// Functions that register a signal handler.
const SIGNALS: &[&str] = &[
    "signal",
    "bsd_signal",
    "sysv_signal",
    "__sysv_signal",
    "sigset",
    "sigaction",
    "timer_create",
];
/// Functions that start a thread.
const THREADS: &[&str] = &["pthread_create", "thrd_create"];
/// Functions that register an exit handler.
const AT_EXIT: &[&str] = &["atexit", "on_exit", "at_quick_exit", "__cxa_atexit"];

impl CallGraph {
    /// The calls of a program.
    pub fn new(program: &Program, points_to: &PointsTo) -> CallGraph {
        let mut graph = CallGraph {
            callers: vec![Vec::new(); program.functions.len()],
            handlers: program.destructors().collect(),
            starters: program.constructors().collect(),
            fans_into: vec![Vec::new(); program.functions.len()],
            ..CallGraph::default()
        };
        program.defined().for_each(|(id, _)| _ = graph.defined.insert(id.0 as usize));
        let mut known = HashMap::default();
        for (caller, function) in program.defined() {
            for instruction in calls_of(function) {
                let call = Call { caller, site: instruction.site };
                let callees = points_to.callees(call.site);
                let callbacks = points_to.callbacks(call.site);
                graph.note(program, call, instruction.callee, callbacks);
                let mut callees = [callees, callbacks].concat();
                callees.sort_unstable();
                callees.dedup();
                graph.add(call, callees, &mut known);
            }
        }
        graph.find_endings(program);
        graph
    }

    fn add(
        &mut self,
        call: Call,
        callees: Vec<FunctionId>,
        known: &mut HashMap<Vec<FunctionId>, FanId, Quick>,
    ) {
        for callee in &callees {
            self.callers[callee.0 as usize].push(call);
        }
        let next = FanId(self.fans.len() as u32);
        let fan = *known.entry(callees).or_insert_with_key(|callees| {
            callees.iter().for_each(|callee| self.fans_into[callee.0 as usize].push(next));
            self.fans.push(Fan { callees: callees.clone(), ..Fan::default() });
            next
        });
        self.fans[fan.0 as usize].calls.push(call);
        self.fan_of.insert(call.site, fan);
    }

    /// Records the special role of a called library function.
    fn note(
        &mut self,
        program: &Program,
        call: Call,
        callee: Option<FunctionId>,
        callbacks: &[FunctionId],
    ) {
        let Some(function) = callee.map(|callee| program.at(callee)) else { return };
        if !function.blocks.is_empty() {
            return;
        }
        let name = function.name.as_str();
        match () {
            () if RESUMED.contains(&name) => self.resumed.push(call),
            () if JUMPS.contains(&name) => self.jumps.push(call),
            () if EXITS.contains(&name) => self.exits.push(call),
            () if SIGNALS.contains(&name) => self.signals.extend(callbacks),
            () if THREADS.contains(&name) => self.threads.extend(callbacks),
            () if AT_EXIT.contains(&name) => self.handlers.extend(callbacks),
            () => {}
        }
    }

    /// First computes which functions return at all, and then which may not: both as least
    /// fixpoints, so that recursion by itself neither returns nor ends.
    fn find_endings(&mut self, program: &Program) {
        self.endings = program.functions.iter().map(first_guess).collect();
        for fan in &mut self.fans {
            for callee in &fan.callees {
                fan.endings[self.endings[callee.0 as usize] as usize] += 1;
            }
        }
        self.spread(program, |graph, id| match graph.way_through(program, id) {
            (true, _) => Ending::Returns,
            (false, _) => Ending::Ends,
        });
        self.spread(program, |graph, id| match graph.way_through(program, id) {
            (true, true) => Ending::MayEnd,
            (true, false) => Ending::Returns,
            (false, _) => Ending::Ends,
        });
        for (_, function) in program.defined() {
            for call in calls_of(function) {
                self.calls.insert(call.site, self.ending_of_call(call));
            }
        }
    }

    /// Re-evaluates functions until a fixpoint.
    fn spread(&mut self, program: &Program, look: impl Fn(&CallGraph, FunctionId) -> Ending) {
        let mut waiting: Vec<FunctionId> = program.defined().map(|(id, _)| id).collect();
        let mut queued: HashSet<FunctionId> = waiting.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            queued.remove(&id);
            let ending = look(self, id);
            let before = std::mem::replace(&mut self.endings[id.0 as usize], ending);
            if before == ending {
                continue;
            }
            for fan in &self.fans_into[id.0 as usize] {
                let fan = &mut self.fans[fan.0 as usize];
                let known = fan.ending();
                fan.endings[before as usize] -= 1;
                fan.endings[ending as usize] += 1;
                if fan.ending() != known {
                    let callers = fan.calls.iter().map(|call| call.caller);
                    waiting.extend(callers.filter(|caller| queued.insert(*caller)));
                }
            }
        }
    }

    /// Whether there is a path to a return, and whether there is a call on it that may not return.
    fn way_through(&self, program: &Program, id: FunctionId) -> (bool, bool) {
        let blocks = &program.at(id).blocks;
        let mut seen = vec![false; blocks.len()];
        let mut stack = vec![0];
        seen[0] = true;
        let (mut returns, mut ends) = (false, false);
        while let Some(index) = stack.pop() {
            let block: &Block = &blocks[index];
            let calls = block.instructions.iter().filter(|it| is_call(it));
            let mut calls = calls.map(|call| self.ending_of_call(call));
            let stops = calls.any(|ending| {
                ends |= ending != Ending::Returns;
                ending == Ending::Ends
            });
            if stops {
                continue;
            }
            returns |= block.instructions.last().is_some_and(|last| last.opcode == Opcode::Ret);
            let next = block.successors.iter().map(|block| block.0 as usize);
            stack.extend(next.filter(|next| !std::mem::replace(&mut seen[*next], true)));
        }
        (returns, ends)
    }

    fn ending_of_call(&self, call: &Instruction) -> Ending {
        if matches!(call.detail, Detail::Call { no_return: true, .. }) {
            return Ending::Ends;
        }
        let fan = self.fan(call.site).map(|fan| &self.fans[fan.0 as usize]);
        fan.map_or(Ending::Returns, Fan::ending)
    }

    /// The possible callees of a call, functions without a body included.
    pub fn callees(&self, call: SiteId) -> &[FunctionId] {
        self.fan(call).map_or(&[], |fan| &self.fans[fan.0 as usize].callees)
    }

    /// The calls with the same possible callees as a call.
    pub fn fan(&self, call: SiteId) -> Option<FanId> {
        self.fan_of.get(&call).copied()
    }

    /// The calls of a fan.
    pub fn calls_of(&self, fan: FanId) -> &[Call] {
        &self.fans[fan.0 as usize].calls
    }

    /// How many fans there are.
    pub fn fans(&self) -> usize {
        self.fans.len()
    }

    /// All calls of a function, by fans.
    pub fn fans_into(&self, function: FunctionId) -> &[FanId] {
        &self.fans_into[function.0 as usize]
    }

    /// The calls of a function.
    pub fn callers(&self, function: FunctionId) -> &[Call] {
        &self.callers[function.0 as usize]
    }

    /// Whether a function returns.
    pub fn ending_of_function(&self, function: FunctionId) -> Ending {
        self.endings[function.0 as usize]
    }

    /// Whether a call returns.
    pub fn ending(&self, call: SiteId) -> Ending {
        self.calls.get(&call).copied().unwrap_or(Ending::Returns)
    }

    /// Whether a call has callees in the program, may not return, or may be resumed.
    pub fn matters(&self, site: SiteId) -> bool {
        let Some(ending) = self.calls.get(&site) else { return false };
        let leads_on = |function: &FunctionId| self.defined.contains(function.0 as usize);
        *ending != Ending::Returns
            || self.callees(site).iter().any(leads_on)
            || self.resumed.iter().any(|call| call.site == site)
    }

    /// Calls that may return a second time.
    pub fn resumed(&self) -> &[Call] {
        &self.resumed
    }

    /// Calls that jump to where others may return a second time.
    pub fn jumps(&self) -> &[Call] {
        &self.jumps
    }

    /// Calls that end the program in order.
    pub fn exits(&self) -> &[Call] {
        &self.exits
    }

    /// Exit handlers, which run when the program ends in order.
    pub fn handlers(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.handlers.iter().copied()
    }

    /// Functions that run before `main`.
    pub fn starters(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.starters.iter().copied()
    }

    /// Signal handlers.
    pub fn signals(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.signals.iter().copied()
    }

    /// Functions that see writes of others at any time: signal handlers, and threads.
    pub fn unbidden(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.signals.union(&self.threads).copied()
    }
}

fn first_guess(function: &Function) -> Ending {
    match () {
        () if !function.blocks.is_empty() || function.no_return => Ending::Ends,
        // A jump to where `setjmp` has returned also decides what runs next.
        () if MAY_END.contains(&function.name.as_str()) => Ending::MayEnd,
        () if RESUMED.contains(&function.name.as_str()) => Ending::MayEnd,
        () => Ending::Returns,
    }
}

fn calls_of(function: &Function) -> impl Iterator<Item = &Instruction> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter(|instruction| is_call(instruction))
}

fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Call | Opcode::Invoke | Opcode::CallBr)
}
