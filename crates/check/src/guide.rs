//! The guide of a search: static facts about both versions, by the place numbers of traces.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    ops::Range,
};

use parallax_change::{Changes, Impact};
use parallax_instrument::{Place, SymbolicBuild};
use parallax_program::{BlockId, FunctionId, Opcode, Program, SiteId, Version, graph::WholeFlow};
use parallax_search::{Coverage, Guide, Mark, Marks, Nearness, Target, Way};

use crate::study::Study;

/// The distance of flips inside a library function: they decide what it returns, which takes a few
/// steps more.
const INSIDE_LIBRARY: u32 = 3;

/// The guide for two versions.
pub(crate) struct Map {
    marks: Vec<Marks>,
    /// The nearness of each place of the new version to each change.
    nearness: Vec<Vec<Nearness>>,
    /// The number of decisions from each place to each change.
    distances: Vec<Vec<Option<u32>>>,
    /// Places of the old version to their counterparts in the new one.
    counterparts: HashMap<u32, u32>,
    /// The values of switches, by their places.
    cases: HashMap<u32, Vec<u64>>,
    /// The places of the ways of each decision.
    decisions: Vec<Range<u32>>,
}

impl Map {
    pub(crate) fn new(study: &Study<'_>, old: &SymbolicBuild, new: &SymbolicBuild) -> Map {
        let (olds, news) = (Side::new(study.old, old), Side::new(study.new, new));
        let marks = study.changes.changes.iter().map(|change| Marks {
            new: news.mark(&sites(change.site, &change.new_sites)),
            old: olds.mark(&sites(change.old_site, &change.old_sites)),
        });
        Map {
            marks: marks.collect(),
            nearness: study.impacts.iter().map(|impact| news.nearness(impact)).collect(),
            distances: study.impacts.iter().map(|impact| news.distances(impact)).collect(),
            counterparts: counterparts(&olds, &news, study.changes),
            cases: news.cases(),
            decisions: news.decisions().collect(),
        }
    }

    /// The first place of the decision nearest to a change that runs executed without taking the
    /// way towards it.
    pub(crate) fn near_miss(&self, coverage: &Coverage, change: usize) -> Option<u32> {
        let flipped_to = |ways: &Range<u32>| {
            let is_met = ways.clone().any(|way| coverage.has(way));
            let others = ways.clone().filter(|way| is_met && !coverage.has(*way));
            others.filter_map(|way| self.distance(way, change)).min()
        };
        let near = self.decisions.iter().filter_map(|ways| Some((flipped_to(ways)?, ways.start)));
        near.min().map(|(_, first)| first)
    }

    /// The place of the way that a flip targets.
    fn place(&self, target: &Target) -> u32 {
        let cases = || self.cases.get(&target.site).map_or(&[][..], Vec::as_slice);
        match target.way {
            Way::Branch(taken) if target.model_site == 0 => target.site + u32::from(!taken),
            Way::Case(value) if target.model_site == 0 => {
                let case = cases().iter().position(|case| *case == value);
                target.site + case.map_or(0, |case| case as u32 + 1)
            }
            _ => target.site,
        }
    }
}

impl Guide for Map {
    fn changes(&self) -> &[Marks] {
        &self.marks
    }

    fn nearness(&self, target: &Target, change: usize) -> Nearness {
        let place = self.place(target) as usize;
        let nearness = self.nearness[change].get(place).copied().unwrap_or(Nearness::Before);
        let is_inside = target.model_site > 0 || matches!(target.way, Way::Equal(_));
        match nearness {
            Nearness::Before if is_inside => Nearness::Steps(INSIDE_LIBRARY),
            nearness => nearness,
        }
    }

    fn distance(&self, place: u32, change: usize) -> Option<u32> {
        self.distances[change].get(place as usize).copied().flatten()
    }

    fn counterpart(&self, old: u32) -> Option<u32> {
        self.counterparts.get(&old).copied()
    }
}

/// The instructions of a change in one version, or its position if it has none.
fn sites(site: Option<SiteId>, sites: &[SiteId]) -> Vec<SiteId> {
    match sites.is_empty() {
        true => site.into_iter().collect(),
        false => sites.to_vec(),
    }
}

/// A version as compiled, and its symbolic build.
struct Side<'s> {
    version: &'s Version,
    build: &'s SymbolicBuild,
    /// The function and block of each instruction as compiled.
    homes: HashMap<SiteId, (FunctionId, BlockId)>,
    /// The first place of each instruction that remains in the build.
    places: HashMap<SiteId, u32>,
    /// All places by their numbers.
    all: Vec<(u32, Place)>,
    /// The first place of each instruction in the build.
    numbers: HashMap<(FunctionId, BlockId, u32), u32>,
}

