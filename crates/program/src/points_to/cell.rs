//! Parts of objects: the targets of pointers, and the steps between them.
//!
//! A cell is a set of places in one object: one offset, or every so many bytes from one offset on
//! (the field `next` in each element of an array). Cells of one object may overlap. They are not
//! merged as long as their object is not pooled: an address that steps through an array is a cell
//! of its own, beside those of the elements that are named one by one. A store through one cell is
//! seen by loads through all overlapping ones, which keeps the fields of an array's elements apart
//! and makes a `char *` that walks over an object harmless for the pointers in it.

use std::collections::HashMap;

use super::{
    flow::POINTER,
    set::{Mask, Quick, Set},
};
use crate::model::{FunctionId, GlobalId, SiteId};

/// A part of an object, by its position among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// An object with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A local variable, by the instruction that makes it.
    Local(SiteId),
    /// Memory that a call allocates.
    Heap(SiteId),
    /// The arguments that the callers of a function pass beyond the named ones.
    Variadic(FunctionId),
    /// Memory that a library function owns and returns: `errno`, the structure of `localtime`.
    Library(FunctionId),
    /// The arguments and the environment of the program, with their texts.
    Arguments,
    /// All other memory of library code and the environment.
    Outside,
    /// Too many objects to be kept apart, merged. Its members have its only cell instead of cells
    /// of their own.
    Pool(u32),
}

impl Object {
    /// Whether it may become part of a pool: functions have to stay distinct for calls, and there
    /// are few objects that are not the program's own.
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
    /// The end of the range of places, exclusive.
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

/// An address computation relative to another address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The constant part.
    pub(super) offset: i64,
    /// The stride of an unknown multiple; 0 for none.
    pub(super) stride: u64,
    /// The greatest distance of the result from the base, in bytes.
    pub(super) extent: Option<u64>,
    /// Whether it selects a part of the base's object, by its type.
    pub(super) inwards: bool,
    /// If it does not, the size of its elements.
    pub(super) unit: u64,
}

impl Step {
    /// To anywhere in the same object.
    pub(super) const ANYWHERE: Step =
        Step { offset: 0, stride: 1, extent: None, inwards: false, unit: 8 };

    /// By a known number of bytes.
    pub(super) fn by(offset: i64) -> Step {
        Step { offset, stride: 0, extent: None, inwards: false, unit: 8 }
    }
}

/// An object, by its position among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(pub(super) u32);

/// The state of an object.
pub(super) struct Item {
    pub(super) object: Object,
    /// Its size in bytes; 0 if unknown.
    size: u64,
    /// Whether it is external and has no parts.
    is_whole: bool,
    /// Whether it can hold pointers.
    pub(super) holds: bool,
    /// Whether it is constant and holds none.
    is_constant: bool,
    /// Its cells.
    pub(super) cells: Vec<CellId>,
    /// The cell for the whole object, if there is one.
    all: Option<CellId>,
    /// Limit on its cells.
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
    /// The cells of objects that are part of one.
    pub(super) pooled: Mask,
    /// The cells of pools.
    pools: Mask,
    /// The cells of functions.
    pub(super) functions: Mask,
    /// The cells for whole objects that also have others.
    alls: Mask,
    pool_count: u32,
}

/// Limit on separate cells of one object.
const MOST_CELLS: usize = 192;

/// Limit on separate objects in one set.
const MOST_OBJECTS: usize = 128;

/// A set with at most so many cells of them is exempt, which is quicker to check.
const FEW_CELLS: usize = 256;

/// The same limit for a set that has a pool already: such a set says little, and where there is one
/// such pointer there are thousands.
const MOST_BESIDE_POOL: usize = 8;

/// Elements from the start that keep separate cells for a pointer that is advanced.
const FAR: u64 = 4;

/// The same for byte pointers.
const FAR_BYTES: u64 = 256;

/// Limit on separate elements of an inner array.
const MOST_INNER: u64 = 16;

impl Memory {
    /// A new object of `size` bytes; 0 if unknown.
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

    /// Marks an object as constant and without pointers.
    pub(super) fn never_changes(&mut self, object: ObjectId) {
        let item = &mut self.items[object.0 as usize];
        (item.is_constant, item.holds) = (true, false);
    }

    /// Reserves cells that are named before anything is computed.
    pub(super) fn expect(&mut self, object: ObjectId, cells: usize) {
        self.items[object.0 as usize].limit += cells;
    }

    pub(super) fn item(&self, object: ObjectId) -> &Item {
        &self.items[object.0 as usize]
    }

    pub(super) fn owner(&self, cell: CellId) -> ObjectId {
        self.pool(self.owners[cell.0 as usize])
    }

    /// The pool of an object; itself if there is none.
    fn pool(&self, mut object: ObjectId) -> ObjectId {
        while let Some(pool) = self.items[object.0 as usize].pool {
            object = pool;
        }
        object
    }

    /// The representative of a cell: that of the pool of its object.
    pub(super) fn canonical(&self, cell: CellId) -> CellId {
        match self.pooled.contains(cell.0) {
            true => self.item(self.owner(cell)).all.unwrap_or(cell),
            false => cell,
        }
    }

    /// The objects in a set that are to be merged: the writable or the constant ones, whichever are
    /// too many; none if neither are.
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

    /// Merges objects into one, and returns the absorbed ones.
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

    /// The cell for a whole object.
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

    /// Whether a set has a cell for a whole object that also has others.
    pub(super) fn has_all_of_one(&self, set: &Set) -> bool {
        set.meets(&self.alls)
    }

    /// Whether the cell of a whole object in a set covers a cell.
    pub(super) fn is_covered(&self, cell: CellId, set: &Set) -> bool {
        let all = self.item(self.owner(cell)).all;
        all.is_some_and(|all| all != cell && set.contains(all.0))
    }

    /// The targets of a step from a cell.
    pub(super) fn step(&mut self, from: CellId, step: &Step, out: &mut Vec<CellId>) {
        let object = self.owner(from);
        let item = self.item(object);
        if item.is_whole {
            // A function without parts is here only by imprecision.
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

    /// Whether a step may advance a pointer through an array: steps by single bytes do, unless they
    /// are as long as fields are, and so do all that do not start at one of the first elements.
    /// Otherwise a pointer that is advanced in a loop would pass each place.
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
            // An object without such a part is here only by imprecision.
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

    /// The targets of an index that stays in an array of known size.
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

    /// A cell, or the one for the whole object if there are too many.
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
