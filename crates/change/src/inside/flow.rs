//! Control flow between items.

use std::ops::Range;

use crate::inside::body::{Body, Role};

/// The target of control after an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) target: Target,
    /// The jumps on the way, in [`Body::code`].
    pub(crate) jumps: Vec<usize>,
}

/// The next item that is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Item(usize),
    /// None: the function ends, or loops without items.
    End,
    /// It depends on the way to here.
    Unknown,
}

impl Flow {
    /// The next item, if there is one.
    pub(crate) fn item(&self) -> Option<usize> {
        match self.target {
            Target::Item(item) => Some(item),
            Target::End | Target::Unknown => None,
        }
    }
}

impl Body<'_> {
    /// The flow at the start of the function.
    pub(crate) fn entry(&self) -> Flow {
        self.enter(0, None)
    }

    /// The flows after an item: one, or one for each successor of its block.
    pub(crate) fn flows(&self, item: usize) -> Vec<Flow> {
        let code = self.items[item].code;
        let block = self.code[code].block;
        let part = &self.parts[block];
        let successors = &self.function.blocks[block].successors;
        if code + 1 == part.code.end && !successors.is_empty() {
            return successors.iter().map(|next| self.enter(next.0 as usize, part.jump)).collect();
        }
        if item + 1 < part.items.end {
            return vec![Flow { target: Target::Item(item + 1), jumps: Vec::new() }];
        }
        vec![self.walk(block, None)]
    }

    /// Whether a jump only leads to the code right behind it.
    pub(crate) fn falls_through(&self, jump: usize) -> bool {
        let Some(block) = self.code.get(jump).map(|code| code.block) else { return false };
        let next = self.function.blocks[block].successors.first();
        next.is_some_and(|next| next.0 as usize == block + 1)
    }

    /// The first instruction that is executed after an item on one of its ways, or at the start.
    pub(crate) fn first_after(&self, item: Option<usize>, way: usize) -> Option<usize> {
        let Some(item) = item else { return self.first_in(self.parts.first()?.code.clone()) };
        let code = self.items[item].code;
        let block = self.code[code].block;
        if code + 1 < self.parts[block].code.end {
            return self.first_in(code + 1..self.parts[block].code.end);
        }
        let next = self.function.blocks[block].successors.get(way)?;
        self.first_in(self.parts.get(next.0 as usize)?.code.clone())
    }

    /// The first instruction with a source location, or else the first one that is executed.
    fn first_in(&self, code: Range<usize>) -> Option<usize> {
        let runs = |&code: &usize| !matches!(self.code[code].role, Role::Local(_));
        let stands = |&code: &usize| self.code[code].instruction.location.is_some();
        let mut all = code.clone().filter(runs);
        all.clone().find(stands).or_else(|| all.next())
    }

    fn enter(&self, block: usize, jump: Option<u64>) -> Flow {
        match self.parts.get(block) {
            Some(part) if !part.items.is_empty() => {
                Flow { target: Target::Item(part.items.start), jumps: Vec::new() }
            }
            Some(_) => self.walk(block, jump),
            None => Flow { target: Target::End, jumps: Vec::new() },
        }
    }

    /// Leaves a block after its last item.
    fn walk(&self, mut block: usize, mut jump: Option<u64>) -> Flow {
        let mut flow = Flow { target: Target::End, jumps: Vec::new() };
        for _ in 0..=self.parts.len() {
            let part = &self.parts[block];
            jump = part.jump.or(jump);
            let next = match self.only_way(block, jump) {
                Some(Ok(next)) => next,
                Some(Err(target)) => return Flow { target, ..flow },
                None => return flow,
            };
            flow.jumps.push(part.code.end.saturating_sub(1));
            match self.parts.get(next).map(|part| part.items.clone()) {
                Some(items) if !items.is_empty() => {
                    return Flow { target: Target::Item(items.start), ..flow };
                }
                Some(_) => block = next,
                None => return flow,
            }
        }
        flow
    }

    /// The block that scaffolding jumps to.
    fn only_way(&self, block: usize, jump: Option<u64>) -> Option<Result<usize, Target>> {
        let it = &self.function.blocks[block];
        let Some(jump) = jump.filter(|_| self.parts[block].takes_up) else {
            return match it.successors[..] {
                [] => None,
                [next] => Some(Ok(next.0 as usize)),
                _ => Some(Err(Target::Unknown)),
            };
        };
        let case = it.cases.iter().position(|&case| case == jump).map_or(0, |case| case + 1);
        it.successors.get(case).map(|next| Ok(next.0 as usize))
    }
}