impl<'s> Side<'s> {
    fn new(version: &'s Version, build: &'s SymbolicBuild) -> Side<'s> {
        let size = build.places.size() as u32;
        let numbers = 1..=size;
        let all: Vec<_> =
            numbers.filter_map(|number| Some((number, build.places.get(number)?))).collect();
        let mut side = Side {
            version,
            build,
            homes: homes(&version.program),
            places: HashMap::new(),
            numbers: HashMap::new(),
            all,
        };
        for (number, place) in &side.all {
            let key = (place.function, place.block, place.instruction);
            side.numbers.entry(key).or_insert(*number);
            let origin = place.instruction(&build.model).and_then(|it| it.origin);
            if let Some(origin) = origin {
                side.places.entry(origin).or_insert(*number);
            }
        }
        side
    }

    /// The nearness of each place to a change.
    fn nearness(&self, impact: &Impact) -> Vec<Nearness> {
        let whole = &self.version.whole;
        let mut found = vec![Nearness::Before; self.build.places.size() as usize + 1];
        for (number, place) in &self.all {
            let instruction = place.instruction(&self.build.model);
            let Some(origin) = instruction.and_then(|it| it.origin) else { continue };
            let Some((function, block)) = self.homes.get(&origin).copied() else { continue };
            let is_way = self.is_branch(*place);
            found[*number as usize] = match is_way {
                true => way(whole, impact, function, block, place.way),
                false => near(whole, impact, origin),
            };
        }
        found
    }

    /// The number of decisions from each place to a change.
    fn distances(&self, impact: &Impact) -> Vec<Option<u32>> {
        let mut found = vec![None; self.build.places.size() as usize + 1];
        for (number, place) in self.all.iter().filter(|(_, place)| self.is_branch(*place)) {
            let origin = place.instruction(&self.build.model).and_then(|it| it.origin);
            let home = origin.and_then(|origin| self.homes.get(&origin).copied());
            found[*number as usize] = home.and_then(|(function, block)| {
                impact.distances.of_way(&self.version.whole, function, block, place.way)
            });
        }
        found
    }

    /// The number of places of the instruction that has this one first: one for each way.
    fn ways(&self, first: u32) -> u32 {
        let places = (first..).map_while(|number| self.build.places.get(number));
        places.zip(0..).take_while(|(place, way)| place.way == *way).count() as u32
    }

    fn is_branch(&self, place: Place) -> bool {
        let block = &self.build.model.at(place.function).blocks[place.block.0 as usize];
        let is_last = place.instruction as usize + 1 == block.instructions.len();
        is_last && block.successors.len() > 1
    }

    fn mark(&self, sites: &[SiteId]) -> Mark {
        let after: Option<Vec<_>> = sites.iter().map(|site| self.ways_from(*site)).collect();
        Mark {
            before: self.marks(sites),
            after: after.unwrap_or_default().into_iter().flatten().collect(),
        }
    }

    /// The ways out of the block of an instruction if a call before the instruction may not return;
    /// nothing without such a call, or if the block ends with a jump.
    fn ways_from(&self, site: SiteId) -> Option<Vec<u32>> {
        let (function, block) = *self.homes.get(&site)?;
        let block = &self.version.program.at(function).blocks[block.0 as usize];
        let mut before = block.instructions.iter().take_while(|it| it.site != site);
        before.find(|it| it.opcode == Opcode::Call)?;
        let last = self.places.get(&block.instructions.last()?.site)?;
        let ways = block.successors.len() as u32;
        (ways > 1).then(|| (0..ways).map(|way| last + way).collect())
    }

    /// Places of which one is covered if one of some instructions was executed.
    fn marks(&self, sites: &[SiteId]) -> Vec<u32> {
        let homes: HashSet<_> = sites.iter().filter_map(|site| self.homes.get(site)).collect();
        let mut marks: Vec<u32> = homes.into_iter().flat_map(|home| self.marks_of(*home)).collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    /// The same for a block as compiled: at least its jump remains.
    fn marks_of(&self, (function, block): (FunctionId, BlockId)) -> Vec<u32> {
        let block = &self.version.program.at(function).blocks[block.0 as usize];
        let mut left = block.instructions.iter().rev().filter_map(|it| self.places.get(&it.site));
        let Some(place) = left.next().and_then(|number| self.build.places.get(*number)) else {
            return Vec::new();
        };
        self.ways_to(place.function, place.block)
    }

    /// The marked ways into a block, including the start of its function.
    fn ways_to(&self, function: FunctionId, block: BlockId) -> Vec<u32> {
        let blocks = &self.build.model.at(function).blocks;
        let mut found = Vec::new();
        let mut seen = HashSet::from([block]);
        let mut waiting = VecDeque::from([block]);
        while let Some(block) = waiting.pop_front() {
            if block.0 == 0 {
                found.extend(self.start(function));
            }
            for (from, before) in (0..).map(BlockId).zip(blocks) {
                for (way, _) in (0..).zip(&before.successors).filter(|(_, to)| **to == block) {
                    let jump = before.instructions.len() as u32 - 1;
                    let number = self.numbers.get(&(function, from, jump)).copied();
                    match before.successors.len() {
                        1 if seen.insert(from) => waiting.push_back(from),
                        1 => {}
                        _ => found.extend(number.map(|number| number + way)),
                    }
                }
            }
        }
        found
    }

    /// Places of which one is covered if a function was called.
    fn start(&self, function: FunctionId) -> Vec<u32> {
        let blocks = &self.build.model.at(function).blocks;
        let mut block = BlockId(0);
        // A function that starts with a jump is marked at its first decision.
        for _ in 0..blocks.len() {
            let contents = &blocks[block.0 as usize];
            let number = |at: u32| self.numbers.get(&(function, block, at)).copied();
            let first = contents.instructions.first();
            let is_jump = first.is_some_and(|it| matches!(it.opcode, Opcode::Br | Opcode::Switch));
            match contents.successors[..] {
                [next] if is_jump => block = next,
                _ if is_jump => {
                    let ways = 0..contents.successors.len() as u32;
                    return number(0).map_or(Vec::new(), |at| ways.map(|way| at + way).collect());
                }
                _ if block.0 == 0 => return number(0).into_iter().collect(),
                _ => {
                    let jump = contents.instructions.len() as u32 - 1;
                    let ways = 0..contents.successors.len() as u32;
                    return number(jump)
                        .map_or(Vec::new(), |at| ways.map(|way| at + way).collect());
                }
            }
        }
        Vec::new()
    }

    fn cases(&self) -> HashMap<u32, Vec<u64>> {
        self.decisions().map(|ways| (ways.start, self.build.cases(ways.start))).collect()
    }

    fn decisions(&self) -> impl Iterator<Item = Range<u32>> {
        let first = self.all.iter().filter(|(_, place)| place.way == 0);
        first.filter(|(_, place)| self.is_branch(*place)).map(|(number, place)| {
            let block = &self.build.model.at(place.function).blocks[place.block.0 as usize];
            *number..*number + block.successors.len() as u32
        })
    }

    /// The name of a place without an origin: it belongs to a library function, which is the same
    /// in all programs.
    fn name(&self, place: Place) -> Option<(&str, BlockId, u32)> {
        let function = self.build.model.at(place.function);
        let is_library = function.location.is_none();
        is_library.then_some((function.name.as_str(), place.block, place.instruction))
    }
}

