//! Forward slices.

use super::{
    Dependence, Extent, Slice,
    body::OwnCall,
    memory::Touch,
    slice::{ContextId, Fact, Port, Start, Tracer, Travel},
};
use crate::{
    graph::{Bits, Controller, Direction, EdgeKind},
    model::{FunctionId, Instruction, Opcode, Operand},
};

/// The instructions that depend on these, themselves included.
pub(super) fn slice(dependence: &Dependence<'_>, start: Start<'_>, extent: Extent) -> Slice {
    Tracer::run(dependence, start, extent, Direction::Forward, &Forward)
}

struct Forward;

impl Travel for Forward {
    fn follow(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, fact: Fact) {
        match fact {
            Fact::Site(index) => follow_site(tracer, context, index),
            Fact::Result(index) => follow_value(tracer, context, index),
            Fact::Node(node) => follow_node(tracer, context, node),
            // Memory flows in whole sets.
            Fact::Memory(..) => {}
        }
    }

    fn decide(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32) {
        tracer.add_decided(context, index);
        let body = tracer.body(context);
        if body.instructions[index as usize].opcode == Opcode::Ret {
            tracer.leave(context, Port::Returned);
        }
    }

    fn enter(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, port: Port) {
        let body = tracer.body(context);
        match port {
            Port::Parameter(index) => {
                for user in body.parameter_users(index) {
                    use_value(tracer, context, *user, Operand::Parameter(index));
                }
            }
            Port::MoreArguments => {
                let takers = body.argument_takers().iter();
                takers.for_each(|taker| tracer.add(context, Fact::Site(*taker)));
            }
            Port::Called => {
                let nodes = 0..tracer.dependence.whole.flow(body.id).segments.len() as u32;
                let called = |node: &u32| {
                    tracer
                        .dependence
                        .whole
                        .control(body.id)
                        .controllers(*node)
                        .contains(&Controller::Entry)
                };
                nodes.filter(called).for_each(|node| tracer.add(context, Fact::Node(node)));
            }
            Port::Value | Port::Returned | Port::Memory(_) => {}
        }
    }

    fn come_back(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, port: Port) {
        let instruction = tracer.body(context).instructions[call as usize];
        match port {
            // The result of a library function may depend on any argument.
            Port::Value if tracer.dependence.calls_library(instruction) => {
                tracer.add_call(context, call);
            }
            Port::Value => tracer.add(context, Fact::Result(call)),
            Port::Returned => decide(tracer, context, call, true),
            Port::Parameter(_) | Port::MoreArguments | Port::Called | Port::Memory(_) => {}
        }
    }

    fn flow(
        &self,
        tracer: &mut Tracer<'_, '_>,
        context: ContextId,
        node: u32,
        from: u32,
        cells: &Bits,
    ) {
        walk(tracer, context, node, from, cells);
    }
}

fn follow_site(tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32) {
    let body = tracer.body(context);
    // The address of a variable depends on nothing, unless its declaration changed.
    if body.instructions[index as usize].opcode != Opcode::Alloca || tracer.is_start(context, index)
    {
        follow_value(tracer, context, index);
    }
    let written: Bits = body.writes(index).iter().map(|cell| cell.0 as usize).collect();
    if !written.is_empty() {
        interrupt(tracer, &written);
        walk(tracer, context, body.node(index), index + 1, &written);
    }
    decide(tracer, context, index, false);
    let instruction = body.instructions[index as usize];
    if instruction.opcode == Opcode::Ret && !instruction.operands.is_empty() {
        tracer.leave(context, Port::Value);
    }
    if is_call(instruction) {
        tracer.enter_each(context, index, Port::Called);
    }
    let dependence = tracer.dependence;
    let calls = &dependence.whole.calls;
    if calls.jumps().iter().any(|jump| jump.site == instruction.site) {
        for resumed in calls.resumed() {
            let call = dependence.body(resumed.caller).index(resumed.site);
            tracer.add_anywhere(resumed.caller, Fact::Result(call));
        }
    }
}

fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Call | Opcode::Invoke | Opcode::CallBr)
}

/// Adds the users of a value.
fn follow_value(tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32) {
    let body = tracer.body(context);
    let operand = Operand::Site(body.site(index));
    for user in body.users(index) {
        use_value(tracer, context, *user, operand);
    }
}

/// Propagates a value to a user. A call of one of the program's own functions passes it on.
fn use_value(tracer: &mut Tracer<'_, '_>, context: ContextId, user: u32, operand: Operand) {
    let instruction = tracer.body(context).instructions[user as usize];
    let callees = tracer.dependence.whole.calls.callees(instruction.site);
    let is_own = |callee: &FunctionId| tracer.dependence.is_own(*callee);
    let called = instruction.operands.last() == Some(&operand) && !callees.is_empty();
    if called || !callees.iter().any(is_own) {
        tracer.add(context, Fact::Site(user));
        return;
    }
    if !callees.iter().all(is_own) {
        tracer.add(context, Fact::Site(user));
    }
    if tracer.dependence.calls_library(instruction) {
        return hand_on(tracer, context, user, callees);
    }
    for (index, argument) in (0..).zip(&instruction.operands) {
        if *argument == operand {
            tracer.enter_each(context, user, Port::Parameter(index));
        }
    }
}

