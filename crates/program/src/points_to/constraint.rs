//! The constraints on pointers, as rules over the sets of the graph.
//!
//! A cell has two nodes: one for values written through it and one for values read through it. A
//! value written through a cell can be read through each overlapping cell, and a read writes
//! nothing, so overlapping cells do not become one. The nodes are created at the first read or
//! write of a pointer there.

use std::collections::{HashMap, HashSet};

use super::{
    call::Calls,
    cell::{Cell, CellId, Memory, Object, ObjectId, Step, gcd},
    flow::POINTER,
    graph::{Graph, Merger, Node, Wave},
    set::{Quick, Set},
};
use crate::model::Program;

/// The addresses in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// No address.
    Nothing,
    /// The address of one cell.
    Cell(CellId),
    /// The set of a node.
    Node(Node),
}

impl Value {
    /// The same with the representative of its cell.
    pub(super) fn canonical(self, memory: &Memory) -> Value {
        match self {
            Value::Cell(cell) => Value::Cell(memory.canonical(cell)),
            other => other,
        }
    }
}

/// A rule for each cell that a node can point to.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Its contents flow to a node.
    Load { to: Node, read: Read },
    /// The set of a node flows into it.
    Store { from: Node, size: u64 },
    /// The targets of a step from it flow to a node.
    Step { to: Node, step: Step },
    /// It is the target of a copy.
    CopyTo(usize),
    /// It is the source of a copy.
    CopyFrom(usize),
    /// If it is a function, a call calls it.
    Call(usize),
    /// External code can reach it.
    Escape,
}

/// A kind of read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) size: u64,
    /// Whether it is read as a number. Numbers are everywhere, and in memory that can be any part
    /// of an object most of them would look like the addresses that are kept beside them; so those
    /// are not treated as addresses unless the part of the object is known.
    pub(super) is_number: bool,
}

impl Read {
    /// An address.
    pub(super) const ADDRESS: Read = Read { size: POINTER, is_number: false };
}

/// The nodes of a cell.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) written: Node,
    pub(super) read: Node,
}

/// A copy of bytes.
struct Copying {
    to: Node,
    from: Node,
    size: u64,
    /// A hub for the contents, if too much is copied to too many places.
    meeting: Option<Node>,
}

/// Bytes that are copied from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CopiedPart {
    to: CellId,
    from: CellId,
    size: u64,
}

/// The cells of an object with contents.
#[derive(Default)]
pub(super) struct Inside {
    /// Its cells with nodes: those of one place and the others.
    single: Vec<CellId>,
    strided: Vec<CellId>,
    pub(super) copied: Vec<CopiedPart>,
    has_escaped: bool,
}

/// Limit on pairs of cells that are copied one by one.
const MOST_PAIRS: usize = 1024;

/// Limit on parts of one object in a set; a pointer to more of them points to all of it.
const MOST_OF_ONE: usize = 24;

/// Limit on bytes of values that are split into parts.
const MOST_PARTS: u64 = 64;

