//! The judgement: what tells the runs of two versions apart, noise left out.
//!
//! One place (a stream, a file) differs if no run of *new* matches the template of *old* and no
//! run of *old* matches that of *new*. Either match is enough to doubt: the few runs there are may
//! have shown all of the noise in one version and none of it in the other.

use std::{borrow::Cow, collections::BTreeSet};

use parallax_run::{Captured, Ending, FileChange, FileState, Observation};

use crate::{Aspect, Ignore, Sample, Template};

/// How two versions differ on one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In what; never empty, in a fixed order.
    pub differs_in: Vec<Aspect>,
    /// Which files differ, if files do.
    pub files: Vec<Vec<u8>>,
    /// One run of *old*, to show.
    pub old: Observation,
    /// One run of *new*, to show.
    pub new: Observation,
}

/// What the runs of two versions say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// In what the versions differ, in a fixed order.
    pub differs_in: Vec<Aspect>,
    /// Which files differ, if files do.
    pub files: Vec<Vec<u8>>,
    /// What varied between runs of the same version, so that it was not compared, or not all of it.
    pub masked: Vec<Aspect>,
}

/// Judges the runs of two versions, of each at least one.
pub fn judge(old: &[Observation], new: &[Observation], ignore: &Ignore) -> Judgement {
    let mut judgement = Judgement::default();
    let stdout = streams(old, new, Aspect::Stdout, ignore, |run| &run.stdout);
    judgement.add(Aspect::Stdout, stdout);
    let stderr = streams(old, new, Aspect::Stderr, ignore, |run| &run.stderr);
    judgement.add(Aspect::Stderr, stderr);
    judgement.add(Aspect::Exit, endings(old, new));
    let mut files = Found::Same;
    for path in paths(old.iter().chain(new)) {
        let found = file(old, new, path, ignore);
        if found.is_difference() {
            judgement.files.push(path.to_vec());
        }
        files = files.and(found);
    }
    judgement.add(Aspect::Files, files);
    judgement
}

impl Judgement {
    fn add(&mut self, aspect: Aspect, found: Found) {
        if found.is_difference() {
            self.differs_in.push(aspect);
        }
        if found.is_noisy() {
            self.masked.push(aspect);
        }
    }
}

/// What was found in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Same,
    Noise,
    Difference,
    DifferenceAndNoise,
}

impl Found {
    fn new(differs: bool, noisy: bool) -> Found {
        match (differs, noisy) {
            (false, false) => Found::Same,
            (false, true) => Found::Noise,
            (true, false) => Found::Difference,
            (true, true) => Found::DifferenceAndNoise,
        }
    }

    fn and(self, other: Found) -> Found {
        Found::new(
            self.is_difference() || other.is_difference(),
            self.is_noisy() || other.is_noisy(),
        )
    }

    fn is_difference(self) -> bool {
        matches!(self, Found::Difference | Found::DifferenceAndNoise)
    }

    fn is_noisy(self) -> bool {
        matches!(self, Found::Noise | Found::DifferenceAndNoise)
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
    samples(&old, &new)
}

fn sample<'a>(
    run: &Observation,
    captured: &'a Captured,
    aspect: Aspect,
    ignore: &Ignore,
) -> Sample<'a> {
    let kept = captured.bytes.len() as u64;
    Sample {
        bytes: ignore.apply(aspect, &captured.bytes),
        beyond: (!was_cut_short(run)).then(|| captured.total.saturating_sub(kept)),
    }
}

/// Whether it was ended by a limit, at a moment that nobody chose.
fn was_cut_short(run: &Observation) -> bool {
    match run.ending {
        Ending::Exit(_) | Ending::Signal(_) => false,
        Ending::TimeLimit | Ending::MemoryLimit | Ending::OutputLimit => true,
    }
}

fn samples(old: &[Sample<'_>], new: &[Sample<'_>]) -> Found {
    let noisy = varies(old) || varies(new);
    if !noisy && old.first() == new.first() {
        return Found::Same;
    }
    let may_go_on =
        |a: &Sample<'_>, b: &Sample<'_>| a.beyond.is_none() && b.bytes.starts_with(&a.bytes);
    let one_may_go_on = old.iter().any(|o| new.iter().any(|n| may_go_on(o, n) || may_go_on(n, o)));
    let differs = !one_may_go_on && !any_matches(old, new) && !any_matches(new, old);
    Found::new(differs, noisy)
}

fn varies<T: PartialEq>(runs: &[T]) -> bool {
    runs.windows(2).any(|pair| pair[0] != pair[1])
}

/// Whether any of `runs` matches the template of `model`.
fn any_matches(model: &[Sample<'_>], runs: &[Sample<'_>]) -> bool {
    let template = Template::of(model);
    runs.iter().any(|run| template.matches(run))
}

fn endings(old: &[Observation], new: &[Observation]) -> Found {
    let endings = |runs: &[Observation]| runs.iter().map(|run| run.ending).collect::<Vec<Ending>>();
    let (old, new) = (endings(old), endings(new));
    let noisy = varies(&old) || varies(&new);
    Found::new(!noisy && old.first() != new.first(), noisy)
}

fn paths<'a>(runs: impl Iterator<Item = &'a Observation>) -> BTreeSet<&'a [u8]> {
    runs.flat_map(|run| run.files.keys().map(Vec::as_slice)).collect()
}

/// What happened to a file, without its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Happened {
    Nothing,
    Created(Kind),
    Changed(Kind),
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
        return Found::Noise;
    }
    if old_happened.first() != new_happened.first() {
        let unfinished =
            missing_and_cut_short(&old_happened, old) || missing_and_cut_short(&new_happened, new);
        return Found::new(!unfinished, false);
    }
    let contents = |run| contents(run, path, ignore);
    let old: Vec<Sample<'_>> = old.iter().filter_map(contents).collect();
    let new: Vec<Sample<'_>> = new.iter().filter_map(contents).collect();
    match old.is_empty() || new.is_empty() {
        true => Found::Same,
        false => samples(&old, &new),
    }
}

/// Whether the file may only be missing because the run was ended before it got there.
fn missing_and_cut_short(happened: &[Happened], runs: &[Observation]) -> bool {
    happened.contains(&Happened::Nothing) && runs.iter().any(was_cut_short)
}

fn happened(change: Option<&FileChange>) -> Happened {
    match change {
        None => Happened::Nothing,
        Some(FileChange::Created(state)) => Happened::Created(kind(state)),
        Some(FileChange::Changed(state)) => Happened::Changed(kind(state)),
        Some(FileChange::Removed) => Happened::Removed,
    }
}

fn kind(state: &FileState) -> Kind {
    match state {
        FileState::File(_) => Kind::File,
        FileState::Symlink(_) => Kind::Symlink,
        FileState::Directory => Kind::Directory,
        FileState::Special => Kind::Special,
    }
}

/// What a file holds or where a link points; nothing else has contents.
fn contents<'a>(run: &'a Observation, path: &[u8], ignore: &Ignore) -> Option<Sample<'a>> {
    match run.files.get(path)? {
        FileChange::Created(state) | FileChange::Changed(state) => match state {
            FileState::File(captured) => Some(sample(run, captured, Aspect::Files, ignore)),
            FileState::Symlink(target) => {
                Some(Sample { bytes: Cow::Borrowed(target), beyond: Some(0) })
            }
            FileState::Directory | FileState::Special => None,
        },
        FileChange::Removed => None,
    }
}
