//! Backward slices.

use super::{
    Dependence, Extent, Slice,
    memory::Touch,
    slice::{ContextId, Fact, Port, Start, Tracer, Travel},
};
use crate::{
    graph::{Bits, Controller, Direction, EdgeKind},
    model::{Instruction, Opcode, Operand, SiteId},
    points_to::CellId,
};

/// The instructions that these depend on, themselves included.
pub(super) fn slice(dependence: &Dependence<'_>, from: &[SiteId], extent: Extent) -> Slice {
    let start = Start { from, decided: &[] };
    Tracer::run(dependence, start, extent, Direction::Backward, &Backward)
}

struct Backward;

impl Travel for Backward {
    fn follow(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, fact: Fact) {
        match fact {
            Fact::Site(index) => follow_site(tracer, context, index),
            Fact::Result(index) => enter_all(tracer, context, index, Port::Value),
            Fact::Node(node) => follow_node(tracer, context, node),
            Fact::Memory(cell, node) => {
                let end = tracer.body(context).range(node).end;
                walk(tracer, context, cell, node, end);
            }
        }
    }

    fn decide(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32) {
        tracer.add(context, Fact::Node(tracer.body(context).node(index)));
    }

    fn enter(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, port: Port) {
        let body = tracer.body(context);
        for node in body.leaving().iter().map(|node| node as u32) {
            match port {
                Port::Value => tracer.add(context, Fact::Site(body.last(node))),
                Port::Memory(cell) => tracer.add(context, Fact::Memory(cell, node)),
                Port::Returned => tracer.add(context, Fact::Node(node)),
                Port::Parameter(_) | Port::MoreArguments | Port::Called => {}
            }
        }
    }

    fn come_back(&self, tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, port: Port) {
        let body = tracer.body(context);
        match port {
            // A library function may pass any value on.
            Port::Parameter(_) | Port::MoreArguments
                if tracer.dependence.calls_library(body.instructions[call as usize]) =>
            {
                tracer.add(context, Fact::Site(call));
            }
            Port::Parameter(index) => {
                let argument = arguments(body.instructions[call as usize]).get(index as usize);
                argument.into_iter().for_each(|argument| need(tracer, context, *argument));
            }
            Port::MoreArguments => {
                let call = body.instructions[call as usize];
                let callees = tracer.dependence.whole.calls.callees(call.site).iter();
                let named = callees.map(|callee| tracer.dependence.program.at(*callee).parameters);
                let beyond = arguments(call).iter().skip(named.min().unwrap_or(0) as usize);
                beyond.for_each(|argument| need(tracer, context, *argument));
            }
            Port::Memory(cell) => walk(tracer, context, cell, body.node(call), call),
            Port::Called => tracer.add(context, Fact::Site(call)),
            Port::Value | Port::Returned => {}
        }
    }

    fn flow(&self, _: &mut Tracer<'_, '_>, _: ContextId, _: u32, _: u32, _: &Bits) {}
}

fn arguments(call: &Instruction) -> &[Operand] {
    &call.operands[..call.operands.len().saturating_sub(1)]
}

fn follow_site(tracer: &mut Tracer<'_, '_>, context: ContextId, index: u32) {
    let body = tracer.body(context);
    let instruction = body.instructions[index as usize];
    let calls_own = calls_own(tracer, context, index);
    for operand in &instruction.operands {
        // An argument is needed only if the parameter is.
        let is_called = instruction.operands.last() == Some(operand);
        if !calls_own || is_called {
            need(tracer, context, *operand);
        }
    }
    if tracer.dependence.memory.takes_more_arguments(instruction) {
        tracer.leave(context, Port::MoreArguments);
    }
    for cell in body.reads(index) {
        walk(tracer, context, *cell, body.node(index), index);
    }
    if tracer.dependence.calls_library(instruction) {
        for callback in tracer.dependence.whole.calls.callees(instruction.site) {
            tracer.enter(context, index, *callback, Port::Value);
        }
    }
    tracer.add(context, Fact::Node(body.node(index)));
    body.deciders(index).iter().for_each(|jump| tracer.add_decided(context, *jump));
}

fn calls_own(tracer: &Tracer<'_, '_>, context: ContextId, index: u32) -> bool {
    let instruction = tracer.body(context).instructions[index as usize];
    if tracer.dependence.calls_library(instruction) {
        return false;
    }
    let callees = tracer.dependence.whole.calls.callees(instruction.site);
    callees.iter().any(|callee| tracer.dependence.is_own(*callee))
}

