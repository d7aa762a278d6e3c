//! Relational queries: the conditions under which two versions diverge.
//!
//! Both paths of one test are conditions over the same inputs. Where the versions do the same, their
//! conditions are the same expressions, and there is nothing to ask. Where they are not, one query says
//! whether there is an input on which one of the versions goes on and the other one branches off, and
//! another one whether there is an input that takes the same paths in both and has something else printed.

#[cfg(test)]
mod exhaustion;
mod output;

use std::collections::HashMap;

use parallax_abi::Undefined;
use parallax_compare::Version;
use parallax_path::{Path, Step, StepKind};
use parallax_solve::{Binary, ExprId, Graph};

use self::output::{outputs_change, outputs_differ};
use crate::Aim;

/// A point at which the versions could diverge, and the condition for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    /// How many steps of the old path come before it.
    pub(crate) old: usize,
    /// How many steps of the new path come before it.
    pub(crate) new: usize,
    /// The condition.
    pub(crate) goal: ExprId,
    pub(crate) kind: DivergenceKind,
}

/// The kind of difference that a divergence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DivergenceKind {
    /// In what they print, or in their status.
    Output,
    /// Not at all: the condition asks for another input of the same paths, with other output. It runs on plain
    /// builds, where a wrong model shows that the first input of the paths does not show.
    Other,
    /// In where the old version goes on.
    OldFlips,
    /// In where the new version goes on.
    NewFlips,
    /// In whatever a plain build of one version makes of something undefined.
    Undefined {
        /// The version that does it.
        version: Version,
        /// Where.
        site: u32,
        /// What.
        kind: Undefined,
    },
}

/// All points at which two versions could diverge on the paths of one test, in their order, and whether all were
/// understood.
pub(crate) struct Divergences {
    pub(crate) all: Vec<Divergence>,
    /// Whether everything that is printed could be compared.
    pub(crate) is_complete: bool,
    /// Whether the versions diverge on this test.
    pub(crate) diverges: bool,
}

/// Steps of the other path that are looked at for where both paths meet again.
const WINDOW: usize = 48;

/// What is known about the places of both versions.
pub(crate) struct Atlas<'a> {
    /// What a place of the old version is in the new one.
    pub(crate) counterpart: &'a dyn Fn(u32) -> Option<u32>,
    /// The values of a switch of the old version.
    pub(crate) cases: &'a dyn Fn(u32) -> Vec<u64>,
    /// What the paths are looked at for.
    pub(crate) aim: Aim,
}

/// The points at which two versions could diverge.
///
/// First those in which one of them branches off from where they are the same so far: wherever the other
/// one goes then, that is where to look. Then those in which the old version branches off and the new one
/// goes on to its end as it did: when none of these is left open, all paths of the old version are known
/// that go with this path of the new one.
pub(crate) fn divergences(
    graph: &mut Graph,
    old: &Path,
    new: &Path,
    atlas: &Atlas<'_>,
) -> Divergences {
    let mut all = Vec::new();
    let pairs = align(&old.steps, &new.steps, atlas.counterpart);
    let (mut x, mut y) = (0, 0);
    let mut diverges = false;
    let mut own = Vec::new();
    for (i, j) in pairs.iter().copied().chain([(old.steps.len(), new.steps.len())]) {
        for (number, step) in old.steps.iter().enumerate().take(i).skip(x) {
            own.push(number);
            for goal in flips(graph, step, atlas.cases) {
                all.push(Divergence { old: number, new: y, goal, kind: DivergenceKind::OldFlips });
            }
        }
        let (Some(left), Some(right)) = (old.steps.get(i), new.steps.get(j)) else { break };
        diverges |= !goes_alike(left, right);
        if left.condition != right.condition {
            own.push(i);
        }
        if left.condition != right.condition && goes_alike(left, right) {
            let flipped = graph.not(right.condition);
            let goal = graph.binary(Binary::And, left.condition, flipped);
            all.push(Divergence { old: i, new: j, goal, kind: DivergenceKind::NewFlips });
            for flipped in flips(graph, left, atlas.cases) {
                let goal = graph.binary(Binary::And, right.condition, flipped);
                all.push(Divergence { old: i, new: j, goal, kind: DivergenceKind::OldFlips });
            }
        }
        (x, y) = (i + 1, j + 1);
    }
    let end = new.steps.len();
    for number in own {
        for goal in flips(graph, &old.steps[number], atlas.cases) {
            all.push(Divergence { old: number, new: end, goal, kind: DivergenceKind::OldFlips });
        }
    }
    let (goal, is_complete) = outputs_differ(graph, old, new);
    if let Some(goal) = goal {
        let (old, new) = (old.steps.len(), new.steps.len());
        all.push(Divergence { old, new, goal, kind: DivergenceKind::Output });
    }
    if atlas.aim == Aim::Prove {
        let (old_end, new_end) = (old.steps.len(), new.steps.len());
        all.extend(outputs_change(graph, old, new).into_iter().map(|goal| Divergence {
            old: old_end,
            new: new_end,
            goal,
            kind: DivergenceKind::Other,
        }));
    }
    for (version, path) in [(Version::New, new), (Version::Old, old)] {
        all.extend(undefined(graph, version, path, atlas.aim));
    }
    all.retain(|divergence| graph.as_constant(divergence.goal) != Some(0));
    Divergences { all, is_complete, diverges }
}

