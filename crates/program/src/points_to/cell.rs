//! Parts of objects: what a pointer can point to, and how far one part is from another.
//!
//! A cell is a set of places in one object: one offset, or every so many bytes from one offset on
//! (the field `next` in each element of an array). Cells of one object may overlap. They are not
//! merged as long as their object is one of its own: an address that steps through an array is a cell of its own, beside those of the elements
//! that are named one by one. What is stored through one is read through all that overlap it, which
//! keeps the fields of an array's elements apart and makes a `char *` that walks over an object
//! harmless for the pointers in it.

use std::collections::HashMap;

use super::{
    flow::POINTER,
    set::{Mask, Quick, Set},
};
use crate::model::{FunctionId, GlobalId, SiteId};

/// A part of an object, by its position among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// What has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A local variable, by the instruction that makes it.
    Local(SiteId),
    /// What a call allocates.
    Heap(SiteId),
    /// The arguments that the callers of a function pass beyond the named ones.
    Variadic(FunctionId),
    /// What a library function owns and gives out: `errno`, the structure of `localtime`.
    Library(FunctionId),
    /// The arguments and the environment of the program, with their texts.
    Arguments,
    /// Whatever else library code and the environment own.
    Outside,
    /// Objects that are too many to be kept apart, as one. What is part of it has its only cell
    /// instead of cells of its own.
    Pool(u32),
}

impl Object {
    /// Whether it may become part of a pool: functions have to be told apart by those who call them,
    /// and of what is not the program's own there is little.
    fn can_be_pooled(self) -> bool {
        use Object::{Global, Heap, Local, Pool, Variadic};
        matches!(self, Global(_) | Local(_) | Heap(_) | Variadic(_) | Pool(_))
    }
}

/// Places in an object: `start`, and if it has a stride, every `stride` bytes again before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The object.
    pub object: Object,
    /// The first place, in bytes from the start of the object.
    pub start: u64,
    /// The bytes from one place to the next; 0 if there is one place only, 1 if it can be anywhere.
    pub stride: u64,
    /// No place is here or behind.
    pub end: u64,
}

impl Cell {
    /// The only place of the cell, if it has only one.
    pub fn offset(&self) -> Option<u64> {
        (self.stride == 0).then_some(self.start)
    }

    /// Whether an access of `size` bytes at a place of this cell may reach a place of the other.
    pub fn may_reach(&self, size: u64, other: &Cell) -> bool {
        let last = self.end.saturating_add(size.saturating_sub(1));
        let in_range = other.start < last && self.start < other.end;
        let away = match gcd(self.stride, other.stride) {
            0 => i128::from(other.start) - i128::from(self.start),
            step => (i128::from(other.start) - i128::from(self.start)).rem_euclid(i128::from(step)),
        };
        self.object == other.object && in_range && (0..i128::from(size.max(1))).contains(&away)
    }
}

/// How an address is computed from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// What is added.
    pub(super) offset: i64,
    /// What is added some number of times that is not known; 0 for nothing.
    pub(super) stride: u64,
    /// How many bytes after the base the result lies at most.
    pub(super) extent: Option<u64>,
    /// Whether it goes to a part of what the base is the address of, by its type.
    pub(super) inwards: bool,
    /// If it does not, the bytes of what it counts.
    pub(super) unit: u64,
}

impl Step {
    /// To anywhere in the same object.
    pub(super) const ANYWHERE: Step =
        Step { offset: 0, stride: 1, extent: None, inwards: false, unit: 8 };

    /// By a number of bytes that is known.
    pub(super) fn by(offset: i64) -> Step {
        Step { offset, stride: 0, extent: None, inwards: false, unit: 8 }
    }
}

/// An object, by its position among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(pub(super) u32);

/// What is known of an object.
pub(super) struct Item {
    pub(super) object: Object,
    /// Its bytes, as far as they are known.
    size: u64,
    /// Whether it is too foreign to have parts.
    is_whole: bool,
    /// Whether there can be pointers in it.
    pub(super) holds: bool,
    /// Whether it never changes, and there are none.
    is_constant: bool,
    /// Its cells.
    pub(super) cells: Vec<CellId>,
    /// The cell that is all of it, if somebody asked for it.
    all: Option<CellId>,
    /// How many cells it may have.
    limit: usize,
    /// The pool that it is part of.
    pool: Option<ObjectId>,
}

