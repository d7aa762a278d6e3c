//! Draws the graphs of a change.

mod calls;

use std::collections::{BTreeMap, BTreeSet};

use parallax_change::{ChainFinder, LinkKind, Stop};
use parallax_program::{
    BlockId, Detail, FunctionId, Instruction, Opcode, Operand, Program, SiteId, Statement,
    StatementId,
    graph::{Controller, EdgeKind},
};
use parallax_report::{Drawing, DrawnEdge, DrawnNode, EdgeLook, Look, counted};

use crate::{
    CheckError,
    source::{Names, Sources, function_of, place_of},
    study::Study,
};

/// The graphs that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// The control flow of a function.
    Cfg,
    /// The control dependences of a function.
    Cdg,
    /// The dependences between statements of a function.
    Pdg,
    /// The possible execution orders of changes.
    Csg,
    /// The number of decisions to the nearest change.
    Distance,
    /// The calls that lead to the changes.
    Callgraph,
}

/// Draws a graph, of the function of this name if it is a graph of one function.
pub fn draw(
    study: &Study<'_>,
    graph: Graph,
    function: Option<&str>,
) -> Result<Drawing, CheckError> {
    let of_function = || -> Result<FunctionId, CheckError> {
        match function {
            Some(name) => find(study, name),
            None => {
                let changed = study.changes.changes.iter().find_map(|change| change.new_function);
                changed.ok_or_else(|| nothing_to_draw(study))
            }
        }
    };
    let mut artist = Artist {
        study,
        sources: Sources::of(&study.pair.new.program),
        names: Names::of(&study.new.program),
    };
    Ok(match graph {
        Graph::Cfg => artist.flow(of_function()?, Labels::Ways),
        Graph::Distance => artist.flow(of_function()?, Labels::Distances),
        Graph::Cdg => artist.control(of_function()?),
        Graph::Pdg => artist.dependence(of_function()?),
        Graph::Csg => artist.sequences(),
        Graph::Callgraph => artist.calls(function.map(|name| find(study, name)).transpose()?),
    })
}

/// The function of a name.
fn find(study: &Study<'_>, name: &str) -> Result<FunctionId, CheckError> {
    study.function(&Names::of(&study.new.program).find(name)?)
}

/// The error if there is no changed function to draw by default.
fn nothing_to_draw(study: &Study<'_>) -> CheckError {
    let changes = study.changes.changes.iter();
    let names: BTreeSet<_> = changes.map(|change| function_of(study, change)).collect();
    let names: Vec<_> = names.into_iter().collect();
    match names[..] {
        [] => CheckError::failed("draw a graph: nothing changed; name a function with --function"),
        _ => CheckError::failed(format!(
            "draw a graph: the changed functions are not in the new version: {}; name a function with --function",
            names.join(", ")
        )),
    }
}

/// The labels of edges in a flow graph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    Ways,
    Distances,
}

/// The legend of dependence graphs.
const DEPENDENCE: [&str; 2] =
    ["solid: data dependence, through the variable if one is named", "dashed: control dependence"];

/// The legend of distances.
const DISTANCES: [&str; 3] = [
    "1, 2, …: decisions from here to a change, including this one",
    "∞: does not decide: a change can be executed after this, and after another choice, too",
    "never: no change can be executed any more after this",
];

struct Artist<'s, 'v> {
    study: &'s Study<'v>,
    sources: Sources,
    names: Names<'v>,
}

impl Artist<'_, '_> {
    fn program(&self) -> &Program {
        &self.study.new.program
    }

    fn flow(&mut self, function: FunctionId, labels: Labels) -> Drawing {
        let name = self.names.get(function);
        let title = match labels {
            Labels::Ways => format!("control flow of {name}"),
            Labels::Distances => format!("decisions of {name} that lead to the nearest change"),
        };
        let notes = match labels {
            Labels::Ways => Vec::new(),
            Labels::Distances => DISTANCES.map(str::to_owned).to_vec(),
        };
        let count = self.program().at(function).blocks.len() as u32;
        let nodes = (0..count).map(|block| self.block(function, BlockId(block))).collect();
        let mut edges = Vec::new();
        for block in (0..count).map(BlockId) {
            edges.extend(self.ways(function, block, labels));
        }
        Drawing { title, notes, nodes, edges }
    }

    /// A node for a block with its source lines.
    fn block(&mut self, function: FunctionId, block: BlockId) -> DrawnNode {
        let study = self.study;
        let program = &study.new.program;
        let instructions = &program.at(function).blocks[block.0 as usize].instructions;
        let lines: BTreeSet<_> = instructions
            .iter()
            .filter_map(|instruction| instruction.location)
            .filter(|location| location.line > 0)
            .map(|location| (location.file, location.line))
            .collect();
        let mut text = vec![format!("block {}", block.0)];
        for (file, line) in lines {
            let location = parallax_program::Location { file, line, column: 0 };
            text.push(format!("{line}: {}", self.sources.line(program, location)));
        }
        let sites: Vec<_> = instructions.iter().map(|instruction| instruction.site).collect();
        DrawnNode { lines: text, look: self.look(&sites, block.0 == 0) }
    }

