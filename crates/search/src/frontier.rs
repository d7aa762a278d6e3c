//! The pending flips.
//!
//! Flips are kept by what they lead to. A target that no run has reached is worth more than one that
//! is known, and each try makes a target less attractive, so that a loop does not starve the rest.
//!
//! There may be a million of them, so none is ranked anew before it comes to the front of its queue:
//! as good as all that happens makes a target less attractive.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use parallax_run::TestCase;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Context, Flip, Target, Way, decision::hash, strategy::Order};

/// A test of the campaign.
pub(crate) type TestId = usize;

/// Flips to one target that wait. More are forgotten, and counted.
const MOST_WAITING: usize = 48;
/// Flips of one test that are taken together.
const TOGETHER: usize = 8;
/// The most of them, where there are no others: their runs may make others worth more than the rest.
const MOST_TOGETHER: usize = 64;
/// Targets that are looked at for flips of tests that are taken already.
const LOOKED_AT: usize = 512;

/// How often a run may come to a place, roughly, until that makes its flips there less attractive: what
/// happens in the thousandth round of a loop is seldom worth the time that it takes to get there.
const FEW_ROUNDS: u32 = 5;
/// By how much more, roughly the times that it doubled, until they wait for repeated flips to pay.
const LATE: u32 = 4;

#[derive(Default)]
pub(crate) struct Frontier {
    order: Order,
    targets: BTreeMap<Key, Waiting>,
    /// Targets with flips that wait, by what may come of them.
    queues: [Queue; 3],
    /// How many flips wait.
    waiting: usize,
    /// What was reached and tried, wherever the run came from.
    anywhere: FxHashMap<Target, Known>,
    /// The same, by the callers of the function of the target.
    called: FxHashMap<(Target, u16), Known>,
    /// What came of flips at each place so far.
    places: FxHashMap<(u32, u32), Record>,
    /// Flips that were added once, whatever became of them.
    known: FxHashSet<u64>,
    tests: FxHashMap<TestId, Held>,
    next_test: TestId,
    pub(crate) forgotten: u64,
}

type Key = (Target, Context);

/// Targets by the rank that they had when they were put there, the best first.
type Queue = BTreeSet<(u32, Key)>;

/// How many targets a run was the first to reach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Novelty {
    /// At all.
    pub(crate) targets: usize,
    /// From these callers.
    pub(crate) called: usize,
    /// Texts that the program was looking for.
    pub(crate) words: usize,
}

/// What is known of a target.
#[derive(Clone, Copy, Default)]
struct Known {
    reached: bool,
    tries: u32,
}

/// What came of flips at a place.
#[derive(Clone, Copy, Default)]
struct Record {
    /// Runs that covered nothing new, of late.
    idle: u32,
}

impl Record {
    fn learn(&mut self, is_new: bool) {
        self.idle = if is_new { self.idle / 4 } else { self.idle + 1 };
    }

    /// How much less attractive the place has become: it fades as long as nothing comes of it.
    fn fading(self) -> u32 {
        (1 + self.idle).ilog2()
    }
}

/// A test that flips are waiting of.
struct Held {
    test: Arc<TestCase>,
    /// How many decisions it makes: what it costs to take a flip of it.
    length: usize,
    /// How many ways of branches it was the first to go.
    new: usize,
    waiting: usize,
}

#[derive(Default)]
struct Waiting {
    known: Known,
    flips: Vec<(TestId, Flip)>,
    queued: Option<Place>,
}

/// What may come of flips to a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Something new.
    Promising,
    /// A run was there, or a flip has failed to go there, but it is as near to a change as any run came: another path there
    /// may be one that leads on.
    Near,
    /// A run was there, or a flip has failed to go there.
    Repeated,
}

/// Where a target is queued.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    line: Line,
    rank: u32,
}

impl Place {
    /// Of a target that has to be ranked.
    const FRONT: Place = Place { line: Line::Promising, rank: 0 };
}

/// A branch to flip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) flip: Flip,
    /// How often others to the same target were tried before.
    pub(crate) tries: u32,
    /// Whether no run has reached it, so that much may be spent on it.
    pub(crate) is_new: bool,
}

/// Branches to flip, all of one test, in the order of their events.
pub(crate) struct Batch {
    pub(crate) test: Arc<TestCase>,
    pub(crate) flips: Vec<Attempt>,
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Frontier {
        Frontier { order, ..Frontier::default() }
    }

