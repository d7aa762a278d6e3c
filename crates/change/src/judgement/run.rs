//! From changed instructions to changes.
//!
//! A change is what a reader would mark: whole lines, neighbouring ones together, one mark for
//! both versions where they take the place of each other.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{
    change::Cause,
    inside::body::Body,
    judgement::draft::{Draft, Part},
    judgement::judge::{Judgement, Pair},
    judgement::moved::Move,
};

/// An item, or two that are aligned.
struct Step {
    old: Option<usize>,
    new: Option<usize>,
    /// Its cause, if it is changed.
    cause: Option<Cause>,
}

/// The changes between two bodies.
pub(crate) fn drafts(pair: &Pair<'_, '_>, judgement: Judgement) -> Vec<Draft> {
    let moves = pair.moves;
    let harmless: Vec<_> = moves.iter().filter(|it| it.harmless).flat_map(Move::items).collect();
    let steps = steps(pair, &judgement.changed, &harmless);
    let mut drafts = runs(pair, &steps);
    drafts.extend(judgement.drafts);
    let drafts = join_lines(pair, drafts);
    join_moves(pair, drafts, moves)
}

/// Both bodies as one sequence.
fn steps(
    pair: &Pair<'_, '_>,
    changed: &BTreeMap<usize, Cause>,
    harmless: &[(usize, usize)],
) -> Vec<Step> {
    let quiet_old: HashSet<_> = harmless.iter().map(|it| it.0).collect();
    let quiet_new: HashSet<_> = harmless.iter().map(|it| it.1).collect();
    let code = |quiet: bool| (!quiet).then_some(Cause::Code);
    let mut steps = Vec::new();
    let (mut x, mut y) = (0, 0);
    let ends = (pair.old.items.len(), pair.new.items.len());
    for (left, right) in pair.alignment.items.pairs().chain([ends]) {
        steps.extend((x..left).map(|old| Step {
            old: Some(old),
            new: None,
            cause: code(quiet_old.contains(&old)),
        }));
        steps.extend((y..right).map(|new| Step {
            old: None,
            new: Some(new),
            cause: code(quiet_new.contains(&new)),
        }));
        if (left, right) != ends {
            let cause = changed.get(&left).cloned();
            steps.push(Step { old: Some(left), new: Some(right), cause });
        }
        (x, y) = (left + 1, right + 1);
    }
    steps
}

/// Runs of changed steps with others on the same lines, without the runs that have only others.
fn runs(pair: &Pair<'_, '_>, steps: &[Step]) -> Vec<Draft> {
    let changed = || steps.iter().filter(|step| step.cause.is_some());
    let olds: HashSet<u64> =
        changed().filter_map(|step| step.old).map(|x| pair.old.items[x].unit).collect();
    let news: HashSet<u64> =
        changed().filter_map(|step| step.new).map(|y| pair.new.items[y].unit).collect();
    let is_in = |step: &Step| {
        step.cause.is_some()
            || step.old.is_some_and(|x| olds.contains(&pair.old.items[x].unit))
            || step.new.is_some_and(|y| news.contains(&pair.new.items[y].unit))
    };
    let runs = steps.chunk_by(|one, other| is_in(one) == is_in(other));
    let runs = runs.filter(|run| run.iter().any(|step| step.cause.is_some()));
    runs.map(|run| draft(pair, run)).collect()
}

fn draft(pair: &Pair<'_, '_>, run: &[Step]) -> Draft {
    let part = |body: &Body<'_>, item: fn(&Step) -> Option<usize>| {
        let mut part = Part::default();
        for step in run {
            let Some(item) = item(step) else { continue };
            let group = if step.cause.is_some() { &mut part.changed } else { &mut part.beside };
            group.push(body.items[item].code);
        }
        part
    };
    let causes = || run.iter().filter_map(|step| step.cause.clone());
    let cause = causes().find(|cause| *cause == Cause::Code).or_else(|| causes().next());
    Draft {
        old: part(pair.old, |step| step.old),
        new: part(pair.new, |step| step.new),
        cause: cause.unwrap_or(Cause::Code),
    }
}

/// Merges changes of the same line, wherever the compiler has put its instructions.
fn join_lines(pair: &Pair<'_, '_>, drafts: Vec<Draft>) -> Vec<Draft> {
    let mut joined: Vec<Option<Draft>> = Vec::new();
    let mut homes: HashMap<(bool, u64), usize> = HashMap::new();
    for draft in drafts {
        let olds = draft.old.changed.iter().filter_map(|&code| pair.old.line(code));
        let news = draft.new.changed.iter().filter_map(|&code| pair.new.line(code));
        let keys: Vec<_> = olds.map(|it| (false, it)).chain(news.map(|it| (true, it))).collect();
        let home = keys.iter().find_map(|key| homes.get(key)).copied();
        let home = match home.and_then(|home| joined.get_mut(home)).and_then(Option::as_mut) {
            Some(known) => {
                known.absorb(draft);
                home.unwrap_or_default()
            }
            None => {
                joined.push(Some(draft));
                joined.len() - 1
            }
        };
        homes.extend(keys.into_iter().map(|key| (key, home)));
    }
    joined.into_iter().flatten().collect()
}

/// Merges the deletion and the addition of one move.
fn join_moves(pair: &Pair<'_, '_>, drafts: Vec<Draft>, moves: &[Move]) -> Vec<Draft> {
    let harmful = moves.iter().filter(|it| !it.harmless).flat_map(Move::items);
    let moved: HashMap<usize, usize> =
        harmful.map(|(x, y)| (pair.old.items[x].code, pair.new.items[y].code)).collect();
    if moved.is_empty() {
        return drafts;
    }
    let mut additions: Vec<Draft> = Vec::new();
    let mut others: Vec<Draft> = Vec::new();
    for draft in drafts {
        let list = if draft.old.is_empty() { &mut additions } else { &mut others };
        list.push(draft);
    }
    for draft in others.iter_mut().filter(|draft| draft.new.is_empty()) {
        let goal: Option<Vec<_>> =
            draft.old.code().iter().map(|code| moved.get(code).copied()).collect();
        let Some(mut goal) = goal else { continue };
        goal.sort_unstable();
        if let Some(place) = additions.iter().position(|it| it.new.code() == goal) {
            draft.absorb(additions.swap_remove(place));
        }
    }
    others.extend(additions);
    others
}
