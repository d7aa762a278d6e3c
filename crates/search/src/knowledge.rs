//! What a campaign knows between rounds. Generators read it, and draw what they propose from it.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use parallax_run::TestCase;

use crate::{
    Bounds, Code, Coverage, Guide, Known, Policy, Target, Way,
    cost::Costs,
    frontier::{Frontier, Judge, Novelty},
    outcome::Ran,
    splice::Chance,
    worker::Seen,
};

/// Tests that are remembered although they cover nothing new.
const MOST_OTHERS: usize = 256;
/// Texts that a program prints at one place and that are told apart.
const MOST_TEXTS: usize = 16;
/// The most tokens that are learnt, and the longest.
const MOST_TOKENS: usize = 256;
const LONGEST_TOKEN: usize = 32;

/// What a campaign knows.
pub(crate) struct Knowledge {
    pub(crate) policy: Policy,
    /// What is known of both versions, if there are two.
    pub(crate) guide: Option<Arc<dyn Guide>>,
    /// The pending flips.
    pub(crate) frontier: Frontier,
    pub(crate) corpus: Corpus,
    pub(crate) coverage: Coverage,
    /// What runs did so far. What a change does depends on what else the same run does, so that is part of it.
    pub(crate) seen: Arc<Seen>,
    pub(crate) reach: Reach,
    pub(crate) tokens: Tokens,
    pub(crate) chance: Chance,
    /// Rounds since the last one that has kept a test.
    pub(crate) stalled: u32,
    /// What the observer has found out.
    pub(crate) known: Arc<Known>,
}

impl Knowledge {
    pub(crate) fn new(
        policy: Policy,
        bounds: Bounds,
        code: &Code,
        guide: Option<Arc<dyn Guide>>,
    ) -> Knowledge {
        Knowledge {
            frontier: Frontier::new(policy.order()),
            policy,
            guide,
            corpus: Corpus::new(bounds),
            coverage: Coverage::new(code.branches.iter().copied()),
            seen: Arc::default(),
            reach: Reach::default(),
            tokens: Tokens::of(&code.words),
            chance: Chance::new(1),
            stalled: 0,
            known: Arc::default(),
        }
    }
}

impl Knowledge {
    /// Has flips taken from the frontier, judged by all that is known.
    pub(crate) fn with_judge<T>(&mut self, take: impl FnOnce(&mut Frontier, &Judge<'_>) -> T) -> T {
        let Knowledge { policy, guide, frontier, coverage, reach, stalled, known, .. } = self;
        let costs = Costs::new(guide.as_deref(), policy, &reach.executed, *stalled, &known.done);
        take(
            frontier,
            &Judge {
                is_covered: &|target| is_covered(coverage, target),
                cost: &|target| costs.of(target),
                is_near: &|target| costs.is_near(target, &reach.nearest),
            },
        )
    }
}

impl Knowledge {
    /// Adds what a run has shown, and says what of it is new.
    pub(crate) fn learn(&mut self, ran: &Ran) -> Discovery {
        let Knowledge { policy, frontier, corpus, reach, tokens, .. } = self;
        let branches = self.coverage.add(&ran.places);
        let beside = Arc::make_mut(&mut self.seen).add(ran);
        let beside = if policy.follows_effects() { beside } else { 0 };
        if let Some(flip) = ran.flip {
            frontier.learn(&flip.target, branches > 0);
        }
        let mut wanted: Vec<_> = ran.decisions.wanted.iter().collect();
        wanted.sort_unstable();
        wanted.iter().for_each(|word| tokens.learn(word));
        let mut discovery = Discovery {
            is_first: corpus.add(&ran.test),
            branches,
            beside,
            novelty: frontier.reached(ran.decisions.gone.iter().copied()),
            says_new: corpus.says_something_new(&ran.decisions.printed),
            is_new_path: !ran.relation.executed.is_empty() && corpus.add_path(ran.decisions.path),
            approaches: Vec::new(),
        };
        if policy.is_guided() && discovery.is_kept() {
            discovery.approaches = reach.approach(&ran.distances);
        }
        discovery
    }