    /// Adds what a run could have done otherwise. `new` is how much it was the first to reach.
    pub(crate) fn add(&mut self, test: &Arc<TestCase>, flips: &[Flip], length: usize, new: usize) {
        let id = self.next_test;
        self.next_test += 1;
        let mut waiting = 0;
        for flip in flips {
            if !self.known.insert(flip.path) {
                continue;
            }
            let key = (flip.target, flip.context);
            let target = self.targets.entry(key).or_default();
            if target.flips.len() >= MOST_WAITING {
                // The oldest of a crowd is the least likely to bring anything new.
                let (oldest, _) = target.flips.remove(0);
                self.forgotten += 1;
                if oldest == id {
                    // Those of this test are not counted among all yet.
                    waiting -= 1;
                } else {
                    self.waiting -= 1;
                    release(&mut self.tests, oldest);
                }
            }
            target.flips.push((id, *flip));
            waiting += 1;
            // Only a deeper flip makes a target more attractive than it was.
            if target.queued.is_none() || self.order == Order::Deepest {
                let rank = self.rank_by_order(&key);
                self.queue(
                    key,
                    rank.map_or(Place::FRONT, |rank| Place { line: Line::Promising, rank }),
                );
            }
        }
        self.waiting += waiting;
        if waiting > 0 {
            self.tests.insert(id, Held { test: Arc::clone(test), length, new, waiting });
        }
    }

    /// Says that these targets were reached, and what of it is new, also inside library functions:
    /// a run that compares one more byte with what it wants to see gets on.
    pub(crate) fn reached(
        &mut self,
        targets: impl IntoIterator<Item = (Target, Context)>,
    ) -> Novelty {
        let mut novelty = Novelty::default();
        for (target, context) in targets {
            let reach =
                |known: &mut Known| usize::from(!std::mem::replace(&mut known.reached, true));
            let new = reach(self.anywhere.entry(target).or_default());
            let called = reach(self.called.entry((target, context.callers)).or_default());
            novelty.targets += new;
            novelty.called += called;
            if let Way::Equal(_) = target.way {
                novelty.words += new;
            }
            reach(&mut self.targets.entry((target, context)).or_default().known);
            if new + called > 0 {
                self.look_again(target);
            }
        }
        novelty
    }

    /// Has all that leads to a target be ranked anew: now that it can be reached, coming to it from
    /// elsewhere may be easier than it was.
    fn look_again(&mut self, target: Target) {
        let all = (target, Context::FIRST)..=(target, Context::LAST);
        let queued = self.targets.range(all).filter(|(_, waiting)| waiting.queued.is_some());
        let keys: Vec<Key> = queued.map(|(key, _)| *key).collect();
        for key in keys {
            self.queue(key, Place::FRONT);
        }
    }

    /// Puts a target to where it belongs.
    fn queue(&mut self, key: Key, place: Place) {
        self.dequeue(key);
        self.queues[place.line as usize].insert((place.rank, key));
        self.targets.entry(key).or_default().queued = Some(place);
    }

    fn dequeue(&mut self, key: Key) {
        let Some(waiting) = self.targets.get_mut(&key) else { return };
        let Some(Place { line, rank }) = waiting.queued.take() else { return };
        self.queues[line as usize].remove(&(rank, key));
    }

    /// Says what came of a flip.
    pub(crate) fn learn(&mut self, target: &Target, is_new: bool) {
        let record = self.places.entry((target.site, target.model_site)).or_default();
        record.learn(is_new);
    }

    /// How many flips wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// Takes out the most promising flips: at most `most` in all of at most `tests` tests, of which at most `near` may be
    /// such that others are more promising and that are near to a change.
    pub(crate) fn take_promising(
        &mut self,
        tests: usize,
        (most, near): (usize, usize),
        judge: &Judge<'_>,
    ) -> Vec<Batch> {
        let mut taken = self.batches(tests, most, Line::Promising, judge);
        let left = most - taken.iter().map(|batch| batch.flips.len()).sum::<usize>();
        taken.extend(self.batches(tests, left.min(near), Line::Near, judge));
        taken
    }

    /// Takes out flips to where runs have been, or that were tried often.
    pub(crate) fn take_repeated(
        &mut self,
        tests: usize,
        most: usize,
        judge: &Judge<'_>,
    ) -> Vec<Batch> {
        self.batches(tests, most, Line::Repeated, judge)
    }

