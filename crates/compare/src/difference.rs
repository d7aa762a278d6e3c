//! The judgement: differences between the runs of two versions, noise left out.
//!
//! One place (a stream, a file) differs if no run of *new* matches the template of *old* and no run
//! of *old* matches that of *new*. Either match is enough for doubt: the few runs may have shown
//! all of the noise in one version and none of it in the other.

use std::{borrow::Cow, collections::BTreeSet};

use parallax_run::{Captured, Contents, Ending, FileChange, FileState, Observation};

use crate::{Aspect, Beyond, Ignore, Masked, Runs, Sample, Template, Version, shown::shown};

/// The difference between two versions on one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The aspects that differ; never empty, in a fixed order.
    pub differs_in: Vec<Aspect>,
    /// The files that differ, if files do.
    pub files: Vec<Vec<u8>>,
    /// One run of *old*.
    pub old: Observation,
    /// One run of *new*.
    pub new: Observation,
    /// Both runs for display: variations are marked, and ignored text is left out.
    pub shown: Box<[Observation; 2]>,
}

/// The judgement of the runs of two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The aspects in which the versions differ, in a fixed order.
    pub differs_in: Vec<Aspect>,
    /// The files that differ, if files do.
    pub files: Vec<Vec<u8>>,
    /// The aspects that varied between runs of the same version, and were not compared, or only in
    /// part.
    pub masked: Vec<Masked>,
    /// The reason why it is not known whether the versions differ, in words that fit after "failed
    /// to".
    pub undecided: Option<String>,
}

/// Judges the runs of two versions, of each at least one.
pub fn judge(old: &[Observation], new: &[Observation], ignore: &Ignore) -> Judgement {
    let mut judgement = Judgement::default();
    let stdout = streams(old, new, Aspect::Stdout, ignore, |run| &run.stdout);
    judgement.add(Aspect::Stdout, stdout);
    let stderr = streams(old, new, Aspect::Stderr, ignore, |run| &run.stderr);
    judgement.add(Aspect::Stderr, stderr);
    judgement.add_endings(old, new);
    let mut files = Found::default();
    for path in paths(old.iter().chain(new)) {
        let found = file(old, new, path, ignore);
        if found.differs {
            judgement.files.push(path.to_vec());
        }
        files = files.and(found);
    }
    judgement.add(Aspect::Files, files);
    if judgement.differs_in.is_empty() {
        judgement.undecided = undecided(old, new);
    }
    judgement
}

/// The reason why runs that look the same may differ: the end of none of them was seen.
fn undecided(old: &[Observation], new: &[Observation]) -> Option<String> {
    let runs = || old.iter().chain(new);
    if !runs().all(was_cut_short) {
        return None;
    }
    let limits = [
        (Ending::TimeLimit, "the time limit"),
        (Ending::MemoryLimit, "the memory limit"),
        (Ending::OutputLimit, "the output limit"),
    ];
    let reached = limits.into_iter().filter(|(limit, _)| runs().any(|run| run.ending == *limit));
    let reached: Vec<&str> = reached.map(|(_, name)| name).collect();
    Some(format!("see the end of it: both versions were stopped at {}", reached.join(" or ")))
}

impl Difference {
    /// A difference of two runs of which everything is compared.
    pub fn between(old: Observation, new: Observation, differs_in: Vec<Aspect>) -> Difference {
        let shown = Box::new([old.clone(), new.clone()]);
        Difference { differs_in, files: Vec::new(), old, new, shown }
    }

    /// The difference that these runs show, if they do.
    pub fn of(judgement: &Judgement, runs: &Runs, ignore: &Ignore) -> Option<Difference> {
        let Judgement { differs_in, files, .. } = judgement;
        if differs_in.is_empty() {
            return None;
        }
        let (old, new) = (runs.old.first()?.clone(), runs.new.first()?.clone());
        let shown = Box::new(shown(runs, files, ignore)?);
        Some(Difference { differs_in: differs_in.clone(), files: files.clone(), old, new, shown })
    }
}

impl Judgement {
    /// Whether two runs of the same version differed.
    pub fn varies(&self) -> bool {
        self.masked.iter().any(|masked| !masked.varies_in.is_empty())
    }

    fn add(&mut self, aspect: Aspect, found: Found) {
        if found.differs {
            self.differs_in.push(aspect);
        }
        if found.is_noisy() {
            let varies_in = found.varies_in();
            self.masked.push(Masked { aspect, varies_in, endings: Vec::new() });
        }
    }

