//! Points-to analysis, including the targets of calls through pointers.
//!
//! Inclusion-based and for the whole program at once: each pointer has a set of cells, and each
//! assignment makes one set include another. It is field-sensitive by offsets and flow-insensitive,
//! except for variables that are accessed by their name alone: these are most of the variables
//! there are, and the compiler's plain output keeps them in memory. A unification-based analysis
//! would be faster still and useless for programs that keep everything in one kind of list; a fully
//! flow-sensitive one would not be ready in the seconds that we have.
//!
//! Big programs have pointers to thousands of objects, and thousands of such pointers. Objects that
//! one pointer cannot keep apart are then one object for all of them, an [`Object::Pool`].
//!
//! Assumptions of the analysis: pointers are not assembled from parts smaller than themselves (a
//! loop that copies bytes does not carry them), an index stays within an array that has more than
//! one element by its type, and the difference of two pointers is not made a pointer again without
//! one of them.

mod build;
mod call;
mod cell;
mod constraint;
mod flow;
mod graph;
mod harmless;
mod library;
mod pool;
mod set;
mod shape;

use std::collections::{HashMap, HashSet};

pub use self::cell::{Cell, CellId, Object};
pub(crate) use self::set::Quick;
use self::{
    build::{Built, Instance, build},
    call::Calls,
    cell::Memory,
    constraint::{Analysis, Content, Value},
    graph::Graph,
    set::Set,
};
use crate::model::{FunctionId, Operand, Program, SiteId};

/// The points-to sets of a program.
pub struct PointsTo {
    cells: Vec<Cell>,
    /// The cells of each object; one object can have those of several instances of a function.
    siblings: HashMap<Object, Vec<CellId>>,
    /// The readable contents of each cell.
    contents: Vec<Option<Content>>,
    graph: Graph,
    instances: HashMap<FunctionId, Vec<Instance>, Quick>,
    constants: Vec<Set>,
    private: HashSet<SiteId, Quick>,
    callees: Table,
    callbacks: Table,
}

impl PointsTo {
    /// Analyses a whole program.
    pub fn analyse(program: &Program) -> PointsTo {
        let mut analysis = Analysis::new(program);
        let Built { instances, private, constants } = build(&mut analysis);
        let Analysis { graph, memory, calls, contents, .. } = analysis;
        let Calls { callees, mut callbacks, unknown, escaped, .. } = calls;
        for call in unknown {
            callbacks.extend(escaped.iter().map(|function| (call, *function)));
        }
        let constants = constants.iter().map(|value| members(&graph, value.canonical(&memory)));
        PointsTo {
            siblings: siblings(&memory),
            contents,
            constants: constants.collect(),
            graph,
            instances: by_function(instances, &memory),
            cells: memory.cells,
            private,
            callees: Table::new(callees),
            callbacks: Table::new(callbacks),
        }
    }

    /// The cells that a value in a function may point to, sorted.
    pub fn targets(&self, function: FunctionId, pointer: Operand) -> Vec<CellId> {
        let found = match pointer {
            Operand::Global(global) => return self.start_of(Object::Global(global)),
            Operand::Function(function) => return self.start_of(Object::Function(function)),
            Operand::Constant(id) => self.constants.get(id.0 as usize).cloned().unwrap_or_default(),
            Operand::Site(_) | Operand::Parameter(_) => self.values(function, pointer),
            Operand::Other => Set::default(),
        };
        found.iter().map(CellId).collect()
    }

