//! A proof goes through all pairs of paths: held against random programs whose inputs can be enumerated.
//!
//! The solver is replaced by enumeration. From one input on, every flip of the new version and every divergence that is
//! possible leads to one more input, whichever the enumeration finds. When none is left, each input must take a pair of
//! paths that was visited, and if the versions differ on any input, then on one of those that were visited, or the
//! query about their outputs must have had an answer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use parallax_path::Ending;
use parallax_run::trace::Exit;
use parallax_solve::{Evaluation, Origin, Variable};

use super::*;
use crate::splice::Chance;

/// Inputs are two bytes below this.
const VALUES: u64 = 8;
/// Random pairs of programs.
const PAIRS: u64 = 400;
/// Decisions on the longest path.
const DEPTH: u32 = 4;

type Input = [u64; 2];

/// The decisions of a path: places and ways.
type Gone = Vec<(u32, u64)>;

/// A program: a tree of decisions over two bytes.
#[derive(Clone, Debug)]
enum Tree {
    /// A branch at a place: whether the sum of a byte and a part of the other one is below a bound.
    Branch { site: u32, test: Test, ways: Box<[Tree; 2]> },
    /// A switch on a byte.
    Switch { site: u32, byte: usize, cases: Vec<(u64, Tree)>, default: Box<Tree> },
    /// The exit status, and whether a byte is added to it.
    Leaf { status: u64, byte: Option<usize> },
}

#[derive(Clone, Copy, Debug)]
struct Test {
    byte: usize,
    mask: u64,
    below: u64,
}

impl Test {
    fn random(chance: &mut Chance) -> Test {
        let draw = |chance: &mut Chance, most| chance.below(most) as u64;
        Test { byte: chance.below(2), mask: draw(chance, 8), below: 1 + draw(chance, 10) }
    }
}

fn tree(chance: &mut Chance, depth: u32, sites: &mut u32) -> Tree {
    if depth == 0 || chance.below(5) == 0 {
        let byte = (chance.below(3) == 0).then(|| chance.below(2));
        return Tree::Leaf { status: chance.below(3) as u64, byte };
    }
    *sites += 10;
    let site = *sites;
    if chance.below(4) == 0 {
        let values: BTreeSet<u64> = (0..2).map(|_| chance.below(8) as u64).collect();
        let cases = values.into_iter().map(|value| (value, tree(chance, depth - 1, sites)));
        let cases = cases.collect();
        let default = Box::new(tree(chance, depth - 1, sites));
        return Tree::Switch { site, byte: chance.below(2), cases, default };
    }
    let test = Test::random(chance);
    let ways = Box::new([tree(chance, depth - 1, sites), tree(chance, depth - 1, sites)]);
    Tree::Branch { site, test, ways }
}

/// The tree with some edits; places that are edited have no counterpart any more now and then.
fn edited(chance: &mut Chance, from: &Tree, sites: &mut u32, apart: &mut BTreeSet<u32>) -> Tree {
    if chance.below(6) == 0 {
        let depth = chance.below(3) as u32;
        return tree(chance, depth, sites);
    }
    match from {
        Tree::Leaf { status, byte } => match chance.below(8) {
            0 => Tree::Leaf { status: status + 1, byte: *byte },
            1 => Tree::Leaf { status: *status, byte: None },
            _ => from.clone(),
        },
        Tree::Branch { site, test, ways } => {
            let test = if chance.below(3) == 0 { Test::random(chance) } else { *test };
            if chance.below(6) == 0 {
                apart.insert(*site);
            }
            let ways = [0, 1].map(|way| edited(chance, &ways[way], sites, apart));
            Tree::Branch { site: *site, test, ways: Box::new(ways) }
        }
        Tree::Switch { site, byte, cases, default } => {
            let cases = cases.iter();
            let cases = cases.map(|(value, way)| (*value, edited(chance, way, sites, apart)));
            let cases = cases.collect();
            let default = Box::new(edited(chance, default, sites, apart));
            Tree::Switch { site: *site, byte: *byte, cases, default }
        }
    }
}

