//! Draws the call graph, limited to a readable size.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use parallax_program::FunctionId;
use parallax_report::{Drawing, DrawnEdge, DrawnNode, Look, counted};

use super::Artist;

/// The most functions and calls in a picture.
const MOST_FUNCTIONS: usize = 80;
const MOST_CALLS: usize = 300;

impl Artist<'_, '_> {
    /// Draws the calls around a function, or on the ways from `main` to the changes.
    pub(super) fn calls(&self, around: Option<FunctionId>) -> Drawing {
        let study = self.study;
        let changed: BTreeSet<_> =
            study.changes.changes.iter().filter_map(|change| change.new_function).collect();
        let asked: BTreeSet<_> = around.map_or_else(|| changed.clone(), |it| [it].into());
        let all = self.calls_among(&match around {
            Some(_) => self.near(&asked),
            None => self.leading_to(&asked),
        });
        let (calls, notes) = readable(all, &asked, study.new.whole.main);
        let index: BTreeMap<_, _> = calls.functions.iter().copied().zip(0..).collect();
        let nodes = calls.functions.iter().map(|id| {
            let look = match () {
                () if changed.contains(id) => Look::Changed,
                () if study.new.whole.main == Some(*id) => Look::Entry,
                () if study.new.whole.entry(*id).is_none() => Look::Faded,
                () => Look::Plain,
            };
            DrawnNode { lines: vec![self.names.get(*id)], look }
        });
        let edges = calls.calls.iter().map(|(from, to)| DrawnEdge {
            from: index[from],
            to: index[to],
            ..DrawnEdge::default()
        });
        let (nodes, edges) = (nodes.collect(), edges.collect());
        Drawing { title: "call graph".to_owned(), notes, nodes, edges }
    }

    /// Some functions with their callees and callers.
    fn near(&self, functions: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
        let mut near = functions.clone();
        for function in functions {
            near.extend(self.callees(*function));
            let callers = self.study.new.whole.calls.callers(*function).iter();
            near.extend(callers.map(|call| call.caller));
        }
        near
    }

    /// Some functions with their direct and indirect callers.
    fn leading_to(&self, functions: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
        let mut found = functions.clone();
        let mut waiting: Vec<_> = functions.iter().copied().collect();
        while let Some(function) = waiting.pop() {
            let callers = self.study.new.whole.calls.callers(function).iter();
            waiting.extend(callers.map(|call| call.caller).filter(|caller| found.insert(*caller)));
        }
        found
    }

    fn calls_among(&self, functions: &BTreeSet<FunctionId>) -> Calls {
        let mut calls = BTreeSet::new();
        for caller in functions {
            let callees = self.callees(*caller).into_iter();
            let callees = callees.filter(|callee| functions.contains(callee));
            calls.extend(callees.map(|callee| (*caller, callee)));
        }
        Calls { functions: functions.clone(), calls }
    }

    fn callees(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let blocks = self.program().at(function).blocks.iter();
        let calls = blocks.flat_map(|block| &block.instructions);
        let whole = &self.study.new.whole;
        let callees = calls.flat_map(|call| whole.calls.callees(call.site)).copied();
        callees.filter(|callee| whole.entry(*callee).is_some()).collect()
    }
}

/// Calls among some functions.
struct Calls {
    functions: BTreeSet<FunctionId>,
    calls: BTreeSet<(FunctionId, FunctionId)>,
}

/// Selects the calls that fit into a readable picture, and the note about it: if there are too
/// many, one way to each requested function, and its own calls and callers.
fn readable(
    all: Calls,
    asked: &BTreeSet<FunctionId>,
    main: Option<FunctionId>,
) -> (Calls, Vec<String>) {
    if all.functions.len() <= MOST_FUNCTIONS && all.calls.len() <= MOST_CALLS {
        return (all, Vec::new());
    }
    let ways = ways_to(&all, asked, main);
    let touches =
        |(from, to): &&(FunctionId, FunctionId)| asked.contains(from) || asked.contains(to);
    let near = all.calls.iter().filter(touches).copied();
    let functions = asked.iter().take(MOST_FUNCTIONS).copied().collect();
    let mut shown = Calls { functions, calls: BTreeSet::new() };
    for (from, to) in ways.into_iter().chain(near) {
        let mut functions = shown.functions.clone();
        functions.extend([from, to]);
        if functions.len() <= MOST_FUNCTIONS && shown.calls.len() < MOST_CALLS {
            shown.functions = functions;
            shown.calls.insert((from, to));
        }
    }
    let functions = all.functions.len() - shown.functions.len();
    let functions = counted(functions, "function", "functions");
    let calls = counted(all.calls.len() - shown.calls.len(), "call", "calls");
    let note = format!("left out: {functions} and {calls}, as there are too many");
    (shown, vec![note])
}

/// The calls on a shortest way from `main` to each of some functions.
fn ways_to(
    all: &Calls,
    asked: &BTreeSet<FunctionId>,
    main: Option<FunctionId>,
) -> Vec<(FunctionId, FunctionId)> {
    let mut callers: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
    let mut waiting: VecDeque<_> = main.into_iter().collect();
    while let Some(caller) = waiting.pop_front() {
        let last = FunctionId(u32::MAX);
        for (_, callee) in all.calls.range((caller, FunctionId(0))..=(caller, last)) {
            if main != Some(*callee) && !callers.contains_key(callee) {
                callers.insert(*callee, caller);
                waiting.push_back(*callee);
            }
        }
    }
    let mut ways = Vec::new();
    for function in asked {
        let mut at = *function;
        while let Some(caller) = callers.get(&at) {
            ways.push((*caller, at));
            at = *caller;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mutually recursive functions.
    fn all_calling_all(count: u32) -> Calls {
        let functions: BTreeSet<_> = (0..count).map(FunctionId).collect();
        let pairs = functions.iter().flat_map(|from| functions.iter().map(|to| (*from, *to)));
        Calls { calls: pairs.collect(), functions: functions.clone() }
    }

    #[test]
    fn few_calls_are_all_shown() {
        let (shown, notes) =
            readable(all_calling_all(5), &[FunctionId(3)].into(), Some(FunctionId(0)));
        assert_eq!((shown.functions.len(), shown.calls.len()), (5, 25));
        assert!(notes.is_empty());
    }

    #[test]
    fn of_many_calls_those_of_what_was_asked_for_are_shown() {
        let asked = [FunctionId(150), FunctionId(160)];
        let (shown, notes) = readable(all_calling_all(200), &asked.into(), Some(FunctionId(7)));
        assert_eq!(shown.functions.len(), MOST_FUNCTIONS);
        assert!(shown.calls.len() <= MOST_CALLS);
        for function in asked {
            assert!(shown.calls.contains(&(FunctionId(7), function)), "main leads to all");
        }
        assert_eq!(notes.len(), 1);
    }
}