/// A library function may pass any argument to its callbacks.
fn hand_on(tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, callbacks: &[FunctionId]) {
    for callback in callbacks {
        for index in 0..tracer.dependence.program.at(*callback).parameters {
            tracer.enter(context, call, *callback, Port::Parameter(index));
        }
    }
}

fn follow_node(tracer: &mut Tracer<'_, '_>, context: ContextId, node: u32) {
    let body = tracer.body(context);
    body.range(node).for_each(|index| tracer.add_decided(context, index));
    if body.leaving().contains(node as usize) {
        tracer.leave(context, Port::Returned);
    }
}

/// Adds the instructions that a decision controls: of a jump its control dependents, of a call, if
/// control has returned, the code behind it.
fn decide(tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32, has_come_back: bool) {
    let body = tracer.body(context);
    let node = body.node(index);
    if body.last(node) != index {
        return;
    }
    let flow = tracer.dependence.whole.flow(body.id);
    for number in flow.graph.edges(node) {
        let is_decided = match flow.edge(node, number).kind {
            EdgeKind::Returned => has_come_back,
            EdgeKind::Way(_) => true,
            EdgeKind::Ended | EdgeKind::Left | EdgeKind::Never => false,
        };
        if is_decided {
            for controlled in tracer.dependence.whole.control(body.id).controlled(number) {
                tracer.add(context, Fact::Node(*controlled));
            }
        }
    }
    body.chosen_by(index).iter().for_each(|phi| tracer.add_decided(context, *phi));
}

/// Follows memory from before an instruction to its readers, until it is replaced.
fn walk(tracer: &mut Tracer<'_, '_>, context: ContextId, node: u32, from: u32, cells: &Bits) {
    let body = tracer.body(context);
    let mut cells = cells.clone();
    for (index, touch, cell) in body.accesses(from, body.range(node).end) {
        match touch {
            Touch::Read if cells.contains(cell.0 as usize) => {
                tracer.add(context, Fact::Site(*index))
            }
            Touch::Replace => cells.remove(cell.0 as usize),
            Touch::Read | Touch::Write => {}
        }
    }
    if cells.is_empty() {
        return;
    }
    // A call that is the last instruction has been made if the walk starts after it.
    if let Some(call) = body.call_of(node).filter(|call| from <= call.index) {
        hand_over(tracer, context, call, &cells);
    }
    if body.leaving().contains(node as usize) {
        leave(tracer, context, &cells);
    }
    for edge in tracer.dependence.whole.flow(body.id).edges(node) {
        if let EdgeKind::Way(_) | EdgeKind::Returned = edge.kind {
            tracer.add_memory(context, edge.to, &cells);
        }
    }
}

/// Propagates memory that a function may have written to its callers; other memory is followed in
/// the caller itself.
fn leave(tracer: &mut Tracer<'_, '_>, context: ContextId, cells: &Bits) {
    let (dependence, id) = (tracer.dependence, tracer.body(context).id);
    let left = cells.and(dependence.memory.writable(id));
    tracer.leave_with(context, &left.without(dependence.memory.gone_with(id)));
    if dependence.is_main(id) {
        enter_handlers(tracer, cells);
    }
    let whole = &dependence.whole;
    if whole.calls.starters().any(|starter| starter == id) {
        for next in whole.calls.starters().chain(whole.main) {
            tracer.bring_anywhere(next, &cells.and(dependence.memory.readable(next)));
        }
    }
}

/// Passes memory to callees that read it.
fn hand_over(tracer: &mut Tracer<'_, '_>, context: ContextId, call: &OwnCall, cells: &Bits) {
    let dependence = tracer.dependence;
    tracer.enter_each_with(context, call, cells);
    if call.is_exit {
        enter_handlers(tracer, cells);
    }
    for resumed in dependence.whole.calls.resumed().iter().filter(|_| call.is_jump) {
        let body = dependence.body(resumed.caller);
        let node = body.node(body.index(resumed.site));
        tracer.add_memory_anywhere(resumed.caller, node + 1, cells);
    }
}

/// Passes memory to functions that run at any time, such as signal handlers.
fn interrupt(tracer: &mut Tracer<'_, '_>, cells: &Bits) {
    let dependence = tracer.dependence;
    for function in dependence.whole.calls.unbidden() {
        tracer.bring_anywhere(function, &cells.and(dependence.memory.readable(function)));
    }
}

/// Passes memory to exit handlers.
fn enter_handlers(tracer: &mut Tracer<'_, '_>, cells: &Bits) {
    let dependence = tracer.dependence;
    for handler in dependence.whole.calls.handlers() {
        tracer.bring_anywhere(handler, &cells.and(dependence.memory.readable(handler)));
    }
}
