//! The result of a search: the verdict, and how far each change was followed.

use std::collections::BTreeMap;

use parallax_abi::Counter;
use parallax_report::{
    changes::{ChangeReport, Passage, ReportedChange},
    check::{self, Approximations, CheckedChange, Finding, Runs, Stopped, Verdict, Versions},
    counted,
    earlier::Earlier,
    exploration::Queries,
    stats::{GeneratorStats, Stats, Work},
};
use parallax_search::{Bounds, Promise, Share, Summary};

use crate::{fate::Fate, proof::Proof};

/// The context of a result: everything besides what this search has found.
pub(crate) struct Account<'a> {
    pub(crate) report: &'a ChangeReport,
    pub(crate) versions: Versions,
    /// The directory of results.
    pub(crate) out: String,
    pub(crate) bounds: Bounds,
    /// The result of earlier searches.
    pub(crate) earlier: Earlier,
}

impl Account<'_> {
    /// The result of a search so far.
    pub(crate) fn result(
        &self,
        findings: &[Finding],
        unconfirmed: u64,
        summary: &Summary,
        fates: &BTreeMap<usize, Fate>,
        proof: Option<&Proof>,
    ) -> check::Check {
        let Earlier { runs, queries, seconds, approximations: inexact, .. } = &self.earlier;
        let unconfirmed = self.earlier.unconfirmed + unconfirmed;
        let obstacles = unproved(summary, unconfirmed, proof);
        // Runs that were not observed to their ends may have gone anywhere.
        let is_proved = obstacles.is_empty();
        let is_over = is_proved || summary.finished && summary.unclear == 0;
        let changes = self.changes(findings, summary, fates, is_over);
        let nothing = Summary::default();
        let proving = proof.map_or(&nothing, |proof| &proof.summary);
        let mut answers = summary.answers.clone();
        answers += &proving.answers;
        let total = answers.total();
        let total = Queries {
            sat: total.found,
            unsat: total.impossible,
            unknown: total.unknown,
            seconds: total.time.as_secs_f64(),
        };
        check::Check {
            schema: 1,
            verb: "check",
            verdict: verdict(findings, &changes, is_proved),
            unproved: obstacles,
            program: self.report.program.clone(),
            out: self.out.clone(),
            versions: self.versions.clone(),
            changes,
            findings: findings.to_vec(),
            runs: Runs {
                old: runs.old + summary.counterpart_runs + proving.counterpart_runs,
                new: runs.new + summary.runs + proving.runs,
            },
            runs_to_reach: self.runs_to_reach(summary),
            queries: total.and(*queries),
            seconds: seconds + (summary.elapsed + proving.elapsed).as_secs_f64(),
            build_seconds: 0.0,
            approximations: approximations(summary).and(inexact),
            bounds: check::Bounds {
                arguments: self.bounds.arguments,
                argument_bytes: self.bounds.argument_bytes,
                bytes: self.bounds.bytes,
            },
            environment: proof.map(Proof::environment).unwrap_or_default(),
            unconfirmed,
            unconfirmed_tests: Vec::new(),
            noise: None,
            finished: summary.finished || is_proved,
            stats: stats(summary),
        }
    }

    /// Whether a search leaves nothing to be found, as far as it can tell.
    pub(crate) fn leaves_nothing(&self, summary: &Summary, unconfirmed: u64) -> bool {
        obstacles(summary, self.earlier.unconfirmed + unconfirmed).is_empty()
    }

    /// Whether a proof may show that a search leaves nothing to be found, although the search
    /// approximates.
    pub(crate) fn may_leave_nothing(&self, summary: &Summary, unconfirmed: u64) -> bool {
        let unconfirmed = self.earlier.unconfirmed + unconfirmed;
        summary.unmodelled.is_empty() && of_subject(summary, unconfirmed).is_empty()
    }

    /// The result for versions whose code is the same.
    pub(crate) fn unchanged(&self) -> check::Check {
        check::Check {
            schema: 1,
            verb: "check",
            verdict: Verdict::Unchanged,
            program: self.report.program.clone(),
            out: self.out.clone(),
            versions: self.versions.clone(),
            ..check::Check::default()
        }
    }

    fn changes(
        &self,
        findings: &[Finding],
        summary: &Summary,
        fates: &BTreeMap<usize, Fate>,
        is_over: bool,
    ) -> Vec<CheckedChange> {
        let changes = self.report.changes.iter().enumerate();
        let progress = |number: usize, change: &ReportedChange| {
            let before = self.earlier.change(&change.id);
            let propagated = findings.iter().any(|finding| finding.shows(&change.id));
            let named = findings.iter().find(|finding| finding.changes.contains(&change.id));
            let suspect = named.filter(|_| !propagated).map(|finding| finding.id.clone());
            let fate = fates.get(&number).cloned().unwrap_or_default();
            let diverged = before.infected || summary.diverged.contains(&number);
            let infected = propagated || diverged || fate.infected;
            let is_met = suspect.is_some() || infected;
            let reached = is_met || before.reached || summary.executed.contains_key(&number);
            Progress { reached, infected, propagated, suspect, is_over, fate }
        };
        changes.map(|(number, change)| checked(change, &progress(number, change))).collect()
    }

    /// Runs of all searches until the last change was executed for the first time.
    fn runs_to_reach(&self, summary: &Summary) -> Option<u64> {
        let first = summary.executed.iter().filter(|(number, _)| {
            let change = self.report.changes.get(**number);
            change.is_some_and(|change| !self.earlier.change(&change.id).reached)
        });
        let last = first.map(|(_, runs)| self.earlier.runs.new + runs).max();
        last.or(self.earlier.runs_to_reach)
    }
}