/// The values of the switches of a tree, by their places.
fn cases_in(tree: &Tree, found: &mut BTreeMap<u32, Vec<u64>>) {
    match tree {
        Tree::Leaf { .. } => {}
        Tree::Branch { ways, .. } => ways.iter().for_each(|way| cases_in(way, found)),
        Tree::Switch { site, cases, default, .. } => {
            found.insert(*site, cases.iter().map(|(value, _)| *value).collect());
            cases.iter().for_each(|(_, way)| cases_in(way, found));
            cases_in(default, found);
        }
    }
}

fn variable(byte: usize) -> Variable {
    Variable::byte(Origin::Stdin, byte as u32)
}

/// The path of an input, with the hash of its decisions, and its exit status.
fn path(graph: &mut Graph, tree: &Tree, input: Input) -> (Path, Gone, u64) {
    let (mut path, mut gone, mut at) = (Path::default(), Vec::new(), tree);
    loop {
        let event = path.steps.len() as u32;
        let (site, kind, condition) = match at {
            Tree::Leaf { status, byte } => {
                let value = (status + byte.map_or(0, |byte| input[byte])) & 0xff;
                let expression = byte.map(|byte| {
                    let wide = graph.variable_expr(&variable(byte));
                    let wide = graph.resize(wide, 32);
                    let status = graph.constant(32, u128::from(*status));
                    graph.binary(Binary::Add, wide, status)
                });
                path.ending = Some(Ending { site: 1, exit: Exit::Exit, status: value, expression });
                return (path, gone, value);
            }
            Tree::Branch { site, test, ways } => {
                let Test { byte, mask, below } = *test;
                let taken = input[byte] + (input[1 - byte] & mask) < below;
                let (one, other) = (variable(byte), variable(1 - byte));
                let (one, other) = (graph.variable_expr(&one), graph.variable_expr(&other));
                let (mask, below) =
                    (graph.constant(8, mask.into()), graph.constant(8, below.into()));
                let part = graph.binary(Binary::And, other, mask);
                let sum = graph.binary(Binary::Add, one, part);
                let condition = graph.binary(Binary::ULt, sum, below);
                let condition = if taken { condition } else { graph.not(condition) };
                gone.push((*site, u64::from(taken)));
                at = &ways[usize::from(taken)];
                (*site, StepKind::Branch { taken }, condition)
            }
            Tree::Switch { site, byte, cases, default } => {
                let (value, on) = (input[*byte], graph.variable_expr(&variable(*byte)));
                let way = cases.iter().position(|(case, _)| *case == value);
                let condition = match way {
                    Some(_) => {
                        let constant = graph.constant(8, u128::from(value));
                        graph.binary(Binary::Eq, on, constant)
                    }
                    None => cases.iter().fold(graph.constant(1, 1), |none, (case, _)| {
                        let constant = graph.constant(8, u128::from(*case));
                        let differs = graph.binary(Binary::Ne, on, constant);
                        graph.binary(Binary::And, none, differs)
                    }),
                };
                gone.push((*site, way.map_or(u64::MAX, |way| way as u64)));
                at = way.map_or(&**default, |way| &cases[way].1);
                (*site, StepKind::Switch { value, on }, condition)
            }
        };
        path.steps.push(Step { event, site, model_site: 0, kind, condition });
    }
}

fn inputs() -> impl Iterator<Item = Input> {
    (0..VALUES).flat_map(|one| (0..VALUES).map(move |other| [one, other]))
}

