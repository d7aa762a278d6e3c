//! Renamed functions, matched by their bodies.
//!
//! A function is the set of its runs of three instructions, with all locals and unpaired functions
//! equal. Only functions that share a rare run are compared, so the time grows with the size of the
//! programs and not with its square.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

use parallax_program::{Function, Program};

use crate::{
    inside::body::{Body, Form, Value},
    whole::hash::hash_of,
    whole::identity::Identities,
    whole::name,
    whole::pairing::Pairing,
};

/// Least common share of two bodies.
const ENOUGH: f64 = 0.6;

/// A run in more functions than this identifies none.
const COMMON: usize = 40;

/// A body with fewer instructions may be similar to another one by chance.
const TELLING: usize = 16;

/// Greatest ratio of the numbers of instructions.
const RATIO: usize = 3;

/// A body as the runs of instructions in it, and how often each occurs.
struct Sketch {
    runs: HashMap<u64, u32>,
    size: usize,
}

/// Pairs the functions without a counterpart whose bodies are similar, the most similar first.
pub(crate) fn join(
    old: &Program,
    new: &Program,
    (left, right): (&Identities, &Identities),
    functions: &mut Pairing,
) {
    let sketches = |program: &Program, identities: &Identities, lonely: Vec<usize>| {
        let defined = lonely.into_iter().filter(|&it| !program.functions[it].blocks.is_empty());
        let sketch = |it: usize| Sketch::of(program, identities, &program.functions[it]);
        defined.map(|it| (it, sketch(it))).collect::<Vec<_>>()
    };
    let olds = sketches(old, left, functions.lonely_old());
    let news = sketches(new, right, functions.lonely_new());
    let mut pairs = Vec::new();
    for (x, y) in candidates(&olds, &news) {
        let ((x, one), (y, other)) = (&olds[x], &news[y]);
        let (f, g) = (&old.functions[*x], &new.functions[*y]);
        let same_signature = left.signature(f) == right.signature(g);
        let same_file = name::of_file(old, f.location) == name::of_file(new, g.location);
        let likeness = one.likeness(other);
        let is_telling = one.size.min(other.size) >= TELLING || same_file && same_signature;
        if likeness >= ENOUGH && is_telling {
            let rank = ((likeness * 1000.0) as u32, same_signature, same_file);
            pairs.push((Reverse(rank), *x, *y));
        }
    }
    pairs.sort_unstable();
    for (_, x, y) in pairs {
        functions.join(x, y);
    }
}

/// The pairs that are worth comparing.
fn candidates(olds: &[(usize, Sketch)], news: &[(usize, Sketch)]) -> BTreeSet<(usize, usize)> {
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, (_, sketch)) in news.iter().enumerate() {
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each list is in the order of the functions"
        )]
        for run in sketch.runs.keys() {
            having.entry(*run).or_default().push(index);
        }
    }
    having.retain(|_, functions| functions.len() <= COMMON);
    let mut pairs = BTreeSet::new();
    for (index, (_, sketch)) in olds.iter().enumerate() {
        let partners = sketch.runs.keys().filter_map(|run| having.get(run)).flatten();
        let alike = partners.filter(|&&it| sketch.is_of_size(&news[it].1));
        pairs.extend(alike.map(|&partner| (index, partner)));
    }
    pairs
}

impl Sketch {
    fn of(program: &Program, identities: &Identities, function: &Function) -> Sketch {
        let body = Body::new(program, identities, Form::of(&[function]), function);
        let token = |item: usize| {
            let values = body.items[item].values.iter().map(|value| match value {
                Value::Local(local) => body.locals[*local].size,
                _ => 0,
            });
            hash_of((body.items[item].base, values.collect::<Vec<_>>()))
        };
        let tokens: Vec<u64> = (0..body.items.len()).map(token).collect();
        let ends = [0, 0];
        let padded: Vec<u64> = ends.into_iter().chain(tokens).chain(ends).collect();
        let mut runs = HashMap::new();
        for run in padded.windows(3) {
            *runs.entry(hash_of(run)).or_default() += 1;
        }
        Sketch { runs, size: padded.len() }
    }

    fn is_of_size(&self, other: &Sketch) -> bool {
        self.size <= RATIO * other.size && other.size <= RATIO * self.size
    }

    /// The share of both bodies that is in the other, from 0 to 1.
    fn likeness(&self, other: &Sketch) -> f64 {
        let shared = self
            .runs
            .iter()
            .map(|(run, &count)| other.runs.get(run).map_or(0, |&theirs| count.min(theirs)));
        let total = (self.size + other.size - 4) as f64;
        2.0 * f64::from(shared.sum::<u32>()) / total.max(1.0)
    }
}