/// All objects and their cells.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) items: Vec<Item>,
    pub(super) cells: Vec<Cell>,
    owners: Vec<ObjectId>,
    known: HashMap<(u32, u64, u64, u64), CellId, Quick>,
    /// The cells of objects that can become part of a pool.
    poolable: Mask,
    /// The cells of objects that are.
    pub(super) pooled: Mask,
    /// The cells of pools.
    pools: Mask,
    /// The cells of functions.
    pub(super) functions: Mask,
    /// The cells that are all of an object which has others.
    alls: Mask,
    pool_count: u32,
}

/// More cells than that in an object are not kept apart.
const MOST_CELLS: usize = 192;

/// More objects than that in one set are not kept apart.
const MOST_OBJECTS: usize = 128;

/// Unless there are only so many cells of them, which is quicker to find out.
const FEW_CELLS: usize = 256;

/// The same for a set that has a pool already: what may point anywhere in that says little, and
/// where there is one such pointer there are thousands.
const MOST_BESIDE_POOL: usize = 8;

/// How many elements from the start a pointer that is advanced still has places of its own.
const FAR: u64 = 4;

/// The same for one that counts bytes.
const FAR_BYTES: u64 = 256;

/// An inner array of an outer one keeps its elements apart up to that many.
const MOST_INNER: u64 = 16;

impl Memory {
    /// A new object of `size` bytes; 0 if nobody knows.
    pub(super) fn object(&mut self, object: Object, size: u64) -> ObjectId {
        let is_whole = !matches!(object, Object::Global(_) | Object::Local(_) | Object::Heap(_));
        let size = if size == 0 || is_whole { u64::MAX } else { size };
        let holds = !matches!(object, Object::Function(_)) && size >= POINTER;
        let item = Item {
            object,
            size,
            is_whole,
            holds,
            is_constant: false,
            cells: Vec::new(),
            all: None,
            limit: MOST_CELLS,
            pool: None,
        };
        self.items.push(item);
        ObjectId(self.items.len() as u32 - 1)
    }

    /// Says that an object never changes and that there are no pointers in it.
    pub(super) fn never_changes(&mut self, object: ObjectId) {
        let item = &mut self.items[object.0 as usize];
        (item.is_constant, item.holds) = (true, false);
    }

    /// Makes room for cells that are named before anything is computed.
    pub(super) fn expect(&mut self, object: ObjectId, cells: usize) {
        self.items[object.0 as usize].limit += cells;
    }

    pub(super) fn item(&self, object: ObjectId) -> &Item {
        &self.items[object.0 as usize]
    }

    pub(super) fn owner(&self, cell: CellId) -> ObjectId {
        self.pool(self.owners[cell.0 as usize])
    }

    /// The pool that an object is part of; itself if there is none.
    fn pool(&self, mut object: ObjectId) -> ObjectId {
        while let Some(pool) = self.items[object.0 as usize].pool {
            object = pool;
        }
        object
    }

    /// The cell that stands for a cell: that of the pool that its object is part of.
    pub(super) fn canonical(&self, cell: CellId) -> CellId {
        match self.pooled.contains(cell.0) {
            true => self.item(self.owner(cell)).all.unwrap_or(cell),
            false => cell,
        }
    }

    /// The objects in a set that are to become one: those that change or those that do not, whichever
    /// are too many; none if neither are.
    pub(super) fn too_many(&self, set: &Set) -> Vec<ObjectId> {
        let cells = set.count(&self.poolable);
        let has_pool = cells > MOST_BESIDE_POOL && set.count(&self.pools) > 0;
        if cells <= FEW_CELLS && !has_pool {
            return Vec::new();
        }
        let cells = set.iter().filter(|cell| self.poolable.contains(*cell));
        let mut objects: Vec<ObjectId> = cells.map(|cell| self.owner(CellId(cell))).collect();
        objects.sort_unstable();
        objects.dedup();
        let (constant, other): (Vec<_>, Vec<_>) =
            objects.into_iter().partition(|object| self.item(*object).is_constant);
        let too_many = [other, constant].into_iter().find(|objects| {
            let has_pool = objects.iter().any(|object| self.is_pool(*object));
            objects.len() > if has_pool { MOST_BESIDE_POOL } else { MOST_OBJECTS }
        });
        too_many.unwrap_or_default()
    }

