//! The code that is in both versions.

use parallax_program::{BlockId, FunctionId, Program, SiteId};

use crate::{
    inside::align::Alignment,
    inside::body::{Body, Part, Role},
    judgement::moved::Move,
    whole::pairing::Pairing,
};

/// Pairs of functions, blocks and instructions of both versions.
///
/// Paired instructions are in the same place of the code, or were moved; the changes tell whether
/// they do the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    functions: Pairing,
    sites: Pairing,
    /// The blocks of each function of the old version.
    blocks: Vec<Pairing>,
}

impl Matching {
    /// The counterpart of a function of the old version.
    pub fn new_function(&self, old: FunctionId) -> Option<FunctionId> {
        self.functions.new_of(old.0 as usize).map(|it| FunctionId(it as u32))
    }

    /// The counterpart of a function of the new version.
    pub fn old_function(&self, new: FunctionId) -> Option<FunctionId> {
        self.functions.old_of(new.0 as usize).map(|it| FunctionId(it as u32))
    }

    /// The counterpart of an instruction of the old version.
    pub fn new_site(&self, old: SiteId) -> Option<SiteId> {
        self.sites.new_of(old.0 as usize).map(|it| SiteId(it as u32))
    }

    /// The counterpart of an instruction of the new version.
    pub fn old_site(&self, new: SiteId) -> Option<SiteId> {
        self.sites.old_of(new.0 as usize).map(|it| SiteId(it as u32))
    }

    /// The counterpart of a block of the old version.
    pub fn new_block(&self, function: FunctionId, old: BlockId) -> Option<(FunctionId, BlockId)> {
        let block = self.blocks.get(function.0 as usize)?.new_of(old.0 as usize)?;
        Some((self.new_function(function)?, BlockId(block as u32)))
    }

    /// The counterpart of a block of the new version.
    pub fn old_block(&self, function: FunctionId, new: BlockId) -> Option<(FunctionId, BlockId)> {
        let function = self.old_function(function)?;
        let block = self.blocks.get(function.0 as usize)?.old_of(new.0 as usize)?;
        Some((function, BlockId(block as u32)))
    }

    /// The paired functions, without their contents yet.
    pub(crate) fn of_functions(old: &Program, new: &Program, functions: &Pairing) -> Matching {
        let blocks = (0..old.functions.len()).map(|function| {
            let partner = functions.new_of(function).map(|it| new.functions[it].blocks.len());
            Pairing::empty(old.functions[function].blocks.len(), partner.unwrap_or_default())
        });
        Matching {
            functions: functions.clone(),
            sites: Pairing::empty(sites(old), sites(new)),
            blocks: blocks.collect(),
        }
    }

    /// Adds the alignment of two bodies.
    pub(crate) fn extend(
        &mut self,
        function: usize,
        (old, new): (&Body<'_>, &Body<'_>),
        alignment: &Alignment,
        moves: &[Move],
    ) {
        for (x, y) in alignment.locals.pairs() {
            self.join((old, old.locals[x].code), (new, new.locals[y].code));
        }
        for (x, y) in alignment.items.pairs() {
            self.join((old, old.items[x].code), (new, new.items[y].code));
            let left = scaffold_from(old, old.items[x].code + 1);
            self.join_alike((old, new), left, scaffold_from(new, new.items[y].code + 1));
            self.join_blocks(function, (old, x), (new, y));
        }
        for (x, y) in moves.iter().flat_map(Move::items) {
            self.join((old, old.items[x].code), (new, new.items[y].code));
        }
        if let Some(blocks) = self.blocks.get_mut(function) {
            blocks.join(0, 0);
        }
        self.join_empty_blocks(function, (old, new));
    }