/// The progress of a change.
struct Progress {
    reached: bool,
    infected: bool,
    propagated: bool,
    /// A finding that may show the change.
    suspect: Option<String>,
    /// Whether the search space is exhausted.
    is_over: bool,
    /// The end of its effect.
    fate: Fate,
}

impl Progress {
    /// The reason why no difference was observed.
    fn why(&self, is_reachable: bool) -> Option<String> {
        let Progress { reached, infected, propagated, is_over, .. } = *self;
        if let Some(finding) = self.suspect.as_ref().filter(|_| !propagated) {
            return Some(format!("{finding} executes it, and may show it or another change"));
        }
        let executed = if is_over { "it was executed on all paths" } else { "it was executed" };
        Some(match (&self.fate.stopped_at, &self.fate.variable) {
            _ if propagated => return None,
            _ if !is_reachable => "nothing leads to it".to_owned(),
            (Some(stop), _) if !reached => format!(
                "{}; the nearest place that runs reached is {}:{}, where all went another way",
                unreached(is_over),
                stop.file,
                stop.line
            ),
            _ if !reached => unreached(is_over).to_owned(),
            (Some(stop), Some(variable)) if self.fate.infected => {
                format!("{executed} and changed {variable}, which ends at {}", self.place(stop))
            }
            (Some(stop), None) if self.fate.infected => {
                format!("{executed} and had an effect, which ends at {}", self.place(stop))
            }
            _ if infected => {
                "the versions went different ways after it, and nothing showed".to_owned()
            }
            (Some(stop), _) => format!("{executed} without effect: {}", self.place(stop)),
            _ if is_over => format!("{executed}, and all look the same"),
            _ => format!("{executed}, and no effect was seen"),
        })
    }

    fn place(&self, stop: &Stopped) -> String {
        let version = if self.fate.in_old { "old " } else { "" };
        format!("{version}{}:{}, {}", stop.file, stop.line, stop.why)
    }
}

fn unreached(is_over: bool) -> &'static str {
    match is_over {
        true => "no input within the bounds leads to it",
        false => "no input was found that executes it",
    }
}

fn approximations(summary: &Summary) -> Approximations {
    let counted = |counter| summary.approximations.get(&counter).copied().unwrap_or_default();
    // Calls without a model are counted by name.
    let others = summary.approximations.iter();
    let others =
        others.filter(|(counter, _)| !matches!(counter, Counter::Pinned | Counter::Unmodelled));
    let (made, as_meant) = summary.promises.get(&Promise::Exact).copied().unwrap_or_default();
    Approximations {
        concretised_addresses: counted(Counter::Pinned),
        unmodelled_calls: summary.unmodelled.clone(),
        diverged_runs: made - as_meant,
        others: others.map(|(counter, count)| (counter.describe().to_owned(), *count)).collect(),
    }
}

fn verdict(findings: &[Finding], changes: &[CheckedChange], is_proved: bool) -> Verdict {
    match () {
        () if !findings.is_empty() => Verdict::Different,
        () if is_proved && !changes.is_empty() => Verdict::Equivalent,
        () if changes.iter().any(|change| change.reachable && !change.reached) => {
            Verdict::Unreached
        }
        () => Verdict::NoDifferenceFound,
    }
}