    /// Adds the test of a run and its flips to those that are gone on from.
    pub(crate) fn admit(&mut self, Observed { ran, test, discovery }: &Observed<'_>) {
        if discovery.is_kept() {
            self.corpus.keep(test);
        } else if discovery.is_notable() {
            self.corpus.note(test);
        }
        if discovery.approaches.iter().any(|approach| approach.is_nearer) {
            self.frontier.look_at_all_again();
        }
        if discovery.is_first {
            let (flips, count) = (&ran.decisions.flips, ran.decisions.count);
            self.frontier.add(test, flips, count, discovery.branches);
        }
    }
}

/// Whether the program's own coverage says that a target was reached, also by a run for which the
/// branch was concrete.
fn is_covered(coverage: &Coverage, target: &Target) -> bool {
    match target.way {
        Way::Branch(taken) if target.model_site == 0 => {
            coverage.has(target.site + u32::from(!taken))
        }
        _ => false,
    }
}

/// The tests of a campaign.
pub(crate) struct Corpus {
    bounds: Bounds,
    /// The given tests of which not all may be changed.
    fixed: Vec<TestCase>,
    /// All that were run.
    all: HashSet<TestCase>,
    /// Those that cover something new, in the order in which they were found.
    kept: Vec<Arc<TestCase>>,
    /// Those that did something that no other did, and covered nothing new; the last one first.
    others: VecDeque<Arc<TestCase>>,
    /// The paths of those that execute a change.
    paths: HashSet<u64>,
    /// What they have printed, by where.
    printed: HashMap<u32, HashSet<u64>>,
}

impl Corpus {
    fn new(bounds: Bounds) -> Corpus {
        Corpus {
            bounds,
            fixed: Vec::new(),
            all: HashSet::new(),
            kept: Vec::new(),
            others: VecDeque::new(),
            paths: HashSet::new(),
            printed: HashMap::new(),
        }
    }

    /// Takes the tests that a campaign begins with, and says of how many not all may be changed.
    pub(crate) fn begin(&mut self, seeds: &[TestCase]) -> u64 {
        self.fixed = seeds.iter().filter(|seed| !seed.fixed.is_empty()).cloned().collect();
        self.fixed.len() as u64
    }

    pub(crate) fn kept(&self) -> &[Arc<TestCase>] {
        &self.kept
    }

    pub(crate) fn others(&self) -> &VecDeque<Arc<TestCase>> {
        &self.others
    }

    /// Adds a test that was run; `false` if it was run before.
    pub(crate) fn add(&mut self, test: &TestCase) -> bool {
        self.all.insert(test.clone())
    }

    /// Adds a test that covers something new.
    pub(crate) fn keep(&mut self, test: &Arc<TestCase>) {
        self.kept.push(Arc::clone(test));
    }

    /// Adds a test that does something new and covers nothing new.
    pub(crate) fn note(&mut self, test: &Arc<TestCase>) {
        self.others.truncate(MOST_OTHERS - 1);
        self.others.push_front(Arc::clone(test));
    }

    /// Adds the path of a run that executes a change; `false` if there was one before.
    pub(crate) fn add_path(&mut self, path: u64) -> bool {
        self.paths.insert(path)
    }

    /// Whether a run has printed something that no run has printed there; not if something else is
    /// printed there all the time.
    pub(crate) fn says_something_new(&mut self, printed: &BTreeSet<(u32, u64)>) -> bool {
        let mut is_new = false;
        for (site, text) in printed {
            let known = self.printed.entry(*site).or_default();
            is_new |= known.len() < MOST_TEXTS && known.insert(*text);
        }
        is_new
    }

    /// Whether a test may be run and was not.
    pub(crate) fn is_wanted(&self, test: &TestCase) -> bool {
        !self.all.contains(test) && self.is_allowed(test)
    }

    /// Whether a test is within the bounds and has what must not be changed.
    pub(crate) fn is_allowed(&self, test: &TestCase) -> bool {
        let keeps = |given: &TestCase| given.fixed == test.fixed && given.is_kept_by(test);
        self.bounds.admit(test) && (test.fixed.is_empty() || self.fixed.iter().any(keeps))
    }
}

/// How near runs came to the changes.
#[derive(Default)]
pub(crate) struct Reach {
    /// The changes that were executed, with the number of the run that did so first.
    pub(crate) executed: BTreeMap<usize, u64>,
    /// The fewest decisions that were left to each other one.
    pub(crate) nearest: BTreeMap<usize, u32>,
}

/// A run that came as near to a change as any before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Approach {
    /// Whether it came nearer.
    pub(crate) is_nearer: bool,
}

impl Reach {
    /// Takes note of how many decisions were left to each change.
    pub(crate) fn approach(&mut self, distances: &[Option<u32>]) -> Vec<Approach> {
        let Reach { executed, nearest } = self;
        let mut approaches = Vec::new();
        for (change, distance) in distances.iter().enumerate() {
            let Some(distance) = *distance else { continue };
            let least = nearest.get(&change).copied().unwrap_or(u32::MAX);
            if executed.contains_key(&change) || distance > least {
                continue;
            }
            nearest.insert(change, distance);
            approaches.push(Approach { is_nearer: distance < least });
        }
        approaches
    }
}