/// What must be unsat on the path of one version, each with the steps that come before it, in order.
fn undefined(graph: &mut Graph, version: Version, path: &Path, aim: Aim) -> Vec<Divergence> {
    let divergence = |(before, site, goal, kind): (usize, u32, ExprId, Undefined)| {
        let (old, new) = match version {
            Version::Old => (before, 0),
            Version::New => (0, before),
        };
        Divergence { old, new, goal, kind: DivergenceKind::Undefined { version, site, kind } }
    };
    let obligations = path.obligations.iter().map(|it| {
        let before = path.steps.partition_point(|step| step.event < it.event);
        (before, it.site, it.condition, it.kind)
    });
    // What is behind the end of an object is up to the build.
    let steps = path.steps.iter().enumerate();
    let accesses = steps.filter(|(_, step)| aim == Aim::Prove && step.kind == StepKind::Bounds);
    let outside = accesses
        .map(|(before, step)| (before, step.site, graph.not(step.condition), Undefined::Bounds));
    let mut all: Vec<_> = obligations.chain(outside).collect();
    all.sort_by_key(|(before, ..)| *before);
    all.into_iter().map(divergence).collect()
}

/// What has to hold for a step to go each of the other ways that there are.
pub(crate) fn flips(
    graph: &mut Graph,
    step: &Step,
    cases: &dyn Fn(u32) -> Vec<u64>,
) -> Vec<ExprId> {
    let StepKind::Switch { on, value } = step.kind else {
        return match step.kind.is_decision() {
            true => vec![graph.not(step.condition)],
            false => Vec::new(),
        };
    };
    let values = cases_of(step, cases);
    let mut goals = Vec::new();
    for case in values.iter().filter(|case| **case != value) {
        let constant = graph.constant(graph.width(on), u128::from(*case));
        goals.push(graph.binary(Binary::Eq, on, constant));
    }
    if values.contains(&value) {
        goals.push(on_no_case(graph, step, on, cases));
    }
    goals
}

/// The values of the switch of a step.
fn cases_of(step: &Step, cases: &dyn Fn(u32) -> Vec<u64>) -> Vec<u64> {
    cases(if step.model_site == 0 { step.site } else { step.model_site })
}

/// What has to hold for a switch to go to its default.
pub(crate) fn on_no_case(
    graph: &mut Graph,
    step: &Step,
    on: ExprId,
    cases: &dyn Fn(u32) -> Vec<u64>,
) -> ExprId {
    let mut none = graph.constant(1, 1);
    for case in cases_of(step, cases) {
        let constant = graph.constant(graph.width(on), u128::from(case));
        let differs = graph.binary(Binary::Ne, on, constant);
        none = graph.binary(Binary::And, none, differs);
    }
    none
}

/// Whether two steps at the same place went the same way.
fn goes_alike(old: &Step, new: &Step) -> bool {
    match (old.kind, new.kind) {
        (StepKind::Branch { taken: old }, StepKind::Branch { taken: new }) => old == new,
        (StepKind::Switch { value: old, .. }, StepKind::Switch { value: new, .. })
        | (StepKind::Value { value: old, .. }, StepKind::Value { value: new, .. }) => old == new,
        (old, new) => old == new,
    }
}