    /// Pairs blocks without items if paired jumps lead to them.
    fn join_empty_blocks(&mut self, function: usize, (old, new): (&Body<'_>, &Body<'_>)) {
        let joined = self.blocks.get(function).map(|blocks| blocks.pairs().collect());
        let mut waiting: Vec<(usize, usize)> = joined.unwrap_or_default();
        while let Some((x, y)) = waiting.pop() {
            let (Some(left), Some(right)) = (old.parts.get(x), new.parts.get(y)) else { continue };
            self.join_alike((old, new), scaffold_in(old, left), scaffold_in(new, right));
            if !self.are_joined((old, left.code.end), (new, right.code.end)) {
                continue;
            }
            let (left, right) = (&old.function.blocks[x], &new.function.blocks[y]);
            for (x, y) in left.successors.iter().zip(&right.successors) {
                waiting.extend(self.join_if_empty(function, (old, x.0), (new, y.0)));
            }
        }
    }

    fn join_if_empty(
        &mut self,
        function: usize,
        (old, x): (&Body<'_>, u32),
        (new, y): (&Body<'_>, u32),
    ) -> Option<(usize, usize)> {
        let (x, y) = (x as usize, y as usize);
        let empty = |body: &Body<'_>, block: usize| {
            body.parts.get(block).is_some_and(|part| part.items.is_empty())
        };
        let blocks = self.blocks.get_mut(function)?;
        let free = blocks.new_of(x).is_none() && blocks.old_of(y).is_none();
        let joins = free && empty(old, x) && empty(new, y);
        joins.then(|| blocks.join(x, y)).map(|()| (x, y))
    }

    /// Whether the predecessors of these places are paired.
    fn are_joined(&self, (old, x): (&Body<'_>, usize), (new, y): (&Body<'_>, usize)) -> bool {
        let site = |body: &Body<'_>, end: usize| {
            Some(body.code.get(end.checked_sub(1)?)?.instruction.site.0 as usize)
        };
        let (Some(x), Some(y)) = (site(old, x), site(new, y)) else { return false };
        self.sites.new_of(x) == Some(y)
    }

    fn join(&mut self, (old, x): (&Body<'_>, usize), (new, y): (&Body<'_>, usize)) {
        let (x, y) = (old.code[x].instruction.site, new.code[y].instruction.site);
        self.sites.join(x.0 as usize, y.0 as usize);
    }

    /// Pairs equal scaffolding in order.
    fn join_alike(
        &mut self,
        (old, new): (&Body<'_>, &Body<'_>),
        left: impl Iterator<Item = usize>,
        right: impl Iterator<Item = usize>,
    ) {
        let alike = left.zip(right).take_while(|&(x, y)| {
            let (x, y) = (old.code[x].instruction, new.code[y].instruction);
            x.opcode == y.opcode && x.operands.len() == y.operands.len()
        });
        for (x, y) in alike {
            self.join((old, x), (new, y));
        }
    }

    /// Pairs blocks by their first items.
    fn join_blocks(
        &mut self,
        function: usize,
        (old, x): (&Body<'_>, usize),
        (new, y): (&Body<'_>, usize),
    ) {
        let (left, right) = (old.code[old.items[x].code].block, new.code[new.items[y].code].block);
        let first = old.parts[left].items.start == x && new.parts[right].items.start == y;
        if let Some(blocks) = self.blocks.get_mut(function).filter(|_| first) {
            blocks.join(left, right);
        }
    }
}

/// The scaffolding at the start of a block, behind the space of locals.
fn scaffold_in<'b>(body: &'b Body<'_>, part: &Part) -> impl Iterator<Item = usize> + 'b {
    let mut code = part.code.clone();
    let first = code.find(|&code| !matches!(body.code[code].role, Role::Local(_)));
    scaffold_from(body, first.unwrap_or(part.code.end))
}

/// The scaffolding from here to the next item of the block.
fn scaffold_from<'b>(body: &'b Body<'_>, start: usize) -> impl Iterator<Item = usize> + 'b {
    let block = body.code.get(start).map(|code| code.block);
    let rest = (start..body.code.len()).take_while(move |&it| Some(body.code[it].block) == block);
    rest.take_while(|&it| body.code[it].role == Role::Scaffold)
}

/// The number of instructions of a program: the first unused id.
fn sites(program: &Program) -> usize {
    program.instructions().map(|it| it.site.0 as usize + 1).max().unwrap_or_default()
}