fn need(tracer: &mut Tracer<'_, '_>, context: ContextId, operand: Operand) {
    let body = tracer.body(context);
    match operand {
        Operand::Site(site) => {
            let index = body.index(site);
            if body.instructions[index as usize].opcode == Opcode::Alloca {
                return;
            }
            if calls_own(tracer, context, index) {
                tracer.add(context, Fact::Result(index));
            } else {
                tracer.add(context, Fact::Site(index));
            }
        }
        Operand::Parameter(index) => tracer.leave(context, Port::Parameter(index)),
        Operand::Global(_) | Operand::Function(_) | Operand::Constant(_) | Operand::Other => {}
    }
}

/// The decisions that control whether a node is executed.
fn follow_node(tracer: &mut Tracer<'_, '_>, context: ContextId, node: u32) {
    let body = tracer.body(context);
    let flow = tracer.dependence.whole.flow(body.id);
    for controller in tracer.dependence.whole.control(body.id).controllers(node) {
        let Controller::Edge { from, number } = *controller else {
            tracer.leave(context, Port::Called);
            continue;
        };
        let last = body.last(from);
        tracer.add_decided(context, last);
        if flow.edge(from, number as usize).kind == EdgeKind::Returned {
            enter_all(tracer, context, last, Port::Returned);
            need_jumps(tracer, body.site(last));
        }
    }
}

/// Adds the jumps that resume at a call that returns twice.
fn need_jumps(tracer: &mut Tracer<'_, '_>, call: SiteId) {
    let dependence = tracer.dependence;
    let calls = &dependence.whole.calls;
    if calls.resumed().iter().any(|resumed| resumed.site == call) {
        for jump in calls.jumps() {
            let index = dependence.body(jump.caller).index(jump.site);
            tracer.add_anywhere(jump.caller, Fact::Site(index));
        }
    }
}

fn enter_all(tracer: &mut Tracer<'_, '_>, context: ContextId, call: u32, port: Port) {
    tracer.enter_each(context, call, port);
    tracer.add(context, Fact::Site(call));
}

/// Follows memory back from before an instruction to its writers.
fn walk(tracer: &mut Tracer<'_, '_>, context: ContextId, cell: CellId, node: u32, until: u32) {
    let body = tracer.body(context);
    let dependence = tracer.dependence;
    let range = body.range(node);
    if until == range.end {
        // The effect of the call at the end of the node comes last.
        if let Some(call) = body.call_of(node) {
            for callee in call.callees.iter().filter(|it| dependence.memory.may_write(**it, cell)) {
                tracer.enter(context, call.index, *callee, Port::Memory(cell));
            }
        }
    }
    for (index, touch) in body.touches(cell, range.start, until).iter().rev() {
        match touch {
            Touch::Read => {}
            Touch::Write => tracer.add(context, Fact::Site(*index)),
            Touch::Replace => {
                tracer.add(context, Fact::Site(*index));
                return;
            }
        }
    }
    for before in dependence.whole.flow(body.id).before(node) {
        tracer.add(context, Fact::Memory(cell, *before));
    }
    let calls = &dependence.whole.calls;
    let comes_after = |site| node > 0 && body.site(body.last(node - 1)) == site;
    if calls.resumed().iter().any(|resumed| comes_after(resumed.site)) {
        for jump in calls.jumps() {
            let other = dependence.body(jump.caller);
            tracer
                .add_anywhere(jump.caller, Fact::Memory(cell, other.node(other.index(jump.site))));
        }
    }
    let is_gone = dependence.memory.gone_with(body.id).contains(cell.0 as usize);
    if node == 0 && !is_gone {
        tracer.leave(context, Port::Memory(cell));
        if calls.handlers().chain(calls.unbidden()).any(|function| function == body.id) {
            need_all_writers(tracer, cell);
        }
        if dependence.is_main(body.id) || calls.starters().any(|starter| starter == body.id) {
            for starter in calls.starters() {
                for leaving in dependence.body(starter).leaving().iter() {
                    tracer.add_anywhere(starter, Fact::Memory(cell, leaving as u32));
                }
            }
        }
    }
}

/// Adds all writers for functions that run at any time, such as signal handlers.
fn need_all_writers(tracer: &mut Tracer<'_, '_>, cell: CellId) {
    let dependence = tracer.dependence;
    for (function, _) in dependence.program.defined() {
        if dependence.memory.may_write(function, cell) {
            for (index, touch) in dependence.body(function).touches(cell, 0, u32::MAX) {
                if *touch != Touch::Read {
                    tracer.add_anywhere(function, Fact::Site(*index));
                }
            }
        }
    }
}