    /// Makes objects one, and says which ones it took in.
    pub(super) fn merge(&mut self, mut objects: Vec<ObjectId>) -> Vec<ObjectId> {
        let known = objects.iter().position(|object| self.is_pool(*object));
        let pool = match known {
            Some(known) => objects.remove(known),
            None => self.new_pool(&objects),
        };
        for object in &objects {
            self.items[object.0 as usize].pool = Some(pool);
            for cell in &self.items[object.0 as usize].cells {
                self.poolable.remove(cell.0);
                self.pooled.insert(cell.0);
            }
        }
        objects
    }

    fn new_pool(&mut self, objects: &[ObjectId]) -> ObjectId {
        let pool = self.object(Object::Pool(self.pool_count), 0);
        self.pool_count += 1;
        if objects.iter().all(|object| self.item(*object).is_constant) {
            self.never_changes(pool);
        }
        let all = self.anywhere(pool);
        self.pools.insert(all.0);
        pool
    }

    fn is_pool(&self, object: ObjectId) -> bool {
        matches!(self.item(object).object, Object::Pool(_))
    }

    /// The cell at an offset of an object.
    pub(super) fn at(&mut self, object: ObjectId, offset: u64) -> CellId {
        let object = self.pool(object);
        match self.item(object).is_whole {
            true => self.anywhere(object),
            false => self.cell(object, offset, 0, offset.saturating_add(1)),
        }
    }

    /// The cell that is all of an object.
    pub(super) fn anywhere(&mut self, object: ObjectId) -> CellId {
        let object = self.pool(object);
        let item = self.item(object);
        if let Some(all) = item.all {
            return all;
        }
        let all = self.known_cell(object, 0, 1, item.size);
        let item = &mut self.items[object.0 as usize];
        item.all = Some(all);
        if !item.is_whole {
            self.alls.insert(all.0);
        }
        all
    }

    /// Whether a set has a cell that is all of an object which has others.
    pub(super) fn has_all_of_one(&self, set: &Set) -> bool {
        set.meets(&self.alls)
    }

    /// Whether a cell is part of one that is in a set, that of its whole object.
    pub(super) fn is_covered(&self, cell: CellId, set: &Set) -> bool {
        let all = self.item(self.owner(cell)).all;
        all.is_some_and(|all| all != cell && set.contains(all.0))
    }

    /// Where a step from a cell leads.
    pub(super) fn step(&mut self, from: CellId, step: &Step, out: &mut Vec<CellId>) {
        let object = self.owner(from);
        let item = self.item(object);
        if item.is_whole {
            // A function without parts is here by imprecision only.
            let has_parts = !step.inwards || !matches!(item.object, Object::Function(_));
            out.extend(has_parts.then(|| self.canonical(from)));
        } else if step.stride == 0 {
            out.extend(match self.runs_on(from, step) {
                true => Some(self.strided(from, step.offset, step.unit)),
                false => self.moved(from, step.offset, step.inwards),
            });
        } else if let Some(extent) = step.extent {
            self.spread(from, step, extent, out);
        } else {
            out.push(self.strided(from, step.offset, step.stride));
        }
    }

    /// Whether a step is one of a pointer that may be on its way through an array: those of single
    /// bytes are, unless they are as long as fields are, and so are all that do not start at one of
    /// the first elements. Otherwise a pointer that is advanced in a loop would pass each place.
    fn runs_on(&self, from: CellId, step: &Step) -> bool {
        let start = self.cells[from.0 as usize].start;
        let is_far = start > step.unit.saturating_mul(if step.unit == 1 { FAR_BYTES } else { FAR });
        !step.inwards && step.offset != 0 && (is_far || step.unit == 1 && step.offset % 4 != 0)
    }