    fn add_endings(&mut self, old: &[Observation], new: &[Observation]) {
        let endings = |runs: &[Observation]| runs.iter().map(|run| run.ending).collect();
        let (old, new): (Vec<Ending>, Vec<Ending>) = (endings(old), endings(new));
        let found = Found::varying(&old, &new);
        let differs = !found.is_noisy() && old.first() != new.first();
        self.add(Aspect::Exit, Found { differs, ..found });
        if let Some(masked) = self.masked.last_mut().filter(|masked| masked.aspect == Aspect::Exit)
        {
            let old = old.into_iter().filter(|_| found.old_varies);
            let new = new.into_iter().filter(|_| found.new_varies);
            masked.endings = distinct(old.chain(new));
        }
    }
}

/// The result for one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    differs: bool,
    old_varies: bool,
    new_varies: bool,
    /// Something differs, and it is unknown whether the user's rules cover it.
    unsure: bool,
}

impl Found {
    /// Noise, if there is any: what varies in one of the versions.
    fn varying<T: PartialEq>(old: &[T], new: &[T]) -> Found {
        Found { old_varies: varies(old), new_varies: varies(new), ..Found::default() }
    }

    fn and(self, other: Found) -> Found {
        Found {
            differs: self.differs || other.differs,
            old_varies: self.old_varies || other.old_varies,
            new_varies: self.new_varies || other.new_varies,
            unsure: self.unsure || other.unsure,
        }
    }

    fn is_noisy(self) -> bool {
        self.old_varies || self.new_varies || self.unsure
    }

    fn varies_in(self) -> Vec<Version> {
        let old = self.old_varies.then_some(Version::Old);
        old.into_iter().chain(self.new_varies.then_some(Version::New)).collect()
    }
}

fn streams(
    old: &[Observation],
    new: &[Observation],
    aspect: Aspect,
    ignore: &Ignore,
    stream: impl Fn(&Observation) -> &Captured,
) -> Found {
    let sample = |run| sample(run, stream(run), aspect, ignore);
    let old: Vec<Sample<'_>> = old.iter().map(sample).collect();
    let new: Vec<Sample<'_>> = new.iter().map(sample).collect();
    samples(old, new)
}

pub(crate) fn sample<'a>(
    run: &Observation,
    captured: &'a Captured,
    aspect: Aspect,
    ignore: &Ignore,
) -> Sample<'a> {
    let length = captured.total.saturating_sub(captured.bytes.len() as u64);
    Sample {
        bytes: ignore.apply(aspect, &captured.bytes),
        beyond: (!was_cut_short(run)).then_some(Beyond { length, digest: captured.rest }),
    }
}

/// Whether a limit ended it, at an arbitrary moment.
fn was_cut_short(run: &Observation) -> bool {
    match run.ending {
        Ending::Exit(_) | Ending::Signal(_) => false,
        Ending::TimeLimit | Ending::MemoryLimit | Ending::OutputLimit => true,
    }
}

fn samples<'a>(mut old: Vec<Sample<'a>>, mut new: Vec<Sample<'a>>) -> Found {
    let mut found = Found::varying(&old, &new);
    if !found.is_noisy() && old.first() == new.first() {
        return found;
    }
    if rules_matched(&old) || rules_matched(&new) {
        found.unsure = forget_digests(old.iter_mut().chain(&mut new));
    }
    let may_go_on =
        |a: &Sample<'_>, b: &Sample<'_>| a.beyond.is_none() && b.bytes.starts_with(&a.bytes);
    let one_may_go_on = old.iter().any(|o| new.iter().any(|n| may_go_on(o, n) || may_go_on(n, o)));
    let differs = !one_may_go_on && !any_matches(&old, &new) && !any_matches(&new, &old);
    Found { differs, ..found }
}

/// Whether the rules removed text, which may also be beyond the kept bytes.
fn rules_matched(runs: &[Sample<'_>]) -> bool {
    runs.iter().any(|run| matches!(run.bytes, Cow::Owned(_)))
}

/// Keeps only the length of the bytes that were not kept; tells whether their digests differed.
fn forget_digests<'a, 'b: 'a>(runs: impl Iterator<Item = &'a mut Sample<'b>>) -> bool {
    let beyond = runs.filter_map(|run| run.beyond.as_mut());
    let digests: Vec<u64> = beyond.map(|beyond| std::mem::take(&mut beyond.digest)).collect();
    varies(&digests)
}