/// The dictionary: texts that may mean something to the program.
pub(crate) struct Tokens {
    /// The strings in it.
    pub(crate) program: Vec<Vec<u8>>,
    /// Those of them that could be names of something.
    pub(crate) names: Vec<Vec<u8>>,
    /// Those that it was seen to compare parts of its input with.
    pub(crate) learnt: Vec<Vec<u8>>,
}

impl Tokens {
    fn of(program: &[Vec<u8>]) -> Tokens {
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let mut names = Vec::new();
        for word in program.iter().filter(|word| word.len() > 1 && word.iter().all(is_part)) {
            add_token(&mut names, word);
        }
        Tokens { program: program.to_vec(), names, learnt: Vec::new() }
    }

    /// Adds a text that the program has compared with a part of its input.
    pub(crate) fn learn(&mut self, word: &[u8]) {
        add_token(&mut self.learnt, word);
    }
}

fn add_token(tokens: &mut Vec<Vec<u8>>, word: &[u8]) {
    let fits = (1..=LONGEST_TOKEN).contains(&word.len()) && tokens.len() < MOST_TOKENS;
    if fits && !tokens.iter().any(|known| known == word) {
        tokens.push(word.to_vec());
    }
}

/// A run that was added to what is known.
pub(crate) struct Observed<'r> {
    pub(crate) ran: &'r Ran,
    pub(crate) test: &'r Arc<TestCase>,
    pub(crate) discovery: Discovery,
}

/// What a run was the first to do.
pub(crate) struct Discovery {
    /// Whether its test was not run before.
    pub(crate) is_first: bool,
    /// Ways of branches that it was the first to go.
    pub(crate) branches: usize,
    /// The same together with a change.
    pub(crate) beside: usize,
    pub(crate) novelty: Novelty,
    /// Whether it has printed something new.
    pub(crate) says_new: bool,
    /// Whether it executes a change on a path that no run has taken before.
    pub(crate) is_new_path: bool,
    /// The changes that it came as near to as any run before it.
    pub(crate) approaches: Vec<Approach>,
}

impl Discovery {
    /// Whether its test is added to those that cover something new.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_first && self.branches + self.beside > 0
    }

    /// Whether it covers nothing new and does something in a new way.
    pub(crate) fn is_notable(&self) -> bool {
        let Novelty { called, words, .. } = self.novelty;
        self.is_first && !self.is_kept() && (called > 0 || self.says_new || words > 0)
    }

    /// What it is worth to the generator that has made it: what is new on the way may lead to more.
    pub(crate) fn worth(&self) -> u64 {
        let steps = self.novelty.targets + self.novelty.called + usize::from(self.says_new);
        (8 * self.branches + 4 * self.beside + steps) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_comes_as_near_as_any_approaches_and_an_executed_change_is_not_approached() {
        let mut reach = Reach::default();
        assert_eq!(reach.approach(&[Some(4), None]), [Approach { is_nearer: true }]);
        assert_eq!(reach.approach(&[Some(4), None]), [Approach { is_nearer: false }]);
        assert_eq!(reach.approach(&[Some(5), None]), []);
        reach.executed.insert(0, 1);
        let nearer = Approach { is_nearer: true };
        assert_eq!(reach.approach(&[Some(1), Some(7)]), [nearer]);
        assert_eq!(reach.nearest, BTreeMap::from([(0, 4), (1, 7)]));
    }

    #[test]
    fn tokens_are_learnt_once_and_names_are_those_that_look_like_one() {
        let words = ["--help", "usage: %s", "x", "--help"].map(|word| word.as_bytes().to_vec());
        let mut tokens = Tokens::of(&words);
        assert_eq!(tokens.names, [b"--help".to_vec()]);
        for word in [&b"let"[..], b"let", b"", &[b'a'; 33]] {
            tokens.learn(word);
        }
        assert_eq!(tokens.learnt, [b"let".to_vec()]);
    }

    #[test]
    fn what_is_printed_is_new_once_and_not_at_all_where_everything_is() {
        let mut corpus = Corpus::new(Bounds::default());
        let mut says =
            |site, text| corpus.says_something_new(&[(site, text)].into_iter().collect());
        assert!(says(1, 10) && !says(1, 10) && says(2, 10));
        let new = (0..100).filter(|text| says(3, *text)).count();
        assert_eq!(new, MOST_TEXTS);
    }
}