    fn moved(&mut self, from: CellId, by: i64, inwards: bool) -> Option<CellId> {
        let object = self.owner(from);
        let (cell, size) = (self.cells[from.0 as usize], self.item(object).size);
        if by == 0 || (cell.stride != 0 && i128::from(by) % i128::from(cell.stride) == 0) {
            return Some(from);
        }
        let start = i128::from(cell.start) + i128::from(by);
        if cell.stride != 0 && !(0..i128::from(cell.end)).contains(&start) {
            let start = start.rem_euclid(i128::from(cell.stride)) as u64;
            return Some(self.cell(object, start, cell.stride, size));
        }
        match u64::try_from(start) {
            // An object without such a part is here by imprecision only.
            Ok(start) if start > size && inwards => None,
            Ok(start) if start <= size && cell.stride == 0 => Some(self.at(object, start)),
            Ok(start) if start <= size => Some(self.cell(object, start, cell.stride, cell.end)),
            _ => Some(self.anywhere(object)),
        }
    }

    fn strided(&mut self, from: CellId, by: i64, stride: u64) -> CellId {
        let object = self.owner(from);
        let (cell, size) = (self.cells[from.0 as usize], self.item(object).size);
        let stays = |by: i128| cell.stride != 0 && by % i128::from(cell.stride) == 0;
        if stays(stride.into()) && stays(by.into()) {
            return from;
        }
        let stride = gcd(cell.stride, stride);
        let start = (i128::from(cell.start) + i128::from(by)).rem_euclid(i128::from(stride));
        self.cell(object, start as u64, stride, size)
    }

    /// Where an index leads that stays in an array of known size.
    fn spread(&mut self, from: CellId, step: &Step, extent: u64, out: &mut Vec<CellId>) {
        let object = self.owner(from);
        let (cell, size) = (self.cells[from.0 as usize], self.item(object).size);
        let offset = u64::try_from(step.offset).unwrap_or(0);
        let length = extent.saturating_sub(offset);
        if cell.stride == 0 {
            let start = cell.start.saturating_add(offset);
            let end = start.saturating_add(length).min(size);
            if start < end {
                out.push(self.cell(object, start, step.stride, end));
            }
        } else if step.stride < cell.stride && length.div_ceil(step.stride) <= MOST_INNER {
            let places = (offset..extent).step_by(step.stride as usize);
            for place in places {
                out.extend(self.moved(from, place as i64, true));
            }
        } else {
            out.push(self.strided(from, step.offset, step.stride));
        }
    }

    /// A cell, or the one for all of the object if there are too many.
    fn cell(&mut self, object: ObjectId, start: u64, stride: u64, end: u64) -> CellId {
        let is_known = self.known.contains_key(&(object.0, start, stride, end));
        let item = self.item(object);
        let is_full = item.cells.len() >= item.limit;
        if !is_known && (is_full || (start, stride, end) == (0, 1, item.size)) {
            return self.anywhere(object);
        }
        self.known_cell(object, start, stride, end)
    }

    fn known_cell(&mut self, object: ObjectId, start: u64, stride: u64, end: u64) -> CellId {
        let next = CellId(self.cells.len() as u32);
        let key = (object.0, start, stride, end);
        let cell = *self.known.entry(key).or_insert(next);
        if cell == next {
            let item = &mut self.items[object.0 as usize];
            item.cells.push(cell);
            self.cells.push(Cell { object: item.object, start, stride, end });
            self.owners.push(object);
            match item.object {
                Object::Function(_) => self.functions.insert(cell.0),
                object if object.can_be_pooled() => self.poolable.insert(cell.0),
                _ => {}
            }
        }
        cell
    }

    /// Whether two cells of one object have a place in common.
    pub(super) fn overlap(&self, one: CellId, other: CellId) -> bool {
        self.cells[one.0 as usize].may_reach(1, &self.cells[other.0 as usize])
    }
}

pub(super) fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
