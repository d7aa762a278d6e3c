//! Comparison of two whole programs.

use parallax_program::{FunctionId, Program, SiteId};

use crate::{
    change::{Cause, Change, Changes, Kind},
    inside::align::Alignment,
    inside::body::{Body, Form},
    judgement::draft::{Arrivals, Draft, lines},
    judgement::judge::{Judgement, Pair},
    judgement::moved,
    judgement::run,
    matching::Matching,
    whole::frame,
    whole::function::Named,
    whole::global::ChangedGlobals,
    whole::identity::Identities,
};

/// Compares two versions of a program.
pub fn changes(old: &Program, new: &Program) -> Changes {
    let named = Named::find(old, new);
    let identities = Identities::of_both(old, new, &named.functions, &named.globals);
    let versions = Versions {
        old,
        new,
        globals: ChangedGlobals::find((old, new), &named.globals, (&identities.0, &identities.1)),
        identities,
    };
    let mut changes = Changes {
        matching: Matching::of_functions(old, new, &named.functions),
        renamed: named.renamed(old, new),
        ..Changes::default()
    };
    for (x, y) in named.functions.pairs() {
        versions.compare(x, y, &mut changes);
    }
    for x in named.functions.lonely_old() {
        versions.note_deleted(x, None, &mut changes);
    }
    for y in named.functions.lonely_new() {
        versions.note_added(None, y, &mut changes);
    }
    if changes.changes.is_empty()
        && let Some(cause) = frame::difference((old, new), &named, &versions.globals)
    {
        versions.note_frame(cause, &mut changes);
    }
    changes.added.sort_unstable();
    changes.deleted.sort_unstable();
    changes.changes.sort_by_key(order);
    changes
}

/// The order of the new version's code, and of the old one's for deleted functions.
fn order(change: &Change) -> (bool, Option<SiteId>, Option<SiteId>) {
    (change.site.is_none(), change.site, change.old_site)
}

struct Versions<'p> {
    old: &'p Program,
    new: &'p Program,
    identities: (Identities, Identities),
    globals: ChangedGlobals,
}