fn homes(program: &Program) -> HashMap<SiteId, (FunctionId, BlockId)> {
    let mut homes = HashMap::new();
    for (id, function) in program.defined() {
        for (block, contents) in (0..).map(BlockId).zip(&function.blocks) {
            homes.extend(contents.instructions.iter().map(|it| (it.site, (id, block))));
        }
    }
    homes
}

/// The nearness of a way of a branch to a change.
fn way(
    whole: &WholeFlow,
    impact: &Impact,
    function: FunctionId,
    block: BlockId,
    way: u32,
) -> Nearness {
    let Impact { distances_through_values: distances, relevance, .. } = impact;
    let steps = distances.of_way(whole, function, block, way);
    match relevance.can_reach(whole, function, block, way) {
        true => steps.map_or(Nearness::Before, Nearness::Steps),
        false if relevance.can_follow(whole, function, block) => Nearness::After,
        false => Nearness::Nothing,
    }
}

/// The nearness of an instruction to a change.
fn near(whole: &WholeFlow, impact: &Impact, site: SiteId) -> Nearness {
    match whole.node_at(site) {
        Some(node) if impact.relevance.is_before(node) => Nearness::Before,
        Some(node) if impact.relevance.is_after(node) => Nearness::After,
        _ => Nearness::Nothing,
    }
}

fn counterparts(old: &Side<'_>, new: &Side<'_>, changes: &Changes) -> HashMap<u32, u32> {
    let named: HashMap<_, _> = new
        .all
        .iter()
        .filter(|(_, place)| place.way == 0)
        .filter_map(|(number, place)| Some((new.name(*place)?, *number)))
        .collect();
    let mut counterparts = HashMap::new();
    for (number, place) in old.all.iter().filter(|(_, place)| place.way == 0) {
        let origin = place.instruction(&old.build.model).and_then(|it| it.origin);
        let counterpart = match origin {
            Some(origin) => {
                let counterpart = changes.matching.new_site(origin);
                counterpart.and_then(|counterpart| new.places.get(&counterpart))
            }
            None => old.name(*place).and_then(|name| named.get(&name)),
        };
        let Some(counterpart) = counterpart.copied() else { continue };
        let ways = old.ways(*number);
        if ways == new.ways(counterpart) {
            counterparts.extend((0..ways).map(|way| (number + way, counterpart + way)));
        } else {
            counterparts.insert(*number, counterpart);
        }
    }
    counterparts
}
