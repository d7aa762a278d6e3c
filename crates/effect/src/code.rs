//! The code of one version, before it runs.

use std::collections::HashMap;

use parallax_change::{Change, Changes, Lines};
use parallax_program::{
    BlockId, Function, FunctionId, Instruction, Location, Opcode, Operand, Program, SiteId,
    graph::{Bits, Control, Controller, Digraph, Dominators},
};

/// The position of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The position in the block.
    pub index: u32,
}

/// The code of one version.
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    /// The instructions that are visible from outside.
    pub outputs: Bits,
    homes: Vec<Option<Home>>,
    changes: HashMap<SiteId, u32>,
    changed_blocks: HashMap<(FunctionId, BlockId), Vec<u32>>,
    changed_lines: Vec<(FunctionId, Lines, u32)>,
}

impl<'p> Code<'p> {
    /// The code of the old version.
    pub fn old(program: &'p Program, changes: &Changes, outputs: Bits) -> Code<'p> {
        let sites = |change: &Change| change.old_sites.clone();
        let lines = |change: &Change| Some((change.old_function?, change.old_lines?));
        Code::new(program, changes, outputs, sites, lines)
    }

    /// The code of the new version.
    pub fn new_version(program: &'p Program, changes: &Changes, outputs: Bits) -> Code<'p> {
        let sites = |change: &Change| change.new_sites.clone();
        let lines = |change: &Change| Some((change.new_function?, change.new_lines?));
        Code::new(program, changes, outputs, sites, lines)
    }

    fn new(
        program: &'p Program,
        changes: &Changes,
        outputs: Bits,
        sites: impl Fn(&Change) -> Vec<SiteId>,
        lines: impl Fn(&Change) -> Option<(FunctionId, Lines)>,
    ) -> Code<'p> {
        let mut code = Code {
            program,
            outputs,
            homes: homes(program),
            changes: HashMap::new(),
            changed_blocks: HashMap::new(),
            changed_lines: Vec::new(),
        };
        for (number, change) in (0..).zip(&changes.changes) {
            let own = lines(change).map(|(function, lines)| (function, lines, number));
            code.changed_lines.extend(own);
            for site in sites(change) {
                code.changes.insert(site, number);
                let Some(Home { function, block, .. }) = code.home(site) else { continue };
                code.changed_blocks.entry((function, block)).or_default().push(number);
            }
        }
        code
    }

    /// The position of an instruction.
    pub fn home(&self, site: SiteId) -> Option<Home> {
        self.homes.get(site.0 as usize).copied().flatten()
    }

    /// An instruction.
    pub fn instruction(&self, site: SiteId) -> Option<&'p Instruction> {
        let home = self.home(site)?;
        let block = self.program.at(home.function).blocks.get(home.block.0 as usize)?;
        block.instructions.get(home.index as usize)
    }

    /// The function that an instruction is in.
    pub fn function(&self, site: SiteId) -> Option<&'p Function> {
        Some(self.program.at(self.home(site)?.function))
    }

    /// The source of an instruction. Code that takes parameters over is on the first line of its
    /// function, code that the front end has put between statements on the line of the code that
    /// follows.
    pub fn location(&self, site: SiteId) -> Option<Location> {
        let (home, function) = (self.home(site)?, self.function(site)?);
        let block = function.blocks.get(home.block.0 as usize)?;
        match self.instruction(site)?.location {
            Some(location) if location.line > 0 => Some(location),
            Some(_) => {
                let rest = block.instructions.iter().skip(home.index as usize);
                let known = rest.filter_map(|it| it.location);
                known.into_iter().find(|location| location.line > 0).or(function.location)
            }
            None => function.location,
        }
    }

    /// The change whose lines contain an instruction, although the change does not name it.
    pub(crate) fn change_around(&self, site: SiteId) -> Option<u32> {
        let (home, location) = (self.home(site)?, self.location(site)?);
        let is_around = |(function, lines, _): &&(FunctionId, Lines, u32)| {
            *function == home.function
                && lines.file == location.file
                && (lines.first..=lines.last).contains(&location.line)
        };
        self.changed_lines.iter().find(is_around).map(|(.., change)| *change)
    }

    /// The values of a switch.
    pub(crate) fn cases(&self, site: SiteId) -> &'p [u64] {
        let block = self
            .home(site)
            .and_then(|home| self.program.at(home.function).blocks.get(home.block.0 as usize));
        block.map_or(&[], |block| &block.cases)
    }

    /// The change that an instruction belongs to.
    pub fn change(&self, site: SiteId) -> Option<u32> {
        self.changes.get(&site).copied()
    }

    /// The changes in the block that an instruction is in.
    pub fn changes_around(&self, site: SiteId) -> &[u32] {
        self.home(site).map_or(&[], |home| self.changes_in(home.function, home.block))
    }

    /// The changes in a block.
    pub(crate) fn changes_in(&self, function: FunctionId, block: BlockId) -> &[u32] {
        self.changed_blocks.get(&(function, block)).map_or(&[], Vec::as_slice)
    }

    /// Whether the result of an instruction is an address.
    pub(crate) fn is_pointer(&self, operand: Operand) -> bool {
        match operand {
            Operand::Site(site) => self.instruction(site).is_some_and(|it| {
                let ty = self.program.types.get(it.result.0 as usize);
                ty.is_some_and(|ty| ty.text.starts_with("ptr"))
            }),
            Operand::Global(_) | Operand::Function(_) => true,
            Operand::Constant(id) => {
                let constant = self.program.constants.get(id.0 as usize);
                constant.is_some_and(|constant| constant.text.starts_with("ptr"))
            }
            Operand::Parameter(_) | Operand::Other => false,
        }
    }

    /// The name of the callee of a call, if it is known.
    pub(crate) fn callee(&self, instruction: &Instruction) -> Option<&'p str> {
        instruction.callee.map(|callee| self.program.at(callee).name.as_str())
    }
}