/// The first input from some point on for which all conditions hold.
fn solved(graph: &Graph, conditions: &[ExprId], start: usize) -> Option<Input> {
    let all: Vec<Input> = inputs().collect();
    let rotated = (0..all.len()).map(|at| all[(at + start) % all.len()]);
    rotated.into_iter().find(|input| {
        let value = |wanted: &Variable| {
            (0..2).find(|byte| variable(*byte) == *wanted).map(|byte| u128::from(input[byte]))
        };
        let mut evaluation = Evaluation::new(graph, &value);
        conditions.iter().all(|condition| evaluation.value(*condition) == Ok(1))
    })
}

/// All that exhausting a pair of programs from one input has shown.
#[derive(Default)]
struct Exhausted {
    /// The pairs of paths that inputs took.
    visited: BTreeSet<[Gone; 2]>,
    /// Whether an input that was visited tells the versions apart, or may.
    differs: bool,
}

fn exhausted(old: &Tree, new: &Tree, apart: &BTreeSet<u32>, start: usize) -> Exhausted {
    let mut cases = BTreeMap::new();
    cases_in(new, &mut cases);
    cases_in(old, &mut cases);
    let cases = |site: u32| cases.get(&site).cloned().unwrap_or_default();
    let counterpart = |site: u32| (!apart.contains(&site)).then_some(site);
    let atlas = Atlas { counterpart: &counterpart, cases: &cases, aim: Aim::Prove };
    let mut exhausted = Exhausted::default();
    let first = inputs().nth(start % 64).expect("there are 64 inputs");
    let mut pending = VecDeque::from([first]);
    while let Some(input) = pending.pop_front() {
        let mut graph = Graph::new();
        let (left, old_gone, old_status) = path(&mut graph, old, input);
        let (right, new_gone, new_status) = path(&mut graph, new, input);
        exhausted.differs |= old_status != new_status;
        if !exhausted.visited.insert([old_gone, new_gone]) {
            continue;
        }
        let found = divergences(&mut graph, &left, &right, &atlas);
        assert!(found.is_complete, "both ends are known");
        let conditions =
            |steps: &[Step]| steps.iter().map(|step| step.condition).collect::<Vec<_>>();
        let mut queries = Vec::new();
        for divergence in &found.all {
            let mut all = conditions(&right.steps[..divergence.new]);
            all.extend(conditions(&left.steps[..divergence.old]));
            all.push(divergence.goal);
            queries.push((all, divergence.kind));
        }
        for (number, step) in right.steps.iter().enumerate() {
            for goal in flips(&mut graph, step, &cases) {
                let all = [conditions(&right.steps[..number]), vec![goal]].concat();
                queries.push((all, DivergenceKind::NewFlips));
            }
        }
        for (all, kind) in queries {
            let answer = solved(&graph, &all, start);
            exhausted.differs |= kind == DivergenceKind::Output && answer.is_some();
            pending.extend(answer);
        }
    }
    exhausted
}

#[test]
fn no_pair_of_paths_is_missed_and_no_difference() {
    let mut differing = 0;
    for number in 0..PAIRS {
        let mut chance = Chance::new(number << 20);
        let (mut sites, mut apart) = (0, BTreeSet::new());
        let old = tree(&mut chance, DEPTH, &mut sites);
        let new = edited(&mut chance, &old, &mut sites, &mut apart);
        let exhausted = exhausted(&old, &new, &apart, chance.below(64));
        let mut differs = false;
        for input in inputs() {
            let mut graph = Graph::new();
            let (_, old_gone, old_status) = path(&mut graph, &old, input);
            let (_, new_gone, new_status) = path(&mut graph, &new, input);
            differs |= old_status != new_status;
            assert!(
                exhausted.visited.contains(&[old_gone, new_gone]),
                "pair {number}: the paths of {input:?} are missing\n{old:?}\n{new:?}"
            );
        }
        assert_eq!(exhausted.differs, differs, "pair {number}:\n{old:?}\n{new:?}");
        differing += u64::from(differs);
    }
    assert!((PAIRS / 10..PAIRS * 9 / 10).contains(&differing), "{differing} of {PAIRS} differ");
}
