//! A study of changes as a report.

use std::collections::BTreeSet;

use parallax_change::{Cause, Change, Kind, Lines, Stop, ways};
use parallax_program::{Instruction, Program, SiteId, Version};
use parallax_report::changes::{
    Affected, ChangeReport, Distance, Interaction, Passage, ReportedChange, Size,
};

use crate::{
    source::{Names, Sources, function_of, place, place_of, short},
    study::Study,
};

/// Distances from this one on are counted together.
const FARTHEST: usize = 16;

/// Makes a report of a study.
pub fn report(study: &Study<'_>, name: &str) -> ChangeReport {
    let mut sources = (Sources::of(&study.pair.old.program), Sources::of(&study.pair.new.program));
    let program = &study.new.program;
    let all_ways: Vec<_> = ways(&study.new.whole).collect();
    let outputs = study.dependence.outputs();
    let mut changes = Vec::new();
    for (number, change) in study.changes.changes.iter().enumerate() {
        let mut reported = describe(study, number, change, &mut sources);
        let impact = &study.impacts[number];
        let whole = &study.new.whole;
        let mut distances = vec![0; FARTHEST + 1];
        for (function, block, way) in &all_ways {
            let relevance = &impact.relevance;
            let before = relevance.is_irrelevant_before(whole, *function, *block, *way);
            let after = relevance.is_irrelevant_after(whole, *function, *block, *way);
            reported.irrelevant_before += usize::from(before);
            reported.irrelevant_after += usize::from(after);
            if let Some(distance) = impact.distances.of_way(whole, *function, *block, *way) {
                distances[(distance as usize).min(FARTHEST)] += 1;
            }
        }
        reported.distances = named(&distances);
        reported.reachable = impact.relevance.can_be_reached(whole);
        let seen = outputs.iter().map(|site| SiteId(site as u32));
        let seen = seen.filter(|site| impact.affected.contains(*site));
        reported.affects = affected(study, number, seen);
        changes.push(reported);
    }
    let names = |ids: &[parallax_program::FunctionId], names: &Names<'_>| {
        ids.iter().map(|id| names.get(*id)).collect()
    };
    let (old, new) = (Names::of(&study.old.program), Names::of(program));
    let renamed = study.changes.renamed.iter();
    ChangeReport {
        schema: 1,
        verb: "changes",
        verdict: if study.changes.is_unchanged() { "unchanged" } else { "changed" },
        program: name.to_owned(),
        changes,
        renamed: renamed.map(|(from, to)| (old.get(*from), new.get(*to))).collect(),
        added: names(&study.changes.added, &new),
        deleted: names(&study.changes.deleted, &old),
        interactions: interactions(study),
        sequences: sequences(study),
        size: Size {
            functions: program.defined().count(),
            instructions: program.instructions().count(),
            ways: all_ways.len(),
        },
        notes: notes(study),
    }
}

/// The number of ways at each distance that occurs.
fn named(counts: &[usize]) -> Vec<Distance> {
    let counts = counts.iter().enumerate().filter(|(_, ways)| **ways > 0);
    let named = |(steps, ways): (usize, &usize)| Distance {
        steps,
        or_more: steps == FARTHEST,
        ways: *ways,
    };
    counts.map(named).collect()
}

fn describe(
    study: &Study<'_>,
    number: usize,
    change: &Change,
    (old_sources, new_sources): &mut (Sources, Sources),
) -> ReportedChange {
    let (old, new) = (&study.old.program, &study.new.program);
    let old = passage(old, old_sources, change.old_lines, &change.old_sites);
    let new = passage(new, new_sources, change.new_lines, &change.new_sites);
    ReportedChange {
        id: study.id(number),
        kind: match change.kind {
            Kind::Modified => "modified",
            Kind::Added => "added",
            Kind::Deleted => "deleted",
        },
        cause: match &change.cause {
            Cause::Code => same_text(study, change, old.as_ref(), new.as_ref()).map(str::to_owned),
            Cause::Global(name) => Some(other_value(&study.new.program, name)),
            Cause::Layout => Some("a variable has another size".to_owned()),
            Cause::Signature => Some("its type differs".to_owned()),
            Cause::Frame(what) => Some(format!("{what} differs")),
        },
        function: function_of(study, change),
        old,
        new,
        first: study.sequences.first.contains(&number),
        ..ReportedChange::default()
    }
}

/// The cause for a global with another initial value, with its declaration.
fn other_value(program: &Program, name: &str) -> String {
    let mut globals = program.globals.iter();
    let global = globals.find(|it| it.name == name || it.name.ends_with(&format!(".{name}")));
    match global.and_then(|global| global.location) {
        Some(location) => format!("{name} has another value, {}", place(program, Some(location))),
        None => format!("{name} has another value"),
    }
}

/// The cause for changed code with unchanged text.
fn same_text(
    study: &Study<'_>,
    change: &Change,
    old: Option<&Passage>,
    new: Option<&Passage>,
) -> Option<&'static str> {
    let text = |passage: Option<&Passage>| passage.map(|it| it.text.clone()).unwrap_or_default();
    if text(old).is_empty() || text(old) != text(new) {
        return None;
    }
    Some(match is_moved(study, change) {
        true => "moved: the text is the same, the order is not",
        // A macro, type or constant on another line has changed.
        false => "the text is the same, its meaning is not",
    })
}