    /// Has everything be ranked anew, also what could not help before.
    pub(crate) fn look_at_all_again(&mut self) {
        let waiting = self.targets.iter().filter(|(_, waiting)| !waiting.flips.is_empty());
        let keys: Vec<Key> = waiting.map(|(key, _)| *key).collect();
        for key in keys {
            self.queue(key, Place::FRONT);
        }
    }

    /// What a target is worth now; `None` if it cannot help.
    fn ranked(&self, key: &Key, judge: &Judge<'_>) -> Option<(Place, News)> {
        let (target, context) = key;
        let cost = (judge.cost)(target)?;
        if let Some(rank) = self.rank_by_order(key) {
            return Some((Place { line: Line::Promising, rank }, News::Target));
        }
        let anywhere = self.anywhere.get(target).copied().unwrap_or_default();
        let called = self.called.get(&(*target, context.callers)).copied().unwrap_or_default();
        let here = self.targets.get(key).map(|waiting| waiting.known).unwrap_or_default();
        let (news, tries) = match () {
            () if !anywhere.reached && !(judge.is_covered)(target) => {
                (News::Target, anywhere.tries)
            }
            () if !called.reached => (News::Callers, called.tries),
            () if !here.reached => (News::Context, here.tries),
            () => (News::None, here.tries),
        };
        let record =
            self.places.get(&(target.site, target.model_site)).copied().unwrap_or_default();
        let rounds = u32::from(context.rounds).saturating_sub(FEW_ROUNDS);
        let fading = match (news, target.way) {
            // Some places look for one text, others for another one each time.
            (News::Target, Way::Equal(_)) => 2 * record.fading(),
            (News::Target, _) => rounds,
            (News::Callers | News::Context | News::None, _) => record.fading() + 2 * rounds,
        };
        let rank = rank(target, tries, news) + fading + cost;
        // A later round of a loop is mostly like the one before it.
        let is_late = rounds > LATE && (news != News::Target || tries > 0);
        let place = match is_late || is_repeated(target, tries, news) {
            false => Place { line: Line::Promising, rank },
            // No way there is better than another, but for those that take long.
            true if rounds == 0 && (judge.is_near)(target) => {
                Place { line: Line::Near, rank: here.tries }
            }
            true => Place { line: Line::Repeated, rank },
        };
        Some((place, news))
    }

    /// The rank of a target where it is not up to what it may bring.
    fn rank_by_order(&self, key: &Key) -> Option<u32> {
        let waiting = self.targets.get(key)?;
        match self.order {
            Order::Ranked => None,
            Order::Random => {
                let flip = waiting.flips.last()?.1;
                Some(hash(flip.path, waiting.known.tries.into()) as u32)
            }
            Order::Deepest => {
                let deepest = waiting.flips.iter().map(|(id, flip)| (*id, flip.event)).max()?;
                let depth = (deepest.0 as u32) << 12 | deepest.1.min(0xfff);
                Some(u32::MAX - depth)
            }
        }
    }

    /// Takes out the best target of a queue. Those that do not belong to its front any more are put
    /// to where they do.
    fn first(&mut self, line: Line, judge: &Judge<'_>) -> Option<(Key, Place, News)> {
        loop {
            let &(rank, key) = self.queues[line as usize].first()?;
            let Some((place, news)) = self.ranked(&key, judge) else {
                self.dequeue(key);
                continue;
            };
            if place.line == line && place.rank <= rank {
                self.dequeue(key);
                return Some((key, place, news));
            }
            self.queue(key, place);
        }
    }

    fn batches(&mut self, count: usize, most: usize, line: Line, judge: &Judge<'_>) -> Vec<Batch> {
        let mut batches: Vec<(TestId, Vec<Attempt>)> = Vec::new();
        let mut looked_at = Vec::new();
        let mut taken = 0;
        while taken < most && looked_at.len() - taken < LOOKED_AT {
            let Some((key, place, news)) = self.first(line, judge) else { break };
            looked_at.push((key, place));
            let Some((test, flip, tries)) = self.choose(&key, &batches, count) else { continue };
            let attempt = Attempt { flip, tries, is_new: news == News::Target };
            taken += 1;
            match batches.iter_mut().find(|(id, _)| *id == test) {
                Some((_, flips)) => flips.push(attempt),
                None => batches.push((test, vec![attempt])),
            }
            if batches.len() >= count && batches.iter().all(|(_, flips)| flips.len() >= TOGETHER) {
                break;
            }
        }
        for (key, place) in looked_at {
            if self.targets.get(&key).is_some_and(|waiting| !waiting.flips.is_empty()) {
                self.queue(key, place);
            }
        }
        self.waiting -= taken;
        batches.into_iter().filter_map(|(test, flips)| self.batch(test, flips)).collect()
    }