/// The state of the analysis.
pub(super) struct Analysis<'a> {
    pub(super) program: &'a Program,
    pub(super) graph: Graph,
    pub(super) memory: Memory,
    pub(super) calls: Calls,
    /// Objects by name and size.
    objects: HashMap<(Object, u64), ObjectId>,
    pub(super) contents: Vec<Option<Content>>,
    insides: Vec<Inside>,
    rules: Vec<Vec<Rule>>,
    /// New rules that have not seen earlier members of their node: all of them, or a given set.
    late: Vec<(Node, Rule, Option<Set>)>,
    copyings: Vec<Copying>,
    copied: HashSet<CopiedPart, Quick>,
    addresses: HashMap<CellId, Node, Quick>,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(program: &'a Program) -> Analysis<'a> {
        Analysis {
            program,
            graph: Graph::default(),
            memory: Memory::default(),
            calls: Calls::default(),
            objects: HashMap::new(),
            contents: Vec::new(),
            insides: Vec::new(),
            rules: Vec::new(),
            late: Vec::new(),
            copyings: Vec::new(),
            copied: HashSet::default(),
            addresses: HashMap::default(),
        }
    }

    /// The object with a name and no known size.
    pub(super) fn object(&mut self, object: Object) -> ObjectId {
        let global = match object {
            Object::Global(id) => self.program.globals.get(id.0 as usize),
            _ => None,
        };
        self.sized_object(object, global.map_or(0, |global| global.size))
    }

    /// The object with a name and a size, 0 if unknown.
    pub(super) fn sized_object(&mut self, object: Object, size: u64) -> ObjectId {
        if let Some(&known) = self.objects.get(&(object, size)) {
            return known;
        }
        let made = self.memory.object(object, size);
        self.objects.insert((object, size), made);
        made
    }

    /// The start of an object.
    pub(super) fn start(&mut self, object: Object) -> CellId {
        let object = self.object(object);
        self.memory.at(object, 0)
    }

    /// The nodes of a cell; `None` if it never holds an address.
    pub(super) fn content(&mut self, cell: CellId) -> Option<Content> {
        let cell = self.memory.canonical(cell);
        if let Some(Some(known)) = self.contents.get(cell.0 as usize) {
            return Some(*known);
        }
        let object = self.memory.owner(cell);
        if !self.memory.item(object).holds {
            return None;
        }
        let written = self.graph.node();
        let read = self.graph.node();
        self.graph.flow(written, read);
        let content = Content { written, read };
        if self.contents.len() <= cell.0 as usize {
            self.contents.resize(cell.0 as usize + 1, None);
        }
        self.contents[cell.0 as usize] = Some(content);
        self.join(object, cell, content);
        Some(content)
    }

    /// Connects a new cell with overlapping ones and with copies.
    fn join(&mut self, object: ObjectId, cell: CellId, content: Content) {
        let is_single = self.memory.cells[cell.0 as usize].stride == 0;
        let inside = self.inside(object);
        let mut others = inside.strided.clone();
        match is_single {
            true => inside.single.push(cell),
            false => {
                others.extend(&inside.single);
                inside.strided.push(cell);
            }
        }
        let copied = inside.copied.clone();
        for other in others {
            let Some(known) = self.contents[other.0 as usize] else { continue };
            if self.memory.overlap(cell, other) {
                self.graph.flow(content.written, known.read);
                self.graph.flow(known.written, content.read);
            }
        }
        for part in copied {
            self.copy_part(part, cell);
        }
    }

    pub(super) fn inside(&mut self, object: ObjectId) -> &mut Inside {
        let index = object.0 as usize;
        if self.insides.len() <= index {
            self.insides.resize_with(index + 1, Inside::default);
        }
        &mut self.insides[index]
    }

    /// The node of a value.
    pub(super) fn node_of(&mut self, value: Value) -> Option<Node> {
        match value {
            Value::Nothing => None,
            Value::Node(node) => Some(node),
            Value::Cell(cell) => Some(match self.addresses.get(&cell) {
                Some(known) => *known,
                None => {
                    let node = self.graph.node();
                    self.graph.insert(node, self.memory.canonical(cell).0);
                    self.addresses.insert(cell, node);
                    node
                }
            }),
        }
    }

    /// Lets the addresses of a value flow to a node.
    pub(super) fn flow(&mut self, from: Value, to: Node) {
        match from {
            Value::Nothing => {}
            Value::Cell(cell) => self.graph.insert(to, self.memory.canonical(cell).0),
            Value::Node(from) => self.graph.flow(from, to),
        }
    }

    /// The union of several values.
    pub(super) fn any_of(&mut self, values: &[Value]) -> Value {
        let mut present = values.iter().filter(|value| **value != Value::Nothing);
        let Some(&first) = present.next() else { return Value::Nothing };
        if present.all(|value| *value == first) {
            return first;
        }
        let node = self.graph.node();
        for value in values {
            self.flow(*value, node);
        }
        Value::Node(node)
    }

    /// Loads through a pointer into a node.
    pub(super) fn load(&mut self, pointer: Value, read: Read, to: Node) {
        match pointer {
            Value::Nothing => {}
            Value::Cell(cell) => self.load_cell(cell, read, to),
            Value::Node(node) => {
                let hub = self.load_hub(node, read);
                self.graph.flow(hub, to);
            }
        }
    }

    /// The value loaded through a pointer. Equal loads share a node.
    pub(super) fn loaded(&mut self, pointer: Value, read: Read) -> Value {
        match pointer {
            Value::Nothing => Value::Nothing,
            Value::Cell(cell) if read.size <= POINTER => match self.can_load(cell, read) {
                true => self.content(cell).map_or(Value::Nothing, |it| Value::Node(it.read)),
                false => Value::Nothing,
            },
            Value::Cell(cell) => {
                let to = self.graph.node();
                self.load_cell(cell, read, to);
                Value::Node(to)
            }
            Value::Node(node) => Value::Node(self.load_hub(node, read)),
        }
    }

    /// Stores a value through a pointer.
    pub(super) fn store(&mut self, pointer: Value, value: Value, size: u64) {
        match (pointer, value) {
            (Value::Nothing, _) | (_, Value::Nothing) => {}
            (Value::Cell(cell), _) => self.store_cell(cell, value, size),
            (Value::Node(node), _) => {
                if let Some(from) = self.node_of(value) {
                    let hub = self.store_hub(node, size);
                    self.graph.flow(from, hub);
                }
            }
        }
    }

    /// A step from an address.
    pub(super) fn step(&mut self, from: Value, step: Step) -> Value {
        if step == Step::by(0) {
            return from;
        }
        match from {
            Value::Nothing => Value::Nothing,
            Value::Cell(cell) => {
                let mut cells = Vec::new();
                self.memory.step(cell, &step, &mut cells);
                let cells: Vec<Value> = cells.into_iter().map(Value::Cell).collect();
                self.any_of(&cells)
            }
            Value::Node(node) => Value::Node(self.step_hub(node, step)),
        }
    }

    /// Bytes copied from one address to another.
    pub(super) fn copy(&mut self, to: Value, from: Value, size: Option<u64>) {
        let size = size.unwrap_or(u64::MAX);
        if size < POINTER {
            return;
        }
        match (to, from) {
            (Value::Nothing, _) | (_, Value::Nothing) => {}
            (Value::Cell(to), Value::Cell(from)) => self.copy_cell(CopiedPart { to, from, size }),
            _ => {
                let (Some(to), Some(from)) = (self.node_of(to), self.node_of(from)) else { return };
                self.copyings.push(Copying { to, from, size, meeting: None });
                self.add_rule(to, Rule::CopyTo(self.copyings.len() - 1));
                self.add_rule(from, Rule::CopyFrom(self.copyings.len() - 1));
            }
        }
    }

    /// Lets a call call the functions that a value points to.
    pub(super) fn call_through(&mut self, value: Value, call: usize) {
        match value {
            Value::Nothing => {}
            Value::Cell(cell) => self.call_all(&std::iter::once(cell.0).collect(), call),
            Value::Node(node) => self.add_rule(node, Rule::Call(call)),
        }
    }

    /// Lets external code reach a value.
    pub(super) fn escape(&mut self, value: Value) {
        let outside = self.start(Object::Outside);
        if let Some(content) = self.content(outside) {
            self.flow(value, content.written);
        }
    }

    /// Adds the rules for escaped values.
    pub(super) fn watch_outside(&mut self) {
        let outside = self.start(Object::Outside);
        if let Some(content) = self.content(outside) {
            self.graph.insert(content.written, outside.0);
            self.add_rule(content.written, Rule::Escape);
        }
    }

    /// The values that external code may pass on.
    pub(super) fn escaped(&mut self) -> Value {
        let outside = self.start(Object::Outside);
        self.content(outside).map_or(Value::Nothing, |content| Value::Node(content.read))
    }

    /// A hub for all equal loads through a node, so that a new cell is processed once, not once for
    /// each of them.
    fn load_hub(&mut self, node: Node, read: Read) -> Node {
        let known = |rule: &Rule| match *rule {
            Rule::Load { to, read: same } if read == same => Some(to),
            _ => None,
        };
        self.hub(node, known, |to| Rule::Load { to, read })
    }

    /// The same for equal steps.
    fn step_hub(&mut self, node: Node, step: Step) -> Node {
        let known = |rule: &Rule| match *rule {
            Rule::Step { to, step: same } if step == same => Some(to),
            _ => None,
        };
        self.hub(node, known, |to| Rule::Step { to, step })
    }

    /// The same for equal stores.
    fn store_hub(&mut self, node: Node, size: u64) -> Node {
        let known = |rule: &Rule| match *rule {
            Rule::Store { from, size: same } if size == same => Some(from),
            _ => None,
        };
        self.hub(node, known, |from| Rule::Store { from, size })
    }

    fn hub(
        &mut self,
        node: Node,
        known: impl Fn(&Rule) -> Option<Node>,
        rule: impl Fn(Node) -> Rule,
    ) -> Node {
        let node = self.graph.find(node);
        if let Some(hub) = self.rules_of(node).iter().find_map(known) {
            return hub;
        }
        let hub = self.graph.node();
        self.add_rule(node, rule(hub));
        hub
    }

    fn add_rule(&mut self, node: Node, rule: Rule) {
        let node = self.graph.find(node);
        self.rules_of(node).push(rule);
        self.graph.watch(node);
        if !self.graph.set(node).is_empty() {
            self.late.push((node, rule, None));
        }
    }

    fn rules_of(&mut self, node: Node) -> &mut Vec<Rule> {
        if self.rules.len() <= node.0 as usize {
            self.rules.resize(node.0 as usize + 1, Vec::new());
        }
        &mut self.rules[node.0 as usize]
    }

    /// Attaches a rule to an equal rule of the node, if there is one.
    fn joins(&mut self, node: Node, rule: Rule) -> bool {
        let known = self.rules_of(node).iter().find_map(|known| match (*known, rule) {
            (Rule::Load { to: hub, read }, Rule::Load { to, read: same }) if read == same => {
                Some((hub, to))
            }
            (Rule::Step { to: hub, step }, Rule::Step { to, step: same }) if step == same => {
                Some((hub, to))
            }
            (Rule::Store { from: hub, size }, Rule::Store { from, size: same }) if size == same => {
                Some((from, hub))
            }
            _ => None,
        });
        if let Some((from, to)) = known {
            self.graph.flow(from, to);
        }
        known.is_some()
    }

    /// Applies all rules until a fixpoint.
    pub(super) fn solve(&mut self) {
        loop {
            let Wave { heard, mergers, grown } = self.graph.wave();
            for merger in &mergers {
                self.take_over(merger);
            }
            let is_quiet = heard.is_empty() && self.late.is_empty();
            for heard in heard {
                self.hear(heard.node, &heard.fresh);
            }
            while let Some((node, rule, missing)) = self.late.pop() {
                let set = missing.unwrap_or_else(|| self.graph.set(node).clone());
                let needed = self.needed(node, &set);
                self.apply_to(rule, &set, needed.as_ref());
            }
            if !self.pool(&grown) && is_quiet {
                break;
            }
        }
    }

    /// Moves the rules of a merged node to its representative.
    pub(super) fn take_over(&mut self, merger: &Merger) {
        let first = self.graph.find(merger.first);
        for rule in std::mem::take(self.rules_of(merger.other)) {
            if !self.joins(first, rule) {
                self.rules_of(first).push(rule);
                if !merger.missing.is_empty() {
                    self.late.push((first, rule, Some(merger.missing.clone())));
                }
            }
        }
    }

    fn hear(&mut self, node: Node, fresh: &Set) {
        let node = self.graph.find(node);
        let Some(rules) = self.rules.get_mut(node.0 as usize).map(std::mem::take) else { return };
        self.widen(node, fresh);
        let needed = self.needed(node, fresh);
        for rule in &rules {
            self.apply_to(*rule, fresh, needed.as_ref());
        }
        // Rules that were added meanwhile see all of the set on their own.
        let came = std::mem::replace(&mut self.rules[node.0 as usize], rules);
        self.rules[node.0 as usize].extend(came);
    }

    /// Adds a whole object to a node that gains many of its parts.
    fn widen(&mut self, node: Node, fresh: &Set) {
        if fresh.len() <= MOST_OF_ONE {
            return;
        }
        let cells = fresh.iter().map(|cell| self.memory.owner(CellId(cell)).0);
        let mut owners: Vec<u32> = cells.collect();
        owners.sort_unstable();
        let runs = owners.chunk_by(|one, other| one == other).filter(|run| run.len() > MOST_OF_ONE);
        for object in runs.map(|run| ObjectId(run[0])) {
            let all = self.memory.anywhere(object);
            self.graph.insert(node, all.0);
        }
    }

    /// Those of some cells in a set that no other one in it covers, if not all of them are:
    /// operations on a whole object include its parts.
    fn needed(&self, node: Node, cells: &Set) -> Option<Set> {
        let set = self.graph.set(node);
        let is_needed = |cell: &u32| !self.memory.is_covered(CellId(*cell), set);
        self.memory.has_all_of_one(set).then(|| cells.iter().filter(is_needed).collect())
    }

    fn apply_to(&mut self, rule: Rule, cells: &Set, needed: Option<&Set>) {
        match rule {
            Rule::Load { read: Read { is_number: true, .. }, .. } => self.apply(rule, cells),
            _ => self.apply(rule, needed.unwrap_or(cells)),
        }
    }

    fn apply(&mut self, rule: Rule, cells: &Set) {
        match rule {
            Rule::CopyTo(copying) => self.copy_all(copying, cells, None),
            Rule::CopyFrom(copying) => self.copy_all(copying, &Set::default(), Some(cells)),
            Rule::Step { to, step } => self.step_all(cells, &step, to),
            Rule::Call(call) => self.call_all(cells, call),
            _ => cells.iter().for_each(|cell| self.apply_one(rule, CellId(cell))),
        }
    }

    fn apply_one(&mut self, rule: Rule, cell: CellId) {
        match rule {
            Rule::Load { to, read } => self.load_cell(cell, read, to),
            Rule::Store { from, size } => self.store_cell(cell, Value::Node(from), size),
            Rule::Escape => self.let_out(cell),
            Rule::Step { .. } | Rule::CopyTo(_) | Rule::CopyFrom(_) | Rule::Call(_) => {}
        }
    }

    fn step_all(&mut self, cells: &Set, step: &Step, to: Node) {
        let mut found = Vec::new();
        for cell in cells.iter() {
            self.memory.step(CellId(cell), step, &mut found);
        }
        found.sort_unstable();
        self.graph.add(to, &found.into_iter().map(|cell| cell.0).collect());
    }

    fn load_cell(&mut self, cell: CellId, read: Read, to: Node) {
        let cell = self.memory.canonical(cell);
        if !self.can_load(cell, read) {
            return;
        }
        for part in self.parts(cell, read.size) {
            if let Some(content) = self.content(part) {
                self.graph.flow(content.read, to);
            }
        }
    }

    fn can_load(&self, cell: CellId, read: Read) -> bool {
        let Cell { object, stride, .. } = self.memory.cells[self.memory.canonical(cell).0 as usize];
        // In a pool parts cannot be distinguished.
        let is_pool = matches!(object, Object::Pool(_));
        !read.is_number || is_pool || stride.is_multiple_of(POINTER)
    }

    fn store_cell(&mut self, cell: CellId, value: Value, size: u64) {
        for part in self.parts(cell, size) {
            if let Some(content) = self.content(part) {
                self.flow(value, content.written);
            }
        }
    }

    /// The cells of an access that is wider than a pointer.
    fn parts(&mut self, cell: CellId, size: u64) -> Vec<CellId> {
        if size <= POINTER {
            return vec![cell];
        }
        let mut found = Vec::new();
        if size > MOST_PARTS {
            let step = Step { extent: Some(size), inwards: true, ..Step::ANYWHERE };
            self.memory.step(cell, &step, &mut found);
            return found;
        }
        for at in (0..size).step_by(POINTER as usize) {
            let step = Step { inwards: true, ..Step::by(at as i64) };
            self.memory.step(cell, &step, &mut found);
        }
        found
    }

    /// Copies to new cells from all, or to all cells from new ones.
    fn copy_all(&mut self, copying: usize, to: &Set, from: Option<&Set>) {
        let Copying { to: all_to, from: all_from, size, meeting } = self.copyings[copying];
        if meeting.is_some() {
            return;
        }
        let (to, from) = match from {
            Some(from) => (self.graph.set(all_to).clone(), from.clone()),
            None => (to.clone(), self.graph.set(all_from).clone()),
        };
        let pairs = self.graph.set(all_to).len() * self.graph.set(all_from).len();
        if pairs > MOST_PAIRS {
            return self.copy_meeting(copying);
        }
        for to in to.iter().map(CellId) {
            for from in from.iter().map(CellId) {
                self.copy_cell(CopiedPart { to, from, size });
            }
        }
    }

    /// Copies everything in each object to anywhere in each object, through a hub.
    fn copy_meeting(&mut self, copying: usize) {
        let Copying { to, from, meeting, .. } = self.copyings[copying];
        if meeting.is_some() {
            return;
        }
        let meeting = self.graph.node();
        self.copyings[copying].meeting = Some(meeting);
        let from = self.step(Value::Node(from), Step::ANYWHERE);
        self.load(from, Read::ADDRESS, meeting);
        let to = self.step(Value::Node(to), Step::ANYWHERE);
        self.store(to, Value::Node(meeting), POINTER);
    }

    pub(super) fn copy_cell(&mut self, part: CopiedPart) {
        let (to, from) = (self.memory.canonical(part.to), self.memory.canonical(part.from));
        let part = CopiedPart { to, from, ..part };
        if !self.copied.insert(part) || part.to == part.from {
            return;
        }
        let object = self.memory.owner(part.from);
        let inside = self.inside(object);
        inside.copied.push(part);
        let cells: Vec<CellId> = inside.single.iter().chain(&inside.strided).copied().collect();
        for cell in cells {
            self.copy_part(part, cell);
        }
    }

    /// Copies the contents of one cell of the source object.
    fn copy_part(&mut self, part: CopiedPart, cell: CellId) {
        let Some(step) = self.way_to(part, cell) else { return };
        let Some(from) = self.contents[cell.0 as usize] else { return };
        let mut found = Vec::new();
        self.memory.step(part.to, &step, &mut found);
        for to in found {
            if let Some(to) = self.content(to) {
                self.graph.flow(from.written, to.written);
            }
        }
    }

    /// The target of a cell in the copy; `None` if it is not copied.
    fn way_to(&self, part: CopiedPart, cell: CellId) -> Option<Step> {
        let from = &self.memory.cells[part.from.0 as usize];
        let cell = &self.memory.cells[cell.0 as usize];
        if !from.may_reach(part.size, cell) {
            return None;
        }
        let away = i128::from(cell.start) - i128::from(from.start);
        let stride = gcd(from.stride, cell.stride);
        if stride == 0 {
            return Some(Step { inwards: true, ..Step::by(away as i64) });
        }
        let offset = away.rem_euclid(i128::from(stride)) as i64;
        let is_once = stride >= part.size;
        let (stride, extent) = if is_once { (0, None) } else { (stride, Some(part.size)) };
        Some(Step { offset, stride, extent, inwards: true, ..Step::ANYWHERE })
    }

    /// Makes a cell reachable for external code.
    fn let_out(&mut self, cell: CellId) {
        let object = self.memory.owner(cell);
        if std::mem::replace(&mut self.inside(object).has_escaped, true) {
            return;
        }
        let item = self.memory.item(object);
        let is_constant = match item.object {
            Object::Function(function) => return self.call_from_outside(function),
            Object::Global(id) => {
                self.program.globals.get(id.0 as usize).is_some_and(|it| it.constant)
            }
            _ => false,
        };
        let all = self.memory.anywhere(object);
        let Some(content) = self.content(all) else { return };
        self.escape(Value::Node(content.read));
        let escaped = self.escaped();
        if !is_constant {
            self.flow(escaped, content.written);
        }
    }
}
