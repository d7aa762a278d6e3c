//! A call of a recorded function: its position, and its values so far.

use std::{collections::HashMap, rc::Rc};

use parallax_program::{BlockId, Detail, FunctionId, Instruction, Operand, SiteId};

use super::StepId;
use crate::code::{Code, Regions};

/// A call of a function that has not returned.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) regions: Rc<Regions>,
    pub(super) call: Option<StepId>,
    /// The instances that the parameters were made from.
    pub(super) parameters: Vec<Vec<StepId>>,
    /// The last instance of each instruction.
    pub(super) latest: HashMap<SiteId, StepId>,
    /// The last decision of each block.
    pub(super) decisions: HashMap<BlockId, StepId>,
    /// The current call.
    pub(super) pending: Option<StepId>,
    pub(super) block: BlockId,
    pub(super) index: u32,
    /// The block that the last decision led to.
    pub(super) next: Option<BlockId>,
    pub(super) came_from: Option<BlockId>,
    pub(super) control: Option<StepId>,
}

/// The operands that an instruction uses, with their positions: of a phi, the one that it chose.
pub(super) fn operands(frame: &Frame, instruction: &Instruction) -> Vec<(u32, Operand)> {
    let all = (0..).zip(instruction.operands.iter().copied());
    match (&instruction.detail, frame.came_from) {
        (Detail::Incoming(blocks), Some(from)) => {
            let chosen = all.zip(blocks).filter(|(_, block)| **block == from);
            chosen.map(|(operand, _)| operand).take(1).collect()
        }
        _ => all.collect(),
    }
}

/// The blocks from a frame's position to the block that it enters, excluding that block.
pub(super) fn way(code: &Code<'_>, frame: &Frame, to: BlockId) -> Vec<BlockId> {
    let blocks = &code.program.at(frame.function).blocks;
    let mut way = vec![frame.block];
    let mut next = frame.next;
    while way.len() <= blocks.len() {
        let last = way.last().and_then(|block| blocks.get(block.0 as usize));
        let only = last.filter(|block| block.successors.len() == 1);
        let Some(block) = next.take().or_else(|| only.map(|block| block.successors[0])) else {
            break;
        };
        if block == to {
            return way;
        }
        way.push(block);
    }
    vec![]
}
