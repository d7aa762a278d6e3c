//! Objects that are too many to be kept apart become one, a pool.
//!
//! Programs that manage their memory themselves hand out the same memory for everything, and then
//! most pointers point to most objects. To say so pointer by pointer takes hours and tells nobody
//! anything. So as soon as one set has too many objects, they are one object from then on, without
//! parts: all that is in one of them can be read from each. Sets stay small, and as objects only ever
//! become fewer, there is an end to it. To merge the pointers instead would merge what has nothing
//! but a number in common; not to divide objects any further would cost all programs their fields.
//!
//! Constants without addresses, texts for the most part, have pools of their own: a pointer to any of
//! a thousand messages still points to nothing that changes.

use super::{
    cell::{CellId, ObjectId},
    constraint::Analysis,
    graph::Node,
};

impl Analysis<'_> {
    /// Makes the objects one that are too many for a set; says whether there were any.
    pub(super) fn pool(&mut self, grown: &[Node]) -> bool {
        let mut pooled = Vec::new();
        for node in grown {
            let objects = self.memory.too_many(self.graph.set(*node));
            if !objects.is_empty() {
                pooled.extend(self.memory.merge(objects));
            }
        }
        if pooled.is_empty() {
            return false;
        }
        for object in pooled {
            self.absorb(object);
        }
        let memory = &self.memory;
        self.graph.replace(&memory.pooled, |cell| memory.canonical(CellId(cell)).0);
        true
    }

    /// Makes what is in an object what is in the pool that it has become part of. What has been let
    /// out with it needs no word: the pool takes its place among what escaped.
    fn absorb(&mut self, object: ObjectId) {
        let pool = self.memory.anywhere(object);
        let Some(pool) = self.content(pool) else { return };
        self.unite(pool.written, pool.read);
        for cell in self.memory.item(object).cells.clone() {
            let content = self.contents.get_mut(cell.0 as usize).and_then(Option::take);
            if let Some(content) = content {
                self.unite(pool.written, content.written);
                self.unite(pool.written, content.read);
            }
        }
        for part in std::mem::take(&mut self.inside(object).copied) {
            self.copy_cell(part);
        }
    }

    fn unite(&mut self, first: Node, other: Node) {
        if let Some(merger) = self.graph.unite(first, other) {
            self.take_over(&merger);
        }
    }
}
