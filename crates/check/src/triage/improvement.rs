//! Improves findings that are on disk: minimises their tests and attributes them to changes.

use parallax_compare::Difference;
use parallax_report::check::Finding;
use parallax_run::TestCase;

use super::{Credit, Triage};
use crate::{
    CheckError,
    confirm::{Shrinking, Tries},
};

/// Runs of both versions for minimising one test.
const SHRINKING: Tries = Tries { usual: 160, slow: 3 };
/// The same if each smaller test has to be followed, too.
const FOLLOWED: Tries = Tries { usual: 40, slow: 0 };

/// A test that shows a difference each time.
struct Better {
    case: TestCase,
    difference: Difference,
    /// The changes whose effects it shows.
    credit: Credit,
}

impl Triage<'_> {
    /// Improves a finding in place, as far as there is time; removes it if it turns out to be a
    /// known one.
    pub(super) fn improve(
        &mut self,
        place: usize,
        test: &TestCase,
        executed: &[usize],
    ) -> Result<(), CheckError> {
        let Better { case, difference, credit } = self.better(place, test, executed)?;
        if let Some(why) = self.attribution.trouble.take() {
            self.folder.log(&format!("changes could not be told apart: failed to {why}"))?;
        }
        if let Some(known) = self.known_as(&credit, &difference, Some(place)) {
            self.findings[known].others += 1;
            return self.withdraw(place);
        }
        let id = self.findings[place].id.clone();
        if self.findings[place].case != case {
            self.folder.add(&id, &case, &difference)?;
        }
        let finding = &mut self.findings[place];
        (finding.case, finding.difference) = (case, difference);
        self.attribute(place, &credit);
        let names = self.names(&credit.changes);
        let how = if credit.certain().is_empty() { "may be" } else { "is" };
        self.folder.log(&format!("{id} {how} of {names}"))?;
        self.write()
    }

    /// Minimises a finding: the smallest test with a difference like this one, of an open change
    /// that this one shows.
    fn better(
        &mut self,
        place: usize,
        test: &TestCase,
        executed: &[usize],
    ) -> Result<Better, CheckError> {
        let difference = self.findings[place].difference.clone();
        self.phase("making a test smaller");
        let until = self.plan.share();
        let shrinking = Shrinking { tries: SHRINKING, until };
        let shrunk = self.confirmer.shrink(test, &difference, shrinking, &mut |_| true)?;
        let as_it_is = self.credit_of(test, test, executed);
        let Some((case, found)) = shrunk else {
            return Ok(Better { case: test.clone(), difference, credit: as_it_is });
        };
        let smaller = self.credited((case, found), test, executed);
        let is_open = |change: &usize| !self.is_shown_elsewhere(*change, place);
        let open: Vec<usize> = as_it_is.changes.iter().copied().filter(is_open).collect();
        let is_lost =
            !open.is_empty() && !smaller.credit.changes.iter().any(|it| open.contains(it));
        if !is_lost {
            return Ok(smaller);
        }
        // The smaller test has a similar difference of another change.
        let Triage { confirmer, means, attribution, plan, .. } = self;
        let deadline = plan.share();
        let mut shows = |smaller: &TestCase| {
            attribution.shows(means.follower.as_mut(), smaller, &open, deadline)
        };
        let shrinking = Shrinking { tries: FOLLOWED, until: deadline };
        let shrunk = confirmer.shrink(test, &difference, shrinking, &mut shows)?;
        Ok(match shrunk {
            Some(shrunk) => self.credited(shrunk, test, executed),
            None => Better { case: test.clone(), difference, credit: as_it_is },
        })
    }

    /// Attributes guessed findings again: those of an earlier search, and those that there was no
    /// time for during the search.
    pub(super) fn attribute_again(&mut self) -> Result<(), CheckError> {
        let guesses = self.findings.iter().filter(|finding| self.is_guess(finding));
        let guesses: Vec<String> = guesses.map(|finding| finding.id.clone()).collect();
        for id in guesses {
            let Some(place) = self.findings.iter().position(|finding| finding.id == id) else {
                continue;
            };
            self.attribute_guess(place)?;
        }
        Ok(())
    }

    /// The same for one of them; removes it if another one shows the same.
    fn attribute_guess(&mut self, place: usize) -> Result<(), CheckError> {
        let Finding { id, case, difference, .. } = self.findings[place].clone();
        let named = self.changes_of(&self.findings[place]);
        let credit = self.credit(&case, &named);
        if credit.certain().is_empty() {
            return Ok(());
        }
        if let Some(known) = self.known_as(&credit, &difference, Some(place)) {
            self.findings[known].others += 1;
            return self.withdraw(place);
        }
        self.attribute(place, &credit);
        let names = self.names(&credit.changes);
        self.folder.log(&format!("{id} is of {names}"))?;
        self.write()
    }

    /// Whether a finding names several changes, and none for certain.
    pub(super) fn is_guess(&self, finding: &Finding) -> bool {
        let named = self.changes_of(finding);
        !named.is_empty() && !named.iter().any(|change| self.shows(finding, *change))
    }

    fn credited(
        &mut self,
        (case, difference): (TestCase, Difference),
        test: &TestCase,
        executed: &[usize],
    ) -> Better {
        let credit = self.credit_of(&case, test, executed);
        Better { case, difference, credit }
    }

    /// The attribution of a test derived from another one that executes some changes: it may
    /// execute fewer of them.
    fn credit_of(&mut self, case: &TestCase, test: &TestCase, executed: &[usize]) -> Credit {
        let own = match case == test {
            true => None,
            false => (self.means.executed)(case, self.plan.end()),
        };
        let own = own.filter(|own| !own.is_empty());
        self.credit(case, own.as_deref().unwrap_or(executed))
    }

    /// Whether another finding certainly shows the effect of a change.
    fn is_shown_elsewhere(&self, change: usize, place: usize) -> bool {
        let id = &self.account.report.changes[change].id;
        let others = self.findings.iter().enumerate().filter(|(other, _)| *other != place);
        others.into_iter().any(|(_, finding)| finding.shows(id))
    }

    /// Withdraws a finding that duplicates another one.
    fn withdraw(&mut self, place: usize) -> Result<(), CheckError> {
        self.folder.log(&format!("{} duplicates another finding", self.findings[place].id))?;
        self.remove(place).map(drop)
    }

    /// Removes a finding and returns it.
    pub(super) fn remove(&mut self, place: usize) -> Result<Finding, CheckError> {
        let finding = self.findings.remove(place);
        self.known.retain(|_, known| *known != place);
        self.known.values_mut().filter(|known| **known > place).for_each(|known| *known -= 1);
        self.write()?;
        self.folder.remove(&finding.id)?;
        Ok(finding)
    }
}
