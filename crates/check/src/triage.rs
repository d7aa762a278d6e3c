//! Triage of candidates: confirms a test with an apparent difference on plain builds, writes it at
//! once, minimises it and attributes it to changes.

mod aftermath;
mod improvement;
mod phases;
mod retrial;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use parallax_compare::{Aspect, Difference, Example, Explanation, Ignore};
use parallax_deadline::{Deadline, is_interrupted};
use parallax_report::{
    check::{self, Finding, Verdict},
    counted,
    earlier::EarlierFinding,
    stats::Stats,
};
use parallax_run::TestCase;
use parallax_search::{Directive, Event, Known, Summary};

use crate::{
    CheckError, Message, Plan, Progress, Sink,
    account::Account,
    attribution::{self, Attribution, Credit},
    confirm::{Confirmer, Look},
    error::in_time,
    fate::{Fate, Follow, Leads},
    folder::Folder,
    proof::{Proof, Prover},
    sanitizer::Watch,
    triage::phases::Phases,
};

/// The largest age of a written result.
const STALE: Duration = Duration::from_secs(2);

/// The most tests that are kept in a place of their own for lack of time to confirm them; all
/// others are in the corpus.
const MOST_LEFT: usize = 20;

/// The key by which differences are deduplicated: the changes, the aspects, and how both versions
/// end.
type Cause = (Vec<usize>, Vec<&'static str>, String);

/// Computes the changes that a test executes, if it can run before a deadline.
type Executed<'h> = dyn FnMut(&TestCase, Deadline) -> Option<Vec<usize>> + 'h;

/// Tools for examining candidates, besides plain runs.
pub(crate) struct Means<'h> {
    pub(crate) follower: Box<dyn Follow + 'h>,
    pub(crate) watch: Box<dyn Watch + 'h>,
    /// The changes that a test executes; `None` if there is no time to run it.
    pub(crate) executed: Box<Executed<'h>>,
    /// Receives progress and each written result.
    pub(crate) sink: &'h dyn Sink,
}

/// Turns candidates of a search into findings.
pub(crate) struct Triage<'h> {
    account: Account<'h>,
    folder: &'h mut Folder,
    /// Whether the search should end.
    is_over: bool,
    /// Facts for the search.
    learnt: Arc<Known>,
    confirmer: Confirmer<'h>,
    means: Means<'h>,
    plan: Plan,
    attribution: Attribution,
    /// Whether to keep searching changes that already have a finding.
    all: bool,
    /// Whether guesses of earlier searches were followed again.
    looked_back: bool,
    findings: Vec<Finding>,
    known: BTreeMap<Cause, usize>,
    /// Findings that were confirmed before any run had varied, and so by few runs.
    trusted: BTreeSet<String>,
    /// Tests that ran under AddressSanitizer.
    watched: HashSet<Arc<TestCase>>,
    unconfirmed: u64,
    /// The places of tests that there was no time to confirm.
    left: Vec<String>,
    /// An example of learnt noise.
    noise: Option<Example>,
    /// The number of false differences by cause.
    doubts: BTreeMap<Cause, u32>,
    /// The latest summary of the search.
    latest: Summary,
    /// The last attempt at a proof.
    proof: Option<Proof>,
    /// The inputs that plain builds ran for it.
    paths: Vec<TestCase>,
    /// The fates of changes without an observed difference.
    fates: BTreeMap<usize, Fate>,
    start: Instant,
    phases: Phases,
    /// When the result was last written, and when the last finding was made.
    written: Instant,
    found: Option<Instant>,
    trouble: Option<CheckError>,
}