/// Whether another line moved from before all code of a change to behind it, or the other way
/// round.
fn is_moved(study: &Study<'_>, change: &Change) -> bool {
    let ends = |sites: &[SiteId]| Some((*sites.iter().min()?, *sites.iter().max()?));
    let (Some(function), Some((old_first, old_last)), Some((new_first, new_last))) =
        (change.old_function, ends(&change.old_sites), ends(&change.new_sites))
    else {
        return false;
    };
    let lines = change.old_lines.map(|lines| lines.first..=lines.last);
    let is_own = |it: &&Instruction| match (&lines, it.location) {
        (Some(lines), Some(location)) => lines.contains(&location.line),
        _ => false,
    };
    let blocks = study.old.program.at(function).blocks.iter();
    let others = blocks.flat_map(|block| &block.instructions).filter(|it| !is_own(it));
    let matching = &study.changes.matching;
    let mut pairs = others.filter_map(|it| Some((it.site, matching.new_site(it.site)?)));
    pairs.any(|(old, new)| {
        (old < old_first && new > new_last) || (old > old_last && new < new_first)
    })
}

fn passage(
    program: &Program,
    sources: &mut Sources,
    lines: Option<Lines>,
    sites: &[SiteId],
) -> Option<Passage> {
    let Some(Lines { file, first, last }) = lines else {
        let instructions = Some((sites.first()?.0, sites.last()?.0));
        return Some(Passage { instructions, ..Passage::default() });
    };
    let path = program.files.get(file as usize).map_or("?", String::as_str);
    let text = sources.lines(path, first, last);
    Some(Passage { file: short(path).into(), lines: (first, last), text, instructions: None })
}

fn affected(study: &Study<'_>, change: usize, seen: impl Iterator<Item = SiteId>) -> Affected {
    let program = &study.new.program;
    let slice = &study.impacts[change].affected;
    let sites = slice.sites.iter().map(|site| SiteId(site as u32));
    let functions: BTreeSet<_> =
        sites.filter_map(|site| study.dependence.function_of(site)).collect();
    let statements = &study.new.statements;
    let outputs: BTreeSet<_> = seen.filter_map(|site| statements.of(site)).collect();
    let names = Names::of(program);
    let mut places: Vec<_> =
        outputs.iter().map(|id| place_of(program, statements.get(*id))).collect();
    places.dedup();
    Affected {
        functions: functions.iter().map(|id| names.get(*id)).collect(),
        instructions: slice.len(),
        outputs: places,
        gone_outputs: gone_outputs(study, change),
    }
}

/// The places of outputs that only the old version has.
fn gone_outputs(study: &Study<'_>, change: usize) -> Vec<String> {
    let Version { program, statements, .. } = study.old;
    let Change { old_sites, new_sites, .. } = &study.changes.changes[change];
    // If the new code of the change has an output, it replaces the old one.
    let outputs = study.dependence.outputs();
    let is_replaced = new_sites.iter().any(|site| outputs.contains(site.0 as usize));
    let gone = study.before[change].gone_outputs.iter();
    let gone = gone.filter(|site| !(is_replaced && old_sites.contains(site)));
    let gone: BTreeSet<_> = gone.filter_map(|site| statements.of(*site)).collect();
    gone.iter().map(|id| place_of(program, statements.get(*id))).collect()
}

fn interactions(study: &Study<'_>) -> Vec<Interaction> {
    let version = study.new;
    let names = Names::of(&version.program);
    let interactions = study.sequences.interactions.iter();
    let interactions = interactions.map(|(id, changes)| {
        let statement = version.statements.get(*id);
        Interaction {
            place: place_of(&version.program, statement),
            function: names.get(statement.function),
            changes: changes.iter().map(|change| study.id(*change)).collect(),
        }
    });
    let mut interactions: Vec<_> = interactions.collect();
    interactions.dedup();
    interactions
}

fn sequences(study: &Study<'_>) -> Vec<(String, String)> {
    let version = study.new;
    let place = |id| place_of(&version.program, version.statements.get(id));
    let name = |stop: &Stop| match stop {
        Stop::Change(change) => study.id(*change),
        Stop::Interaction(id) => format!("meeting {}", place(*id)),
        Stop::Output(id) => format!("output {}", place(*id)),
    };
    let edges = study.sequences.edges.iter().map(|(from, to)| (name(from), name(to)));
    // Several statements of a line are one place.
    let mut seen = BTreeSet::new();
    edges.filter(|edge| seen.insert(edge.clone())).collect()
}

fn notes(study: &Study<'_>) -> Vec<String> {
    let versions = [("old", study.old), ("new", study.new)];
    let without = versions.iter().filter(|(_, version)| {
        !version.program.instructions().any(|instruction| instruction.location.is_some())
    });
    let without: Vec<_> = without.map(|(name, _)| *name).collect();
    match without[..] {
        [] => Vec::new(),
        _ => vec![format!(
            "no debug information in {}: instructions stand for lines",
            without.join(" and ")
        )],
    }
}