    /// A flip to a target: of a test that is taken already if there is one, else of the one that is
    /// cheapest, has found most, or came last, each for one try in three.
    fn choose(
        &mut self,
        target: &Key,
        batches: &[(TestId, Vec<Attempt>)],
        count: usize,
    ) -> Option<(TestId, Flip, u32)> {
        let waiting = self.targets.get_mut(target)?;
        let has_room =
            |id: TestId| batches.iter().any(|(test, flips)| *test == id && flips.len() < TOGETHER);
        let taken = waiting.flips.iter().position(|(id, _)| has_room(*id));
        let position = match taken {
            _ if self.order == Order::Deepest => waiting.flips.len().checked_sub(1)?,
            Some(position) => position,
            None if batches.len() >= count => return None,
            None => {
                let tests = &self.tests;
                let held = |position: usize| tests.get(&waiting.flips[position].0);
                let length = |position| held(position).map_or(usize::MAX, |held| held.length);
                let new = |position| held(position).map_or(0, |held| held.new);
                let is_full = |position: usize| {
                    let id = waiting.flips[position].0;
                    let taken = batches.iter().find(|(test, _)| *test == id);
                    taken.is_some_and(|(_, flips)| flips.len() >= MOST_TOGETHER)
                };
                let open = || (0..waiting.flips.len()).filter(|at| !is_full(*at));
                let shortest = open().min_by_key(|at| length(*at))?;
                // Long runs are dear, and what they have that short ones have not is mostly noise.
                let bound = length(shortest).saturating_mul(2).saturating_add(20);
                let mut short = open().filter(|at| length(*at) <= bound);
                match waiting.known.tries % 3 {
                    0 => shortest,
                    1 => short.max_by_key(|at| (new(*at), *at))?,
                    _ => short.next_back()?,
                }
            }
        };
        let (test, flip) = waiting.flips.remove(position);
        waiting.known.tries += 1;
        self.called.entry((target.0, target.1.callers)).or_default().tries += 1;
        let anywhere = self.anywhere.entry(target.0).or_default();
        anywhere.tries += 1;
        Some((test, flip, anywhere.tries - 1))
    }

    fn batch(&mut self, id: TestId, mut flips: Vec<Attempt>) -> Option<Batch> {
        flips.sort_by_key(|attempt| attempt.flip.event);
        let test = Arc::clone(&self.tests.get(&id)?.test);
        for _ in &flips {
            release(&mut self.tests, id);
        }
        Some(Batch { test, flips })
    }
}

fn release(tests: &mut FxHashMap<TestId, Held>, id: TestId) {
    if let Some(held) = tests.get_mut(&id) {
        held.waiting -= 1;
        if held.waiting == 0 {
            tests.remove(&id);
        }
    }
}

/// What a target is worth to others.
pub(crate) struct Judge<'j> {
    /// Whether it was reached, as far as the program itself can tell.
    pub(crate) is_covered: &'j dyn Fn(&Target) -> bool,
    /// What it costs; `None` if it cannot help.
    pub(crate) cost: &'j dyn Fn(&Target) -> Option<u32>,
    /// Whether it is as near to a change as any run came.
    pub(crate) is_near: &'j dyn Fn(&Target) -> bool,
}

/// Whether a flip to a target is unlikely to bring anything: a run has reached it, or a flip has failed to.
fn is_repeated(target: &Target, tries: u32, news: News) -> bool {
    let most = match (target.way, news) {
        (Way::Fault | Way::Other, _) => 1,
        (_, News::Target) => 12,
        (Way::Equal(_), _) => 4,
        (_, News::Callers) => 6,
        (_, News::Context) => 2,
        (_, News::None) => 0,
    };
    tries >= most
}

/// What a flip would be the first to bring.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    /// Its target.
    Target,
    /// Its target, from these callers.
    Callers,
    /// Its target, coming from there.
    Context,
    /// Another path.
    None,
}