fn varies<T: PartialEq>(runs: &[T]) -> bool {
    runs.windows(2).any(|pair| pair[0] != pair[1])
}

/// Whether any of `runs` matches the template of `model`.
fn any_matches(model: &[Sample<'_>], runs: &[Sample<'_>]) -> bool {
    let template = Template::of(model);
    runs.iter().any(|run| template.matches(run))
}

/// The distinct endings, in the order in which they come.
fn distinct(endings: impl Iterator<Item = Ending>) -> Vec<Ending> {
    endings.fold(Vec::new(), |mut distinct, ending| {
        if !distinct.contains(&ending) {
            distinct.push(ending);
        }
        distinct
    })
}

fn paths<'a>(runs: impl Iterator<Item = &'a Observation>) -> BTreeSet<&'a [u8]> {
    runs.flat_map(|run| run.files.keys().map(Vec::as_slice)).collect()
}

/// The change of a file, without its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happened {
    Nothing,
    Created(Kind, Mode),
    Changed(Kind, Mode),
    Removed,
}

/// Permission bits.
pub(crate) type Mode = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Symlink,
    Directory,
    Special,
}

fn file(old: &[Observation], new: &[Observation], path: &[u8], ignore: &Ignore) -> Found {
    let happened = |runs: &[Observation]| -> Vec<Happened> {
        runs.iter().map(|run| happened(run.files.get(path))).collect()
    };
    let (old_happened, new_happened) = (happened(old), happened(new));
    if varies(&old_happened) || varies(&new_happened) {
        return Found::varying(&old_happened, &new_happened);
    }
    if old_happened.first() != new_happened.first() {
        let unfinished = missing_and_cut_short(&old_happened, old)
            || missing_and_cut_short(&new_happened, new)
            || are_same_but_modes(&old_happened, &new_happened)
                && old.iter().chain(new).any(was_cut_short);
        return Found { differs: !unfinished, ..Found::default() };
    }
    let contents = |run| contents(run, path, ignore);
    let old: Vec<Sample<'_>> = old.iter().filter_map(contents).collect();
    let new: Vec<Sample<'_>> = new.iter().filter_map(contents).collect();
    match old.is_empty() || new.is_empty() {
        true => Found::default(),
        false => samples(old, new),
    }
}

/// Whether the file may only be missing because the run was ended before it got there.
fn missing_and_cut_short(happened: &[Happened], runs: &[Observation]) -> bool {
    happened.contains(&Happened::Nothing) && runs.iter().any(was_cut_short)
}

/// Whether both have the same with other permissions, which a run that was cut short may have been
/// about to change.
fn are_same_but_modes(old: &[Happened], new: &[Happened]) -> bool {
    let without_mode = |happened: &Happened| match *happened {
        Happened::Created(kind, _) => Happened::Created(kind, 0),
        Happened::Changed(kind, _) => Happened::Changed(kind, 0),
        other => other,
    };
    old.first().map(without_mode) == new.first().map(without_mode)
}

pub(crate) fn happened(change: Option<&FileChange>) -> Happened {
    match change {
        None => Happened::Nothing,
        Some(FileChange::Created(state)) => Happened::Created(kind(state), state.mode),
        Some(FileChange::Changed(state)) => Happened::Changed(kind(state), state.mode),
        Some(FileChange::Removed) => Happened::Removed,
    }
}

fn kind(state: &FileState) -> Kind {
    match state.contents {
        Contents::File(_) => Kind::File,
        Contents::Symlink(_) => Kind::Symlink,
        Contents::Directory => Kind::Directory,
        Contents::Special => Kind::Special,
    }
}

/// The contents of a file or the target of a link; other entries have no contents.
pub(crate) fn contents<'a>(
    run: &'a Observation,
    path: &[u8],
    ignore: &Ignore,
) -> Option<Sample<'a>> {
    match &run.files.get(path)?.state()?.contents {
        Contents::File(captured) => Some(sample(run, captured, Aspect::Files, ignore)),
        Contents::Symlink(target) => {
            Some(Sample { bytes: Cow::Borrowed(target), beyond: Some(Beyond::default()) })
        }
        Contents::Directory | Contents::Special => None,
    }
}