    fn look(&self, sites: &[SiteId], is_entry: bool) -> Look {
        let changed = self.study.changes.changes.iter().flat_map(parallax_change::sites);
        let changed: BTreeSet<_> = changed.collect();
        let affects =
            |site: &SiteId| self.study.impacts.iter().any(|impact| impact.affected.contains(*site));
        match () {
            () if sites.iter().any(|site| changed.contains(site)) => Look::Changed,
            () if is_entry => Look::Entry,
            () if sites.iter().any(affects) => Look::Affected,
            () => Look::Plain,
        }
    }

    fn ways(&self, function: FunctionId, block: BlockId, labels: Labels) -> Vec<DrawnEdge> {
        let contents = &self.program().at(function).blocks[block.0 as usize];
        let whole = &self.study.new.whole;
        let is_branch = contents.successors.len() > 1;
        let ways = (0..).zip(&contents.successors);
        ways.map(|(way, to)| {
            let impacts = self.study.impacts.iter();
            let distance = impacts
                .filter_map(|impact| impact.distances.of_way(whole, function, block, way))
                .min();
            let is_irrelevant =
                self.study.impacts.iter().all(|impact| {
                    impact.relevance.is_irrelevant_before(whole, function, block, way)
                });
            let label = match labels {
                _ if !is_branch => String::new(),
                Labels::Ways => way_name(contents, way),
                Labels::Distances if is_irrelevant => "never".to_owned(),
                Labels::Distances => distance.map_or("∞".into(), |distance| distance.to_string()),
            };
            let look = match labels {
                Labels::Distances if is_irrelevant => EdgeLook::Faded,
                Labels::Distances if distance.is_some() => EdgeLook::Strong,
                _ => EdgeLook::Plain,
            };
            DrawnEdge { from: block.0 as usize, to: to.0 as usize, label, look }
        })
        .collect()
    }

    fn control(&mut self, function: FunctionId) -> Drawing {
        let whole = &self.study.new.whole;
        let flow = whole.flow(function);
        let name = self.names.get(function);
        let title = format!("control dependence in {name}");
        let count = self.program().at(function).blocks.len() as u32;
        let nodes = (0..count).map(|block| self.block(function, BlockId(block))).collect();
        let mut edges = BTreeSet::new();
        for (node, segment) in (0..).zip(&flow.segments) {
            for controller in whole.control(function).controllers(node) {
                let Controller::Edge { from, number } = *controller else { continue };
                let source = flow.segments[from as usize].block;
                let contents = &self.program().at(function).blocks[source.0 as usize];
                let label = match flow.edge(from, number as usize).kind {
                    EdgeKind::Way(way) => way_name(contents, way),
                    EdgeKind::Returned => "returns".to_owned(),
                    EdgeKind::Ended | EdgeKind::Left | EdgeKind::Never => continue,
                };
                if source != segment.block || from == node {
                    edges.insert((source.0 as usize, segment.block.0 as usize, label));
                }
            }
        }
        let edges = edges.into_iter();
        let edges =
            edges.map(|(from, to, label)| DrawnEdge { from, to, label, ..DrawnEdge::default() });
        Drawing { title, nodes, edges: edges.collect(), ..Drawing::default() }
    }

    fn dependence(&mut self, function: FunctionId) -> Drawing {
        let version = self.study.new;
        let name = self.names.get(function);
        let title = format!("dependence in {name}");
        let statements = version.statements.iter();
        let own: Vec<StatementId> = statements
            .filter(|(_, statement)| statement.function == function && !statement.is_silent)
            .map(|(id, _)| id)
            .collect();
        let index: BTreeMap<_, _> = own.iter().copied().zip(0..).collect();
        let nodes = own.iter().map(|id| self.statement(*id)).collect();
        let mut finder =
            ChainFinder::new(&version.program, &self.study.dependence, &version.statements);
        let mut edges = Vec::new();
        for (from, id) in own.iter().enumerate() {
            for link in finder.next(*id) {
                let Some(to) = index.get(&link.to).copied() else { continue };
                let (label, look) = match link.kind {
                    LinkKind::Control => (String::new(), EdgeLook::Dashed),
                    LinkKind::Data(name) => (name.unwrap_or_default(), EdgeLook::Plain),
                };
                edges.push(DrawnEdge { from, to, label, look });
            }
        }
        let notes = DEPENDENCE.map(str::to_owned).to_vec();
        Drawing { title, notes, nodes, edges }
    }