impl<'h> Triage<'h> {
    pub(crate) fn new(
        account: Account<'h>,
        folder: &'h mut Folder,
        confirmer: Confirmer<'h>,
        means: Means<'h>,
        plan: Plan,
        all: bool,
    ) -> Triage<'h> {
        let now = Instant::now();
        Triage {
            account,
            folder,
            is_over: false,
            learnt: Arc::default(),
            confirmer,
            means,
            plan,
            attribution: Attribution::within(attribution::MOST),
            all,
            looked_back: false,
            findings: Vec::new(),
            known: BTreeMap::new(),
            trusted: BTreeSet::new(),
            watched: HashSet::new(),
            unconfirmed: 0,
            left: Vec::new(),
            noise: None,
            doubts: BTreeMap::new(),
            latest: Summary::default(),
            proof: None,
            paths: Vec::new(),
            fates: BTreeMap::new(),
            start: now,
            phases: Phases::default(),
            written: now,
            found: None,
            trouble: None,
        }
    }

    /// Removes the time limit for attribution.
    pub(crate) fn attribute_without_limit(&mut self) {
        self.attribution = Attribution::within(Duration::MAX);
    }

    /// Starts from the findings of earlier searches.
    pub(crate) fn begin(&mut self) {
        let begun = self.try_begin();
        self.go_on_after(begun);
    }

    /// Ends runs at this deadline from now on.
    fn watch_until(&mut self, deadline: Deadline) {
        self.confirmer.set_deadline(deadline);
        self.means.watch.set_deadline(deadline);
    }

    fn try_begin(&mut self) -> Result<(), CheckError> {
        self.folder.start();
        let (changes, program) = (self.account.report.changes.len(), &self.account.report.program);
        let changes = counted(changes, "change", "changes");
        let mut lines = vec![format!("begin: {changes} of {program}")];
        for finding in self.account.earlier.findings.clone() {
            lines.push(self.take_over(finding)?);
        }
        self.write()?;
        lines.iter().try_for_each(|line| self.folder.log(line))
    }

    /// The tests of the findings.
    pub(crate) fn tests(&self) -> Vec<TestCase> {
        self.findings.iter().map(|finding| finding.case.clone()).collect()
    }

    /// Takes over a finding of an earlier search if the programs still show it.
    fn take_over(&mut self, earlier: EarlierFinding) -> Result<String, CheckError> {
        let EarlierFinding { id, test, changes, attribution, differs_in, others } = earlier;
        let case = self.folder.test(&test)?;
        self.watch_until(self.plan.end());
        let difference = match differs_in.iter().any(|aspect| aspect == Aspect::Memory.name()) {
            true => self.means.watch.confirm(&case),
            false => self.confirmer.look(&case).map(|look| look.difference),
        };
        let Some(difference) = in_time(difference)?.flatten() else {
            return Ok(format!("{id} of an earlier search does not show any more"));
        };
        let line = format!("{id} was found by an earlier search");
        let ids = self.account.report.changes.iter().enumerate();
        let executed: Vec<usize> = ids
            .filter(|(_, change)| changes.contains(&change.id))
            .map(|(place, _)| place)
            .collect();
        let credit = Credit { changes: executed, attribution };
        self.trust(&id, &difference);
        self.push(id, test, &credit, (case, difference), others);
        Ok(line)
    }

    /// Handles an event of the search and answers with a directive.
    pub(crate) fn note(&mut self, event: &Event<'_>) -> Directive {
        if self.trouble.is_none() {
            let noted = self.try_note(event);
            self.phases.end();
            self.go_on_after(noted);
        }
        self.directive()
    }

    /// The directive for the search.
    pub(crate) fn directive(&self) -> Directive {
        Directive { stop: self.is_over, known: Arc::clone(&self.learnt) }
    }

    /// Ends the search after an error; findings so far are kept.
    fn go_on_after(&mut self, done: Result<(), CheckError>) {
        if let Err(trouble) = done {
            self.is_over = true;
            self.trouble = Some(trouble);
        }
    }

    fn try_note(&mut self, event: &Event<'_>) -> Result<(), CheckError> {
        match event {
            Event::Kept { test, .. } => self.folder.keep(test),
            Event::Executes { test, changes } => self.execution(test, changes),
            Event::Differs { test, executed, explanation } => {
                self.difference(test, executed, *explanation)
            }
            Event::Progress(summary) => self.progress(summary),
            Event::Midway { suspects, time } if !self.open().is_empty() => {
                let deadline = self.plan.end().within(*time);
                in_time(self.watch_memory(suspects, deadline)).map(drop)
            }
            Event::Midway { .. } => Ok(()),
            Event::Path { test } => self.path(test),
            Event::Absent { .. } | Event::Crash { .. } | Event::Hang { .. } => Ok(()),
        }
    }

    /// Compares plain builds on an input of a path that is to be proved the same.
    fn path(&mut self, test: &TestCase) -> Result<(), CheckError> {
        let Look { difference, is_noisy, .. } = self.confirmer.look(test)?;
        if difference.is_some() {
            let all: Vec<usize> = (0..self.account.report.changes.len()).collect();
            return self.difference(test, &all, None);
        }
        self.unconfirmed += u64::from(is_noisy);
        self.paths.push(test.clone());
        Ok(())
    }

    /// The obstacle to an otherwise complete proof: if the input of a path makes a version access
    /// memory outside of its objects, an optimiser may do anything on other inputs.
    fn stray_access(&mut self) -> Option<&'static str> {
        self.phase("looking for memory errors");
        for test in std::mem::take(&mut self.paths) {
            match in_time(self.means.watch.has_error(&test)) {
                Ok(Some(false)) => {}
                Ok(Some(true)) => return Some("a version has a memory error"),
                Ok(None) => return Some("not all paths were checked for memory errors"),
                Err(trouble) => {
                    let line = format!("AddressSanitizer could not be used: failed to {trouble}");
                    let noted = self.folder.log(&line);
                    self.go_on_after(noted);
                    return Some("AddressSanitizer could not be used");
                }
            }
        }
        None
    }

    /// Whether the versions were proved equivalent.
    pub(crate) fn is_proved(&self) -> bool {
        self.result().verdict == Verdict::Equivalent
    }

    /// Whether a paused search should go on.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_over && !self.is_proved()
    }

    /// Checks the claim of a search to be exhausted on proof builds. The proof may be exact where
    /// the search is not, so a search that has paused is reason enough to try.
    pub(crate) fn prove(
        &mut self,
        ended: &Result<Summary, CheckError>,
        tests: Vec<TestCase>,
        prover: &Prover<'_>,
    ) {
        let Ok(summary) = ended else { return };
        let is_sound = self.findings.is_empty() && self.trouble.is_none();
        let is_claimed = self.account.leaves_nothing(summary, self.unconfirmed);
        let is_likely = self.account.may_leave_nothing(summary, self.unconfirmed);
        let is_refuted = self.proof.as_ref().is_some_and(Proof::is_refuted);
        let is_over = !summary.paused && !summary.finished;
        if !is_sound || is_over || is_refuted || !is_claimed && !is_likely {
            return;
        }
        let builds = self.plan.build("making the proof builds", prover.sink, || prover.builds());
        self.watch_until(self.plan.end());
        self.paths.clear();
        let plan = self.plan;
        self.phases.begin("proving that nothing differs");
        let mut differs_there = false;
        let mut tell = |event: &Event<'_>| match event {
            Event::Path { .. } => self.note(event).stop,
            // Plain builds need not trap where proof builds do.
            Event::Differs { .. } => {
                let before = (self.unconfirmed, self.findings.len());
                self.note(event);
                differs_there |= self.findings.len() == before.1;
                self.unconfirmed = before.0;
                self.is_over
            }
            _ => self.is_over,
        };
        // A panic of ours proves nothing.
        let proved = catch_unwind(AssertUnwindSafe(|| {
            builds.and_then(|builds| prover.prove(&builds, (plan, is_claimed), tests, &mut tell))
        }));
        self.phases.end();
        let mut proof = match proved {
            Ok(Ok(proof)) => proof,
            Ok(Err(why)) => Proof::impossible(format!("failed to {why}")),
            Err(_) => Proof::impossible("internal error in the proof (panic above)".to_owned()),
        };
        if differs_there && proof.obstacles.is_empty() {
            let why = "the versions differ where undefined behaviour ends a run";
            proof.obstacles.insert(why.to_owned());
        }
        self.proof = Some(proof);
        if self.is_proved()
            && let Some(why) = self.stray_access()
            && let Some(proof) = &mut self.proof
        {
            proof.obstacles.insert(why.to_owned());
        }
    }

    fn execution(&mut self, test: &TestCase, changes: &[usize]) -> Result<(), CheckError> {
        let runs = self.latest.runs;
        for change in changes {
            self.latest.executed.entry(*change).or_insert(runs);
        }
        self.folder.log(&format!("reached {}", self.names(changes)))?;
        self.folder.keep(test)
    }

    fn progress(&mut self, summary: &Summary) -> Result<(), CheckError> {
        self.latest.clone_from(summary);
        self.retry()?;
        // The work after a search needs its share of the time, if there is any.
        if self.plan.is_for_the_rest() && !self.open().is_empty() {
            self.is_over = true;
        }
        if self.written.elapsed() >= STALE { self.write() } else { Ok(()) }
    }

    /// Handles a test with an apparent difference.
    fn difference(
        &mut self,
        test: &TestCase,
        executed: &[usize],
        explanation: Option<&Explanation>,
    ) -> Result<(), CheckError> {
        match in_time(self.candidate(test, executed, explanation))? {
            Some(()) => Ok(()),
            None => self.leave(test, executed),
        }
    }

    /// Examines a test with an apparent difference on plain builds; a finding is written at once,
    /// and then improved.
    fn candidate(
        &mut self,
        test: &TestCase,
        executed: &[usize],
        explanation: Option<&Explanation>,
    ) -> Result<(), CheckError> {
        let is_known = self.findings.iter().any(|finding| finding.case == *test);
        if is_known || !self.all && !executed.is_empty() && self.has_seen(executed) {
            return Ok(());
        }
        if explanation.is_some_and(|it| self.is_noise(it, executed)) {
            return Ok(());
        }
        if !self.attribution.is_due(executed) {
            return Ok(());
        }
        self.confirmer.set_deadline(self.plan.end());
        self.phases.begin("running plain builds");
        let Look { difference, is_noisy, is_decided } = self.confirmer.look(test)?;
        if is_noisy {
            Arc::make_mut(&mut self.learnt).is_noisy = true;
        }
        let Some(difference) = difference else {
            if is_decided {
                self.learn(explanation);
            }
            return self.doubt(executed);
        };
        let credit = self.first_credit(test, executed);
        if self.attribution.has_begun && !std::mem::replace(&mut self.looked_back, true) {
            // With this attribution, an earlier search may have found it.
            self.attribute_again()?;
        }
        if self.is_known(&credit, &difference) {
            return Ok(());
        }
        // Noise takes long to recognise: candidates like it are confirmed ever less often.
        let doubts = self.doubts.entry(cause(executed, &difference)).or_default();
        *doubts += 1;
        if *doubts > 1 && !doubts.is_power_of_two() {
            return self.doubt(executed);
        }
        let names = self.names(executed);
        self.folder.log(&format!("candidate: a test that executes {names}"))?;
        self.phase("confirming a difference");
        self.confirmer.set_enough(self.plan.share());
        let Some(difference) = self.confirmer.confirm(test)? else {
            self.learn(explanation);
            return self.doubt(executed);
        };
        self.unlearn(&difference);
        self.attribution.found(executed);
        let place = self.add(test, difference, credit)?;
        self.improve(place, test, executed)
    }

    /// Whether an apparent difference consists of learnt noise only, and the noise rule is not due
    /// for another test.
    fn is_noise(&mut self, explanation: &Explanation, executed: &[usize]) -> bool {
        let noise = &mut Arc::make_mut(&mut self.learnt).noise;
        noise.explains(explanation) && !noise.is_due(explanation, executed)
    }

    /// Learns from a difference that plain builds do not show.
    fn learn(&mut self, explanation: Option<&Explanation>) {
        let Some(explanation) = explanation else { return };
        Arc::make_mut(&mut self.learnt).noise.learn(explanation);
        self.noise.get_or_insert_with(|| explanation.example.clone());
    }

    /// Drops noise rules that would hide a difference that plain builds show, whatever else varies
    /// beside it.
    fn unlearn(&mut self, difference: &Difference) {
        let [old, new] = &*difference.shown;
        if let Some(explanation) = Explanation::of(old, new, &Ignore::default()) {
            let noise = &mut Arc::make_mut(&mut self.learnt).noise;
            if noise.explains(&explanation) {
                noise.refute(&explanation);
            }
        }
    }

    /// The attribution of a difference before it is confirmed, as far as known. If all executed
    /// changes are open, the difference is worth confirming in any case, and that does not wait for
    /// builds.
    fn first_credit(&mut self, test: &TestCase, executed: &[usize]) -> Credit {
        let is_open = executed.iter().all(|change| !self.is_named(*change));
        match is_open && executed.len() > 1 {
            true => Credit::guess(executed.to_vec()),
            false => self.credit(test, executed),
        }
    }

    /// The changes that a difference is attributed to, as far as there is time.
    fn credit(&mut self, test: &TestCase, executed: &[usize]) -> Credit {
        if executed.len() > 1 {
            self.phase("telling changes apart");
        }
        let deadline = match self.attribution.has_begun {
            true => self.plan.share(),
            false => self.plan.share_of_builds(self.attribution.building),
        };
        self.attribution.of(self.means.follower.as_mut(), test, executed, deadline)
    }

    /// Whether a difference of these changes is known; one that a finding shows already is counted.
    fn is_known(&mut self, credit: &Credit, difference: &Difference) -> bool {
        if let Some(known) = self.known_as(credit, difference, None) {
            self.findings[known].others += 1;
            return true;
        }
        !self.all && !credit.changes.is_empty() && self.has_seen(&credit.changes)
    }

    /// The finding that shows the same, other than a given one. Two guesses are the same if they
    /// name the same open changes: the others have findings elsewhere.
    fn known_as(
        &self,
        credit: &Credit,
        difference: &Difference,
        besides: Option<usize>,
    ) -> Option<usize> {
        let known = self.known.get(&cause(&credit.changes, difference)).copied();
        if let Some(known) = known.filter(|known| besides != Some(*known)) {
            return Some(known);
        }
        if self.all || credit.changes.is_empty() || !credit.certain().is_empty() {
            return None;
        }
        let open = |changes: &mut dyn Iterator<Item = usize>| -> BTreeSet<usize> {
            changes.filter(|change| !self.is_shown(*change)).collect()
        };
        let own = open(&mut credit.changes.iter().copied());
        let aspects = aspects(difference);
        let is_alike = |(place, finding): &(usize, &Finding)| {
            let is_other = besides != Some(*place) && finding.differs_in == aspects;
            let open = || open(&mut self.changes_of(finding).into_iter());
            is_other && self.is_guess(finding) && open() == own
        };
        self.findings.iter().enumerate().find(is_alike).map(|(place, _)| place)
    }

    /// The changes that a finding names.
    fn changes_of(&self, finding: &Finding) -> Vec<usize> {
        let all = self.account.report.changes.iter().enumerate();
        all.filter(|(_, it)| finding.changes.contains(&it.id)).map(|(number, _)| number).collect()
    }

    /// Whether a finding certainly shows a change.
    fn shows(&self, finding: &Finding, change: usize) -> bool {
        finding.shows(&self.account.report.changes[change].id)
    }

    /// Writes a new finding and returns its index.
    fn add(
        &mut self,
        case: &TestCase,
        difference: Difference,
        credit: Credit,
    ) -> Result<usize, CheckError> {
        let id = self.next_id();
        let test = self.folder.add(&id, case, &difference)?;
        self.trust(&id, &difference);
        let (aspects, names) = (aspects(&difference).join(", "), self.names(&credit.changes));
        let guessed = if credit.certain().is_empty() && !credit.changes.is_empty() {
            " (a guess)"
        } else {
            ""
        };
        self.folder.log(&format!("found {id}: difference in {aspects}, of {names}{guessed}"))?;
        let place = self.push(id, test, &credit, (case.clone(), difference), 0);
        self.found = Some(Instant::now());
        self.write()?;
        Ok(place)
    }

    /// Keeps a test with an apparent difference that there is no time to confirm.
    fn leave(&mut self, test: &TestCase, executed: &[usize]) -> Result<(), CheckError> {
        self.unconfirmed += 1;
        self.folder.keep(test)?;
        if self.left.len() < MOST_LEFT {
            let place = self.folder.leave(test, self.left.len() + 1)?;
            self.left.push(place);
        }
        let names = self.names(executed);
        self.folder.log(&format!("no time to confirm a test that executes {names}"))
    }

    /// Counts a false difference; not each is logged.
    fn doubt(&mut self, executed: &[usize]) -> Result<(), CheckError> {
        self.unconfirmed += 1;
        if !self.unconfirmed.is_power_of_two() {
            return Ok(());
        }
        let (count, names) = (self.unconfirmed, self.names(executed));
        self.folder.log(&format!(
            "not confirmed on plain builds: a test that executes {names} ({count} so far)"
        ))
    }

    fn push(
        &mut self,
        id: String,
        test: String,
        credit: &Credit,
        (case, difference): (TestCase, Difference),
        others: u64,
    ) -> usize {
        let place = self.findings.len();
        self.findings.push(Finding {
            id,
            test,
            changes: Vec::new(),
            attribution: credit.attribution,
            differs_in: aspects(&difference),
            confirmed: true,
            others,
            case,
            difference,
        });
        self.attribute(place, credit);
        place
    }

    /// Attributes a finding to changes. The search goes on for guessed ones.
    fn attribute(&mut self, place: usize, credit: &Credit) {
        let names = credit.changes.iter();
        let names = names.map(|change| self.account.report.changes[*change].id.clone()).collect();
        let finding = &mut self.findings[place];
        (finding.changes, finding.attribution) = (names, credit.attribution);
        self.known.retain(|_, known| *known != place);
        self.known.insert(cause(&credit.changes, &finding.difference), place);
        if !self.all {
            Arc::make_mut(&mut self.learnt).done.extend(credit.certain());
        }
        if self.has_seen_all() {
            self.is_over = true;
        }
    }

    /// Ids are not reused, even if an earlier finding does not show any more.
    fn next_id(&self) -> String {
        let earlier = self.account.earlier.findings.iter().map(|finding| &finding.id);
        let ids = self.findings.iter().map(|finding| &finding.id).chain(earlier);
        let numbers = ids.filter_map(|id| id.strip_prefix('f')?.parse::<u64>().ok());
        format!("f{}", numbers.max().unwrap_or(0) + 1)
    }

    fn names(&self, changes: &[usize]) -> String {
        let names = changes.iter().map(|change| self.account.report.changes[*change].id.as_str());
        match changes {
            [] => "no change".to_owned(),
            _ => names.collect::<Vec<_>>().join(", "),
        }
    }

    /// Whether all these changes have findings.
    fn has_seen(&self, changes: &[usize]) -> bool {
        changes.iter().all(|change| self.learnt.done.contains(change))
    }

    /// Whether a finding certainly shows the effect of a change.
    fn is_shown(&self, change: usize) -> bool {
        self.findings.iter().any(|finding| self.shows(finding, change))
    }

    /// Whether a finding may show the effect of a change.
    fn is_named(&self, change: usize) -> bool {
        let id = &self.account.report.changes[change].id;
        self.findings.iter().any(|finding| finding.changes.contains(id))
    }

    /// Whether all changes have findings and the search can end.
    fn has_seen_all(&self) -> bool {
        let changes: Vec<usize> = (0..self.account.report.changes.len()).collect();
        !self.all && self.has_seen(&changes)
    }

    /// The progress of the search.
    pub(crate) fn status(&self) -> Progress<'_> {
        let changes = 0..self.account.report.changes.len();
        let seen: BTreeSet<_> = changes.clone().filter(|change| self.is_shown(*change)).collect();
        let infected = changes.filter(|it| self.latest.diverged.contains(it) || seen.contains(it));
        Progress {
            summary: &self.latest,
            elapsed: self.start.elapsed(),
            budget: self.plan.budget(),
            since_find: self.found.map(|found| found.elapsed()),
            changes: self.account.report.changes.len(),
            reached: self.latest.executed.len(),
            infected: infected.count(),
            propagated: seen.len(),
        }
    }

    fn result(&self) -> check::Check {
        let Triage { findings, unconfirmed, latest, fates, proof, .. } = self;
        let result = self.account.result(findings, *unconfirmed, latest, fates, proof.as_ref());
        check::Check {
            build_seconds: self.plan.builds().as_secs_f64(),
            unconfirmed_tests: self.left.clone(),
            noise: self.noise_in_words(),
            stats: Stats { phases: self.phases.seconds(), ..result.stats },
            ..result
        }
    }

    /// A description of the observed noise.
    fn noise_in_words(&self) -> Option<String> {
        let example = self.noise.as_ref().map(check::learnt_noise);
        let example = self.confirmer.variation().map(check::noise).or(example)?;
        match self.latest.learnt_noise {
            0 => Some(example),
            learnt => Some(format!("{example}\n{}", check::left_out(learnt))),
        }
    }

    /// Writes the current result.
    fn write(&mut self) -> Result<(), CheckError> {
        self.latest.elapsed = self.start.elapsed();
        self.written = Instant::now();
        let result = self.result();
        self.folder.write(&result)?;
        self.means.sink.take(Message::Result(&result));
        Ok(())
    }

    /// Shows a phase.
    fn phase(&mut self, what: &'static str) {
        self.phases.begin(what);
        self.means.sink.phase(what);
    }

    /// The final result and error. Changes without an observed difference are followed as long as
    /// there is time.
    pub(crate) fn end(
        &mut self,
        ended: Result<Summary, CheckError>,
        leads: &Leads,
        aside: Duration,
    ) -> (check::Check, Option<CheckError>) {
        match ended {
            Ok(summary) => self.latest = summary,
            Err(error) => self.trouble = self.trouble.take().or(Some(error)),
        }
        self.fates.clone_from(&leads.nearest);
        if self.trouble.is_none() && !self.is_proved() {
            let deadline = self.plan.end().within(aside);
            let followed = in_time(self.follow(leads, deadline));
            self.trouble = followed.err();
        }
        if self.trouble.is_none() {
            self.trouble = self.retry().err();
        }
        self.phases.end();
        let result = self.result();
        let why = match () {
            () if self.trouble.is_some() => "trouble",
            () if result.verdict == Verdict::Equivalent => "all paths were explored",
            () if self.latest.finished => "nothing is left to try",
            () if self.has_seen_all() => "each change has a finding",
            () if is_interrupted() => "it was interrupted",
            () => "the budget is used up",
        };
        let runs = counted(result.runs.new, "run", "runs");
        let findings = counted(result.findings.len(), "finding", "findings");
        let line = format!("end: {}, {findings}, {runs}; {why}", result.verdict.name());
        let written = self.folder.log(&line).and_then(|()| self.folder.write(&result));
        (result, self.trouble.take().or(written.err()))
    }
}

fn aspects(difference: &Difference) -> Vec<&'static str> {
    difference.differs_in.iter().map(|aspect| aspect.name()).collect()
}

fn cause(changes: &[usize], difference: &Difference) -> Cause {
    let endings = format!("{:?} {:?}", difference.old.ending, difference.new.ending);
    (changes.to_vec(), aspects(difference), endings)
}

#[cfg(test)]
mod tests;