fn homes(program: &Program) -> Vec<Option<Home>> {
    let mut homes = Vec::new();
    for (function, contents) in program.defined() {
        for (block, contents) in (0..).map(BlockId).zip(&contents.blocks) {
            for (index, instruction) in (0..).zip(&contents.instructions) {
                let site = instruction.site.0 as usize;
                homes.resize(homes.len().max(site + 1), None);
                homes[site] = Some(Home { function, block, index });
            }
        }
    }
    homes
}

/// Whether an instruction leaves no record: addresses, and mere conversions of a value.
pub(crate) fn is_untold(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Alloca
            | Opcode::GetElementPtr
            | Opcode::BitCast
            | Opcode::PtrToInt
            | Opcode::IntToPtr
            | Opcode::Freeze
            | Opcode::ExtractValue
            | Opcode::InsertValue
    )
}

/// The decisions of a function that control whether its blocks are executed.
pub(crate) struct Regions {
    /// Of each block, the blocks whose jumps decide.
    deciders: Vec<Vec<BlockId>>,
    dominators: Dominators,
}

impl Regions {
    pub(crate) fn of(function: &Function) -> Regions {
        let exit = function.blocks.len() as u32;
        let mut edges = Vec::new();
        for (from, block) in (0..).zip(&function.blocks) {
            edges.extend(block.successors.iter().map(|to| (from, to.0)));
            if block.successors.is_empty() {
                edges.push((from, exit));
            }
        }
        let graph = leaving(exit, edges);
        let control = Control::of_graph(&graph, 0, exit);
        let deciders = (0..exit).map(|block| {
            let edges = control.controllers(block).iter();
            let mut from: Vec<_> = edges
                .filter_map(|controller| match controller {
                    Controller::Edge { from, .. } => Some(BlockId(*from)),
                    Controller::Entry => None,
                })
                .collect();
            from.sort_unstable();
            from.dedup();
            from
        });
        Regions { deciders: deciders.collect(), dominators: Dominators::new(&graph, 0) }
    }

    /// The blocks whose jumps control whether this one is executed.
    pub(crate) fn deciders(&self, block: BlockId) -> &[BlockId] {
        self.deciders.get(block.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether all paths to `block` lead through `above`.
    pub(crate) fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        self.dominators.dominates(above.0, block.0)
    }
}

/// The graph in which all nodes lead to the exit: endless loops leave somewhere, too.
fn leaving(exit: u32, mut edges: Vec<(u32, u32)>) -> Digraph {
    let nodes = exit as usize + 1;
    loop {
        let graph = Digraph::new(nodes, &edges);
        let ends = graph.reversed().reverse_post_order(exit);
        let mut leads = vec![false; nodes];
        ends.into_iter().for_each(|node| leads[node as usize] = true);
        match leads.iter().rposition(|leads| !leads) {
            Some(node) => edges.push((node as u32, exit)),
            None => return graph,
        }
    }
}