impl Versions<'_> {
    /// Compares a function that is in both versions.
    fn compare(&self, x: usize, y: usize, changes: &mut Changes) {
        let (old, new) = (&self.old.functions[x], &self.new.functions[y]);
        match (old.blocks.is_empty(), new.blocks.is_empty()) {
            (false, false) => self.compare_bodies(x, y, changes),
            (false, true) => self.note_deleted(x, Some(y), changes),
            (true, false) => self.note_added(Some(x), y, changes),
            (true, true) => {}
        }
    }

    fn compare_bodies(&self, x: usize, y: usize, changes: &mut Changes) {
        let form = Form::of(&[&self.old.functions[x], &self.new.functions[y]]);
        let (old, new) = (self.old_body(x, form), self.new_body(y, form));
        let alignment = Alignment::of(&old, &new);
        let moves = moved::find(&old, &new, &alignment);
        changes.matching.extend(x, (&old, &new), &alignment, &moves);
        let (left, right) = &self.identities;
        let pair = Pair {
            old: &old,
            new: &new,
            alignment: &alignment,
            program: self.new,
            globals: &self.globals,
            moves: &moves,
            same_signature: left.signature(old.function) == right.signature(new.function),
        };
        let drafts = run::drafts(&pair, Judgement::of(&pair));
        let found = finish(&pair, drafts).into_iter();
        changes.changes.extend(found.map(|change| Change {
            old_function: Some(FunctionId(x as u32)),
            new_function: Some(FunctionId(y as u32)),
            ..change
        }));
    }

    fn old_body(&self, x: usize, form: Form) -> Body<'_> {
        Body::new(self.old, &self.identities.0, form, &self.old.functions[x])
    }

    fn new_body(&self, y: usize, form: Form) -> Body<'_> {
        Body::new(self.new, &self.identities.1, form, &self.new.functions[y])
    }

    /// Places a change outside of instructions at the start of the program.
    fn note_frame(&self, cause: Cause, changes: &mut Changes) {
        let main = |program: &Program| program.functions.iter().position(|it| it.name == "main");
        let (Some(x), Some(y)) = (main(self.old), main(self.new)) else { return };
        let form = Form::of(&[&self.old.functions[x], &self.new.functions[y]]);
        let (old, new) = (self.old_body(x, form), self.new_body(y, form));
        let first = |body: &Body<'_>| all_sites(body).into_iter().take(1).collect::<Vec<_>>();
        let (old_sites, new_sites) = (first(&old), first(&new));
        let line = |body: &Body<'_>, sites: &[SiteId]| {
            lines(body, sites.iter().filter_map(|site| body.index(*site)))
        };
        changes.changes.push(Change {
            old_function: Some(FunctionId(x as u32)),
            new_function: Some(FunctionId(y as u32)),
            site: new_sites.first().copied(),
            old_site: old_sites.first().copied(),
            old_lines: line(&old, &old_sites),
            new_lines: line(&new, &new_sites),
            old_sites,
            new_sites,
            cause,
            ..nothing()
        });
    }

    fn note_deleted(&self, x: usize, y: Option<usize>, changes: &mut Changes) {
        let function = &self.old.functions[x];
        if function.blocks.is_empty() {
            return;
        }
        let body = self.old_body(x, Form::of(&[function]));
        let sites = all_sites(&body);
        changes.deleted.push(FunctionId(x as u32));
        changes.changes.push(Change {
            kind: Kind::Deleted,
            old_function: Some(FunctionId(x as u32)),
            new_function: y.map(|it| FunctionId(it as u32)),
            site: None,
            old_site: sites.first().copied(),
            old_sites: sites,
            old_lines: lines(&body, 0..body.code.len()),
            ..nothing()
        });
    }

    fn note_added(&self, x: Option<usize>, y: usize, changes: &mut Changes) {
        let function = &self.new.functions[y];
        if function.blocks.is_empty() {
            return;
        }
        let body = self.new_body(y, Form::of(&[function]));
        let sites = all_sites(&body);
        changes.added.push(FunctionId(y as u32));
        changes.changes.push(Change {
            kind: Kind::Added,
            old_function: x.map(|it| FunctionId(it as u32)),
            new_function: Some(FunctionId(y as u32)),
            site: sites.first().copied(),
            new_sites: sites,
            new_lines: lines(&body, 0..body.code.len()),
            ..nothing()
        });
    }
}

/// The instructions of a body that stand for something, or all if none does.
fn all_sites(body: &Body<'_>) -> Vec<SiteId> {
    let items = (0..body.items.len()).map(|item| body.instruction(item).site);
    let code = body.code.iter().map(|code| code.instruction.site);
    if body.items.is_empty() { code.collect() } else { items.collect() }
}

/// A change without contents yet.
fn nothing() -> Change {
    Change {
        kind: Kind::Modified,
        old_function: None,
        new_function: None,
        old_sites: Vec::new(),
        new_sites: Vec::new(),
        site: None,
        old_site: None,
        old_lines: None,
        new_lines: None,
        cause: Cause::Code,
    }
}

/// Converts changes to ids of the program, except for their function.
fn finish(pair: &Pair<'_, '_>, drafts: Vec<Draft>) -> Vec<Change> {
    if drafts.is_empty() {
        return Vec::new();
    }
    let (old, new) = (pair.old, pair.new);
    let to_new = |item| pair.alignment.items.new_of(item);
    let to_old = |item| pair.alignment.items.old_of(item);
    let leaving = Arrivals::of(old, &to_new);
    let coming = Arrivals::of(new, &to_old);
    let change = |draft: Draft| {
        let (old_sites, new_sites) = (draft.old.sites(old), draft.new.sites(new));
        let landing = || leaving.landing(old, new, &to_new, &draft.old);
        let site = new_sites.first().copied();
        let site = site.or_else(|| landing().map(|code| new.code[code].instruction.site));
        let landing = || coming.landing(new, old, &to_old, &draft.new);
        let old_site = old_sites.first().copied();
        let old_site = old_site.or_else(|| landing().map(|code| old.code[code].instruction.site));
        Change {
            kind: draft.kind(),
            site,
            old_site,
            old_lines: draft.old.lines(old),
            new_lines: draft.new.lines(new),
            old_sites,
            new_sites,
            cause: draft.cause,
            ..nothing()
        }
    };
    drafts.into_iter().map(change).collect()
}