    /// A cell. Cells of objects in a pool exist, but nothing leads to them.
    pub fn cell(&self, cell: CellId) -> Cell {
        self.cells[cell.0 as usize]
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The cells of an object, sorted; the pool's if it is part of one.
    pub fn cells_of(&self, object: Object) -> &[CellId] {
        self.siblings.get(&object).map_or(&[], Vec::as_slice)
    }

    /// The possible callees of a call, sorted; of a direct one, its callee.
    pub fn callees(&self, call: SiteId) -> &[FunctionId] {
        self.callees.of(call)
    }

    /// The functions that a library call may call back, sorted.
    pub fn callbacks(&self, call: SiteId) -> &[FunctionId] {
        self.callbacks.of(call)
    }

    /// The cells that an access of `size` bytes through a pointer may touch, sorted; without a
    /// size, all behind the place that it points to.
    ///
    /// Of two accesses that may have a byte in common, one touches a cell that the other one's
    /// pointer points to.
    pub fn touched(
        &self,
        function: FunctionId,
        pointer: Operand,
        size: Option<u64>,
    ) -> Vec<CellId> {
        let mut touched: Vec<CellId> = Vec::new();
        for target in self.targets(function, pointer) {
            touched.extend(self.overlapping(target, size));
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The cells that an access of `size` bytes at a cell may touch, sorted.
    pub fn overlapping(
        &self,
        cell: CellId,
        size: Option<u64>,
    ) -> impl Iterator<Item = CellId> + '_ {
        let from = self.cell(cell);
        let size = size.unwrap_or(u64::MAX);
        let siblings = self.cells_of(from.object).iter().copied();
        siblings.filter(move |other| from.may_reach(size, &self.cell(*other)))
    }

    /// The cells reachable from some cells through their contents, sorted.
    pub fn reachable(&self, from: &[CellId]) -> Vec<CellId> {
        let mut objects: HashSet<Object> = HashSet::new();
        let mut waiting: Vec<Object> = from.iter().map(|cell| self.cell(*cell).object).collect();
        while let Some(object) = waiting.pop() {
            if objects.insert(object) {
                let parts = self.cells_of(object).iter();
                let held = parts.flat_map(|part| self.contents(*part));
                waiting.extend(held.map(|cell| self.cell(cell).object));
                waiting.retain(|object| !objects.contains(object));
                waiting.sort_unstable();
                waiting.dedup();
            }
        }
        let mut found: Vec<_> =
            objects.iter().flat_map(|object| self.cells_of(*object)).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The targets of a pointer that is read from a cell.
    fn contents(&self, cell: CellId) -> Vec<CellId> {
        let content = self.contents.get(cell.0 as usize).copied().flatten();
        let Some(content) = content else { return Vec::new() };
        self.graph.set(content.read).iter().map(CellId).collect()
    }

    /// Whether a local variable is only ever loaded and stored as a whole, by its name.
    pub fn is_private(&self, alloca: SiteId) -> bool {
        self.private.contains(&alloca)
    }

    fn values(&self, function: FunctionId, pointer: Operand) -> Set {
        let mut found = Set::default();
        for instance in self.instances.get(&function).into_iter().flatten() {
            found.add(&members(&self.graph, instance.value(pointer)));
        }
        found
    }

    fn start_of(&self, object: Object) -> Vec<CellId> {
        let cells = self.cells_of(object).iter().copied();
        let is_start = |cell: &CellId| {
            let cell = self.cell(*cell);
            let is_whole = matches!(cell.object, Object::Function(_) | Object::Pool(_));
            cell.start == 0 && (cell.stride == 0 || is_whole)
        };
        cells.filter(is_start).collect()
    }
}

/// Functions by call.
struct Table {
    sites: Vec<SiteId>,
    functions: Vec<FunctionId>,
}

impl Table {
    fn new(mut pairs: Vec<(SiteId, FunctionId)>) -> Table {
        // Those of one call are mostly adjacent already, which this sort exploits.
        pairs.sort();
        pairs.dedup();
        let (sites, functions) = pairs.into_iter().unzip();
        Table { sites, functions }
    }

    fn of(&self, site: SiteId) -> &[FunctionId] {
        let start = self.sites.partition_point(|known| *known < site);
        let count = self.sites[start..].partition_point(|known| *known == site);
        &self.functions[start..start + count]
    }
}

fn siblings(memory: &Memory) -> HashMap<Object, Vec<CellId>> {
    let mut siblings: HashMap<Object, Vec<CellId>> = HashMap::new();
    for (id, cell) in (0..).map(CellId).zip(&memory.cells) {
        siblings.entry(cell.object).or_default().push(memory.canonical(id));
    }
    #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
    for cells in siblings.values_mut() {
        cells.sort_unstable();
        cells.dedup();
    }
    siblings
}

fn by_function(
    instances: Vec<Instance>,
    memory: &Memory,
) -> HashMap<FunctionId, Vec<Instance>, Quick> {
    let mut found: HashMap<FunctionId, Vec<Instance>, Quick> = HashMap::default();
    for mut instance in instances {
        for value in instance.values.iter_mut().flatten() {
            *value = value.canonical(memory);
        }
        found.entry(instance.function).or_default().push(instance);
    }
    found
}

/// The cells that a value can point to.
fn members(graph: &Graph, value: Value) -> Set {
    match value {
        Value::Nothing => Set::default(),
        Value::Cell(cell) => std::iter::once(cell.0).collect(),
        Value::Node(node) => graph.set(node).clone(),
    }
}