/// Obstacles to a proof: those that the proof left open, or else those of the search.
fn unproved(summary: &Summary, unconfirmed: u64, proof: Option<&Proof>) -> Vec<String> {
    let Some(proof) = proof else {
        let left = obstacles(summary, unconfirmed);
        let unexamined = "the search has ended, and its result was not checked on proof builds";
        return if left.is_empty() { vec![unexamined.to_owned()] } else { left };
    };
    let mut left = of_subject(summary, unconfirmed);
    match proof.obstacles.is_empty() {
        true => left.extend(obstacles(&proof.summary, 0)),
        false => left.extend(proof.obstacles.iter().cloned()),
    }
    left
}

/// Obstacles that hold for any build.
fn of_subject(summary: &Summary, unconfirmed: u64) -> Vec<String> {
    let all = [
        (summary.fixed, "parts of the given tests are fixed".to_owned()),
        (unconfirmed + summary.learnt_noise, "the program varies from run to run".to_owned()),
    ];
    all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect()
}

/// Obstacles in a search: reasons why not all pairs of paths were covered and decided.
fn obstacles(summary: &Summary, unconfirmed: u64) -> Vec<String> {
    let pinned: u64 = summary.approximations.values().sum();
    let calls = summary.unmodelled.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let all = [
        (u64::from(!summary.finished), "not all paths were explored".to_owned()),
        (
            summary.left_out,
            counted(
                summary.left_out,
                "of the given tests was not run",
                "of the given tests were not run",
            ),
        ),
        (pinned, counted(pinned, "value was approximated", "values were approximated")),
        (summary.unmodelled.len() as u64, format!("there is no model of {calls}")),
        (
            summary.unknown,
            counted(
                summary.unknown,
                "branch flip is unknown to the solver",
                "branch flips are unknown to the solver",
            ),
        ),
        (
            summary.divergences.1,
            counted(
                summary.divergences.1,
                "relational query had no answer",
                "relational queries had no answer",
            ),
        ),
        (
            summary.unclear,
            counted(
                summary.unclear,
                "test could not be compared to the end",
                "tests could not be compared to the end",
            ),
        ),
        (
            summary.forgotten + summary.skipped,
            "some flips were left out, as there were too many".to_owned(),
        ),
    ];
    let own = all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text);
    own.chain(of_subject(summary, unconfirmed)).collect()
}

fn checked(change: &ReportedChange, progress: &Progress) -> CheckedChange {
    let Progress { reached, infected, propagated, .. } = *progress;
    let passage = change.new.as_ref().or(change.old.as_ref());
    let lines = |passage: &Option<Passage>| {
        passage.as_ref().filter(|passage| passage.lines.0 > 0).map(|passage| passage.lines)
    };
    let stopped_at = progress.fate.stopped_at.clone().filter(|_| !propagated && change.reachable);
    CheckedChange {
        id: change.id.clone(),
        file: passage.map(|passage| passage.file.clone()).unwrap_or_default(),
        function: change.function.clone(),
        old_lines: lines(&change.old),
        new_lines: lines(&change.new),
        kind: change.kind,
        reachable: change.reachable,
        reached,
        infected,
        propagated,
        why: progress.why(change.reachable),
        stopped_at,
        old: change.old.clone(),
        new: change.new.clone(),
    }
}

/// Time and work of a search by generator.
fn stats(summary: &Summary) -> Stats {
    let given = Share { expense: summary.given, ..Share::default() };
    let shares = summary.generators.iter().map(|(name, share)| (*name, share));
    let rows = shares.chain([("given", &given)]).map(|(name, share)| {
        let Share { jobs, tried, new, expense } = *share;
        let row = GeneratorStats {
            jobs,
            inputs: tried,
            new,
            running: expense.running.as_secs_f64(),
            reading: expense.reading.as_secs_f64(),
            solving: expense.solving.as_secs_f64(),
            work: Work {
                runs: expense.runs,
                printed: expense.printed,
                records: expense.records,
                read: expense.read,
                queries: expense.queries,
                operations: expense.operations,
                smt: expense.smt,
                weighed: expense.weighed() as f64 / 1e9,
            },
        };
        (name, row)
    });
    Stats {
        generators: rows.collect(),
        waiting: summary.waiting_time.as_secs_f64(),
        ..Stats::default()
    }
}
