//! A change in the making: positions in two bodies.

use std::collections::HashMap;

use parallax_program::SiteId;

use crate::{
    change::{Cause, Kind, Lines},
    inside::body::{Body, Role},
    inside::flow::Target,
};

/// A change of a function that is in both versions. Instructions are positions in [`Body::code`].
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) old: Part,
    pub(crate) new: Part,
    pub(crate) cause: Cause,
}

/// The part of a change that is in one version.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The changed instructions.
    pub(crate) changed: Vec<usize>,
    /// Unchanged instructions on the same line as changed ones.
    pub(crate) beside: Vec<usize>,
    /// If there is nothing: the item after which there would be something, and the way on from it;
    /// without an item, at the start of the function.
    pub(crate) after: Option<(Option<usize>, usize)>,
}

impl Draft {
    /// A change of only these instructions.
    pub(crate) fn of(old: Vec<usize>, new: Vec<usize>, cause: Cause) -> Draft {
        let part = |changed| Part { changed, ..Part::default() };
        Draft { old: part(old), new: part(new), cause }
    }

    /// The kind of the change.
    pub(crate) fn kind(&self) -> Kind {
        match (self.old.is_empty(), self.new.is_empty()) {
            (true, false) => Kind::Added,
            (false, true) => Kind::Deleted,
            _ => Kind::Modified,
        }
    }

    /// Merges another change of the same lines.
    pub(crate) fn absorb(&mut self, other: Draft) {
        self.old.absorb(other.old);
        self.new.absorb(other.new);
        if other.cause == Cause::Code {
            self.cause = Cause::Code;
        }
    }
}

impl Part {
    /// Whether this version has nothing of the change.
    pub(crate) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.beside.is_empty()
    }

    fn absorb(&mut self, other: Part) {
        self.changed.extend(other.changed);
        self.beside.extend(other.beside);
        self.after = self.after.or(other.after);
    }

    /// The instructions that stand for the change, in order.
    pub(crate) fn code(&self) -> Vec<usize> {
        let code = if self.changed.is_empty() { &self.beside } else { &self.changed };
        let mut code = code.clone();
        code.sort_unstable();
        code.dedup();
        code
    }

    /// The same as ids of the program.
    pub(crate) fn sites(&self, body: &Body<'_>) -> Vec<SiteId> {
        self.code().into_iter().map(|code| body.code[code].instruction.site).collect()
    }

    /// The lines, of the file in which it starts.
    pub(crate) fn lines(&self, body: &Body<'_>) -> Option<Lines> {
        let all = || self.changed.iter().chain(&self.beside).copied();
        lines(body, all())
    }
}

/// The lines of some instructions, of the file that the first of them is in.
pub(crate) fn lines(body: &Body<'_>, code: impl Iterator<Item = usize>) -> Option<Lines> {
    let places: Vec<_> = code.filter_map(|code| body.code[code].place).collect();
    let file = places.first()?.file;
    let lines = || places.iter().filter(|place| place.file == file).map(|place| place.line);
    Some(Lines { file, first: lines().min()?, last: lines().max()? })
}

/// The predecessor of each item of a body, as far as it is in both versions.
pub(crate) struct Arrivals(HashMap<usize, (Option<usize>, usize)>);

impl Arrivals {
    /// Follows all ways, preferring the nearest item before each.
    pub(crate) fn of(body: &Body<'_>, partner: &dyn Fn(usize) -> Option<usize>) -> Arrivals {
        let mut arrivals = HashMap::new();
        if let Target::Item(first) = body.entry().target {
            arrivals.insert(first, (None, 0));
        }
        for item in (0..body.items.len()).filter(|&item| partner(item).is_some()) {
            for (way, flow) in body.flows(item).into_iter().enumerate() {
                let Target::Item(next) = flow.target else { continue };
                if next > item || !arrivals.contains_key(&next) {
                    arrivals.insert(next, (Some(item), way));
                }
            }
        }
        Arrivals(arrivals)
    }

    /// Where code that only `body` has would have run in the other version: right after its
    /// predecessor, or else before its successor.
    pub(crate) fn landing(
        &self,
        body: &Body<'_>,
        other: &Body<'_>,
        partner: &dyn Fn(usize) -> Option<usize>,
        part: &Part,
    ) -> Option<usize> {
        let first = part.code().first().copied()?;
        let item = match body.code[first].role {
            Role::Item(item) => Some(item),
            _ => None,
        };
        let after = item.and_then(|item| self.0.get(&item).copied()).or(part.after);
        let found = after.and_then(|(item, way)| match item {
            None => other.first_after(None, way),
            Some(item) => other.first_after(Some(partner(item)?), way),
        });
        found.or_else(|| {
            let later = body.items.partition_point(|item| item.code < first);
            let next = (later..body.items.len()).find_map(partner);
            next.map(|item| other.items[item].code).or(other.code.len().checked_sub(1))
        })
    }
}