/// The pairs of steps at the same places of both paths, in order.
fn align(
    old: &[Step],
    new: &[Step],
    counterpart: &dyn Fn(u32) -> Option<u32>,
) -> Vec<(usize, usize)> {
    let mut counterparts: HashMap<u32, Option<u32>> = HashMap::new();
    let mut in_new = |site: u32| *counterparts.entry(site).or_insert_with(|| counterpart(site));
    let place = |step: &Step, site: Option<u32>, model: Option<u32>| {
        Some((site?, model?, std::mem::discriminant(&step.kind)))
    };
    let olds: Vec<_> = old
        .iter()
        .map(|step| {
            let model = if step.model_site == 0 { Some(0) } else { in_new(step.model_site) };
            place(step, in_new(step.site), model)
        })
        .collect();
    let news: Vec<_> =
        new.iter().map(|step| place(step, Some(step.site), Some(step.model_site))).collect();
    let is_same = |i: usize, j: usize| olds[i].is_some() && olds[i] == news[j];
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < olds.len() && j < news.len() {
        if is_same(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let Some((a, b)) =
            next_meeting(olds.len() - i, news.len() - j, &|a, b| is_same(i + a, j + b))
        else {
            break;
        };
        (i, j) = (i + a, j + b);
    }
    pairs
}

/// The nearest place from here on at which both paths are again.
fn next_meeting(
    olds: usize,
    news: usize,
    is_same: &dyn Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    (1..2 * WINDOW).find_map(|sum| {
        let skipped = (0..=sum).map(|a| (a, sum - a));
        let mut inside = skipped.filter(|(a, b)| *a < olds && *b < news);
        inside.find(|(a, b)| is_same(*a, *b))
    })
}

#[cfg(test)]
mod tests {
    use parallax_path::Obligation;
    use parallax_solve::{Origin, Variable};

    use super::*;

    /// A path of one branch on a byte of standard input, at a place.
    fn path(graph: &mut Graph, site: u32) -> Path {
        let byte = graph.variable_expr(&Variable::byte(Origin::Stdin, 0));
        let letter = graph.constant(8, u128::from(b'q'));
        let condition = graph.binary(Binary::Eq, byte, letter);
        let kind = StepKind::Branch { taken: true };
        let step = Step { event: 3, site, model_site: 0, kind, condition };
        Path { steps: vec![step], ..Path::default() }
    }

    fn atlas() -> Atlas<'static> {
        Atlas { counterpart: &|site| Some(site), cases: &|_| Vec::new(), aim: Aim::Prove }
    }

    #[test]
    fn versions_that_decide_alike_can_only_differ_in_their_unknown_ends() {
        let mut graph = Graph::new();
        let (old, new) = (path(&mut graph, 1), path(&mut graph, 1));
        let found = divergences(&mut graph, &old, &new, &atlas());
        assert_eq!(found.all, []);
        assert!(!found.diverges && !found.is_complete);
    }

    #[test]
    fn each_obligation_comes_after_the_steps_of_its_own_version_that_come_before_it() {
        let mut graph = Graph::new();
        let (mut old, mut new) = (path(&mut graph, 1), path(&mut graph, 1));
        let byte = graph.variable_expr(&Variable::byte(Origin::Stdin, 1));
        let zero = graph.constant(8, 0);
        let condition = graph.binary(Binary::Eq, byte, zero);
        let kind = Undefined::DivisionByZero;
        let never = graph.constant(1, 0);
        old.obligations.push(Obligation { event: 1, site: 8, kind, condition });
        new.obligations.push(Obligation { event: 5, site: 9, kind, condition });
        new.obligations.push(Obligation { event: 6, site: 9, kind, condition: never });
        let found = divergences(&mut graph, &old, &new, &atlas());
        let undefined = |version, site| DivergenceKind::Undefined { version, site, kind };
        let expected = [
            Divergence { old: 0, new: 1, goal: condition, kind: undefined(Version::New, 9) },
            Divergence { old: 0, new: 0, goal: condition, kind: undefined(Version::Old, 8) },
        ];
        assert_eq!(found.all, expected);
    }

    #[test]
    fn a_path_that_does_not_say_how_it_ends_cannot_be_compared() {
        let mut graph = Graph::new();
        let ending = |status| {
            let exit = parallax_run::trace::Exit::Exit;
            Some(parallax_path::Ending { site: 0, exit, status, expression: None })
        };
        let old = Path { ending: ending(0), ..Path::default() };
        let same = Path { ending: ending(0), ..Path::default() };
        let found = divergences(&mut graph, &old, &same, &atlas());
        assert!(found.is_complete && found.all.is_empty());
        let found = divergences(&mut graph, &old, &Path::default(), &atlas());
        assert!(!found.is_complete);
    }
}