/// The less the better.
fn rank(target: &Target, tries: u32, news: News) -> u32 {
    // What happens inside a library function is the program's business only through what it returns.
    let is_own = target.model_site == 0;
    match (target.way, news) {
        (Way::Equal(_), News::Target) => 1 + 4 * tries,
        (Way::Equal(_), _) => 3 + 6 * tries,
        (Way::Fault | Way::Other, _) => 8 + 8 * tries,
        (_, News::Target) if is_own => tries,
        (_, News::Target) => 1 + 2 * tries,
        (_, News::Callers) if is_own => 1 + 2 * tries,
        (_, News::Callers) => 3 + 3 * tries,
        (_, News::Context) if is_own => 3 + 2 * tries,
        (_, News::Context) => 4 + 3 * tries,
        (_, News::None) if is_own => 6 + 4 * tries,
        (_, News::None) => 8 + 6 * tries,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Judge<'_> =
        Judge { is_covered: &|_| false, cost: &|_| Some(0), is_near: &|_| false };

    fn flip(site: u32, taken: bool, event: u32, path: u64) -> Flip {
        let target = Target { site, model_site: 0, way: Way::Branch(taken) };
        Flip { target, context: Context::default(), event, path }
    }

    /// At most so many flips of one test, the promising ones first.
    fn take(frontier: &mut Frontier, most: usize) -> Vec<Batch> {
        let mut taken = frontier.take_promising(1, (most, 0), &ANY);
        if taken.is_empty() {
            taken = frontier.take_repeated(1, most, &ANY);
        }
        taken
    }

    fn sites(batches: &[Batch]) -> Vec<u32> {
        let flips = batches.iter().flat_map(|batch| &batch.flips);
        flips.map(|attempt| attempt.flip.target.site).collect()
    }

    #[test]
    fn what_no_run_has_reached_comes_first() {
        let mut frontier = Frontier::default();
        let (known, new) = (flip(1, true, 0, 10), flip(2, true, 1, 11));
        frontier.reached([(known.target, Context::default())]);
        frontier.add(&Arc::default(), &[known, new], 2, 0);
        assert_eq!(sites(&take(&mut frontier, 1)), [2]);
        assert_eq!(sites(&take(&mut frontier, 1)), [1]);
        assert!(take(&mut frontier, 1).is_empty());
    }

    #[test]
    fn the_same_flip_of_another_test_is_not_taken_again() {
        let mut frontier = Frontier::default();
        for _ in 0..2 {
            frontier.add(&Arc::default(), &[flip(1, true, 0, 10)], 1, 0);
        }
        assert_eq!(frontier.len(), 1);
    }

    #[test]
    fn a_test_that_crowds_a_target_forgets_its_own_flips() {
        let mut frontier = Frontier::default();
        let flips: Vec<_> = (0..60).map(|path| flip(1, true, path, path.into())).collect();
        frontier.add(&Arc::default(), &flips, 60, 0);
        assert_eq!((frontier.len(), frontier.forgotten), (MOST_WAITING, 60 - MOST_WAITING as u64));
        while !take(&mut frontier, 8).is_empty() {}
        assert_eq!(frontier.len(), 0);
        assert!(frontier.tests.is_empty(), "no flip waits of it");
    }

    #[test]
    fn what_was_tried_often_waits_for_the_rest() {
        let mut frontier = Frontier::default();
        let often: Vec<_> = (0..5).map(|n| flip(1, true, n, u64::from(n))).collect();
        frontier.add(&Arc::default(), &often, 5, 0);
        for _ in 0..2 {
            assert_eq!(sites(&take(&mut frontier, 1)), [1]);
        }
        frontier.add(&Arc::default(), &[flip(2, true, 0, 100)], 5, 0);
        assert_eq!(sites(&take(&mut frontier, 1)), [2]);
    }

    #[test]
    fn places_that_bring_nothing_fade() {
        let mut frontier = Frontier::default();
        let (dull, rich) = (flip(1, true, 0, 1), flip(2, true, 1, 2));
        for flip in [dull, rich] {
            frontier.reached([(flip.target, Context { before: 1, ..Context::default() })]);
        }
        for _ in 0..100 {
            frontier.learn(&dull.target, false);
            frontier.learn(&rich.target, true);
        }
        frontier.add(&Arc::default(), &[dull, rich], 2, 0);
        assert_eq!(sites(&take(&mut frontier, 1)), [2]);
    }
}
