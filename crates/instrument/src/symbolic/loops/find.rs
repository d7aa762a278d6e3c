//! The inner loops of a function.

use std::collections::{HashMap, HashSet};

use crate::{
    llvm::{Block, Value},
    symbolic::weaver::reverse_post_order_from,
};

/// A loop with one entry, one back edge and no loop inside.
pub(super) struct Loop {
    pub(super) header: Block,
    pub(super) latch: Block,
    pub(super) preheader: Block,
    pub(super) blocks: Vec<Block>,
}

/// Innermost loops with one entry, from a block without another successor.
pub(super) fn inner_loops(function: Value) -> Vec<Loop> {
    let blocks = function.blocks();
    let Some(entry) = blocks.first().copied() else { return Vec::new() };
    let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
    for block in &blocks {
        for next in block.successors() {
            predecessors.entry(next).or_default().push(*block);
        }
    }
    let dominators = Dominators::of(entry, &predecessors);
    let mut loops = Vec::new();
    for latch in &blocks {
        for header in latch.successors() {
            if dominators.dominates(header, *latch) {
                loops.extend(natural_loop(header, *latch, &predecessors));
            }
        }
    }
    let headers: HashSet<_> = loops.iter().map(|found| found.header).collect();
    let is_innermost = |found: &Loop| {
        found.blocks.iter().all(|block| *block == found.header || !headers.contains(block))
    };
    let mut seen = HashSet::new();
    let single: HashSet<_> =
        loops.iter().map(|l| l.header).filter(|header| !seen.insert(*header)).collect();
    loops.retain(|found| is_innermost(found) && !single.contains(&found.header));
    loops
}

fn natural_loop(
    header: Block,
    latch: Block,
    predecessors: &HashMap<Block, Vec<Block>>,
) -> Option<Loop> {
    let mut blocks = vec![header];
    let mut seen = HashSet::from([header]);
    let mut work = vec![latch];
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            blocks.push(block);
            work.extend(predecessors.get(&block).into_iter().flatten().copied());
        }
    }
    let outside: Vec<_> =
        predecessors[&header].iter().filter(|block| !seen.contains(block)).copied().collect();
    let [preheader] = outside[..] else { return None };
    let is_simple = preheader.successors() == [header];
    is_simple.then_some(Loop { header, latch, preheader, blocks })
}

/// The immediate dominators of blocks.
struct Dominators {
    number: HashMap<Block, usize>,
    immediate: Vec<usize>,
}

impl Dominators {
    /// Computes them by iteration over the blocks in reverse post-order (Cooper, Harvey and
    /// Kennedy's algorithm).
    fn of(entry: Block, predecessors: &HashMap<Block, Vec<Block>>) -> Dominators {
        let order = reverse_post_order_from(entry);
        let number: HashMap<_, _> =
            order.iter().enumerate().map(|(n, block)| (*block, n)).collect();
        let mut immediate = vec![usize::MAX; order.len()];
        immediate[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in order.iter().enumerate().skip(1) {
                let known = predecessors.get(block).into_iter().flatten();
                let known = known.filter_map(|block| number.get(block).copied());
                let best = known
                    .filter(|before| immediate[*before] != usize::MAX)
                    .reduce(|one, other| common(&immediate, one, other));
                if let Some(best) = best.filter(|best| immediate[index] != *best) {
                    immediate[index] = best;
                    changed = true;
                }
            }
        }
        Dominators { number, immediate }
    }

    fn dominates(&self, one: Block, other: Block) -> bool {
        let (Some(one), Some(mut other)) =
            (self.number.get(&one).copied(), self.number.get(&other).copied())
        else {
            return false;
        };
        while other > one {
            other = self.immediate[other];
        }
        other == one
    }
}

fn common(immediate: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        if one > other {
            one = immediate[one];
        } else {
            other = immediate[other];
        }
    }
    one
}
