//! Executed code, derived from the covered edges and function starts.

use std::collections::{BTreeMap, BTreeSet};

use parallax_program::{Block, BlockId, FunctionId, Opcode};

use super::build::SymbolicBuild;

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file, as an index into the program's files.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// A branch or switch of the program, with its ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// Its line, or that of its function.
    pub line: Option<Line>,
    /// The number of the place of each way.
    pub ways: Vec<u32>,
}

impl SymbolicBuild {
    /// The lines of the program's own code, and whether each was executed, where `covered` are the
    /// numbers of covered places.
    pub fn lines(&self, covered: &BTreeSet<u32>) -> BTreeMap<Line, bool> {
        let ran = self.blocks_that_ran(covered);
        let mut lines = BTreeMap::new();
        for (id, function) in (0..).map(FunctionId).zip(&self.model.functions) {
            if function.location.is_none() {
                continue;
            }
            for (block, contents) in (0..).map(BlockId).zip(&function.blocks) {
                let located = contents.instructions.iter().filter_map(|i| i.location);
                for location in located.filter(|location| location.line > 0) {
                    let line = Line { file: location.file, line: location.line };
                    *lines.entry(line).or_default() |= ran.contains(&(id, block));
                }
            }
        }
        lines
    }

    /// The branches and switches of the program's own code.
    pub fn forks(&self) -> Vec<Fork> {
        let mut forks: Vec<Fork> = Vec::new();
        let mut last = None;
        for (number, place) in self.places.ways(&self.model) {
            let at = (place.function, place.block);
            if last != Some(at) {
                let own = place.instruction(&self.model).and_then(|i| i.location);
                let function = self.model.functions.get(place.function.0 as usize);
                // Code without a line of its own counts for the line of its function.
                let location = own
                    .filter(|location| location.line > 0)
                    .or_else(|| function.and_then(|function| function.location));
                let line =
                    location.map(|location| Line { file: location.file, line: location.line });
                forks.push(Fork { line, ways: Vec::new() });
                last = Some(at);
            }
            if let Some(fork) = forks.last_mut() {
                fork.ways.push(number);
            }
        }
        forks
    }

    fn blocks_that_ran(&self, covered: &BTreeSet<u32>) -> BTreeSet<(FunctionId, BlockId)> {
        let mut ran = BTreeSet::new();
        let mut pending = Vec::new();
        for place in covered.iter().filter_map(|number| self.places.get(*number)) {
            let Some(block) = self.block(place.function, place.block) else { continue };
            pending.push((place.function, place.block));
            let is_last = place.instruction as usize + 1 == block.instructions.len();
            if is_last && let Some(next) = block.successors.get(place.way as usize) {
                pending.push((place.function, *next));
            }
        }
        while let Some((function, id)) = pending.pop() {
            if !ran.insert((function, id)) {
                continue;
            }
            let Some(block) = self.block(function, id) else { continue };
            // A jump without a choice was taken, unless a call ended the run.
            if let ([next], Some(Opcode::Br)) = (&block.successors[..], last_opcode(block)) {
                pending.push((function, *next));
            }
        }
        ran
    }

    fn block(&self, function: FunctionId, block: BlockId) -> Option<&Block> {
        self.model.functions.get(function.0 as usize)?.blocks.get(block.0 as usize)
    }
}

fn last_opcode(block: &Block) -> Option<Opcode> {
    block.instructions.last().map(|instruction| instruction.opcode)
}