    fn statement(&mut self, id: StatementId) -> DrawnNode {
        let study = self.study;
        let version = study.new;
        let statement = version.statements.get(id);
        let mut lines = match parameter(&version.program, statement) {
            Some(name) => vec![format!("parameter {name}")],
            None => vec![place_of(&version.program, statement)],
        };
        if let Some(location) = statement.location {
            lines.push(self.sources.line(&version.program, location));
        }
        let sites: Vec<_> = statement.sites().collect();
        DrawnNode { lines, look: self.look(&sites, false) }
    }

    fn sequences(&mut self) -> Drawing {
        const MOST_OUTPUTS: usize = 40;
        let study = self.study;
        let edges = &study.sequences.edges;
        let mut stops = BTreeSet::new();
        stops.extend((0..study.changes.changes.len()).map(Stop::Change));
        stops.extend(edges.iter().flat_map(|(from, to)| [*from, *to]));
        let outputs = stops.iter().filter(|stop| matches!(stop, Stop::Output(_)));
        let hidden: BTreeSet<_> = outputs.skip(MOST_OUTPUTS).copied().collect();
        stops.retain(|stop| !hidden.contains(stop));
        let index: BTreeMap<_, _> = stops.iter().copied().zip(0..).collect();
        let nodes = stops.iter().map(|stop| self.stop(*stop)).collect();
        let edges = edges.iter().filter_map(|(from, to)| {
            let (from, to) = (*index.get(from)?, *index.get(to)?);
            Some(DrawnEdge { from, to, ..DrawnEdge::default() })
        });
        let title = "execution orders of changes, and where they interact".to_owned();
        let notes = match hidden.len() {
            0 => Vec::new(),
            more => vec![format!(
                "left out: {}, as there are too many",
                counted(more, "more output", "more outputs")
            )],
        };
        Drawing { title, notes, nodes, edges: edges.collect() }
    }

    /// A node for a statement with the reason why it is drawn.
    fn titled(&mut self, id: StatementId, reason: &str, look: Look) -> DrawnNode {
        let DrawnNode { mut lines, .. } = self.statement(id);
        if let Some(first) = lines.first_mut() {
            *first = format!("{reason} {first}");
        }
        DrawnNode { lines, look }
    }

    fn stop(&mut self, stop: Stop) -> DrawnNode {
        let study = self.study;
        match stop {
            Stop::Interaction(id) => {
                let met = study.sequences.interactions.get(&id).into_iter().flatten();
                let met: Vec<_> = met.map(|change| study.id(*change)).collect();
                self.titled(id, &format!("{} meet at", met.join(", ")), Look::Meeting)
            }
            Stop::Output(id) => self.titled(id, "output", Look::Output),
            Stop::Change(number) => {
                let change = &study.changes.changes[number];
                let mut lines =
                    vec![format!("{} in {}", study.id(number), function_of(study, change))];
                if let Some(at) = change.new_lines {
                    let file = study.new.program.files.get(at.file as usize);
                    let file = file.map_or("", String::as_str);
                    let text = self.sources.lines(file, at.first, at.last);
                    let numbered = (at.first..).zip(text);
                    lines.extend(
                        numbered.map(|(number, line)| format!("{number}: {}", line.trim())),
                    );
                }
                DrawnNode { lines, look: Look::Changed }
            }
        }
    }
}

/// The parameter that a statement stores into its variable, as the front end does at the entry.
fn parameter<'p>(program: &'p Program, statement: &Statement) -> Option<&'p str> {
    let block = &program.at(statement.function).blocks[statement.block.0 as usize];
    let own = |it: &&Instruction| statement.sites.contains(&it.site.0);
    let mut stores = block.instructions.iter().filter(own).filter(|it| it.opcode == Opcode::Store);
    let store = stores.next().filter(|_| statement.location.is_none())?;
    let [Operand::Parameter(_), Operand::Site(local)] = store.operands[..] else { return None };
    let local = block.instructions.iter().find(|it| it.site == local)?;
    match &local.detail {
        Detail::Local { name, .. } => name.as_deref(),
        _ => None,
    }
}

/// The label of a way out of a block.
fn way_name(block: &parallax_program::Block, way: u32) -> String {
    let is_switch = block.instructions.last().is_some_and(|last| last.opcode == Opcode::Switch);
    match (is_switch, way) {
        (false, 0) => "true".to_owned(),
        (false, 1) => "false".to_owned(),
        (false, way) => way.to_string(),
        (true, 0) => "default".to_owned(),
        (true, way) => match block.cases.get(way as usize - 1) {
            Some(case) => format!("case {}", *case as i64 as i32),
            None => way.to_string(),
        },
    }
}
