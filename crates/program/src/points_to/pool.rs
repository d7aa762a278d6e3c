//! Pools: objects that are too many to be kept apart are merged.
//!
//! Programs that manage their memory themselves hand out the same memory for everything, and then
//! most pointers point to most objects. To list them for each pointer takes hours and gives no
//! information. So as soon as one set has too many objects, they are one object from then on,
//! without parts: a value in one of them can be read from each. Sets stay small, and as objects
//! only ever become fewer, this terminates. Merging the pointers instead would merge pointers that
//! have only the number of targets in common; dropping fields would cost all programs precision.
//!
//! Constants without addresses, mostly texts, have pools of their own: a pointer to any of a
//! thousand messages still points to nothing that changes.

use super::{
    cell::{CellId, ObjectId},
    constraint::Analysis,
    graph::Node,
};

impl Analysis<'_> {
    /// Merges objects that are too many for a set; returns whether there were any.
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

    /// Merges the contents of an object into its pool. Escaped objects need no update: the pool
    /// replaces them among the escaped ones.
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
