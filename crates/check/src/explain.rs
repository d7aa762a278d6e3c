//! Explains how the effect of each change travels through one test.

use parallax_compare::{Ignore, Options, Outcome};
use parallax_deadline::OutOfTime;
use parallax_effect::{Fact, Line, Side, Sight, Stop, Why};
use parallax_program::{Location, Program};
use parallax_report::explanation::{
    ExplainedChange, ExplainedFact, ExplainedLine, ExplainedStop, Explanation,
};
use parallax_run::suite::{Suite, Test};

use crate::{
    CheckError, Comparing, Pair, Plan, Running, Sink,
    changes::report,
    compare,
    error::in_time,
    recorder::{Builds, Followed, Recorder},
    source::{Sources, short},
    study::{Analysed, Study},
};

/// The note where effects could not be followed.
const NO_TIME: &str = "the budget is used up: how the effects travel is not known";

/// The inputs of an explanation, besides the test.
pub struct Explaining<'e> {
    /// The versions.
    pub pair: &'e Pair,
    /// The settings of runs.
    pub running: &'e Running,
    /// Parts of outputs that are ignored in comparisons.
    pub ignore: Ignore,
}

/// Follows the effect of each change through a test.
pub fn explain(
    explaining: &Explaining<'_>,
    test: &Test,
    plan: &mut Plan,
    sink: &dyn Sink,
) -> Result<Explanation, CheckError> {
    let Explaining { pair, running, .. } = explaining;
    let visible = visible(explaining, test, plan, sink)?;
    let analysed = Analysed::new(pair, plan.analysis(), sink)?;
    let study = analysed.study(pair, sink);
    let mut explanation = Explanation {
        schema: 1,
        verb: "explain",
        program: pair.name.to_string_lossy().into_owned(),
        test: test.name.clone(),
        differs_in: visible,
        ..Explanation::default()
    };
    if study.changes.is_unchanged() {
        return Ok(explanation);
    }
    let sight = match explanation.differs_in.is_empty() {
        true => Sight::Same,
        false => Sight::Different,
    };
    sink.phase("making the symbolic builds");
    let builds = plan.build("making the symbolic builds", sink, || Builds::of(pair))?;
    let recorder = Recorder::new(&study, &builds, running, sink);
    let followed = in_time(recorder.and_then(|mut recorder| {
        sink.phase("following the changes");
        let followed = recorder.follow(&test.case, sight, plan.end())?;
        Ok((recorder, followed))
    }))?;
    match &followed {
        Some((recorder, followed)) => {
            explanation.notes = followed.notes();
            explanation.recording_seconds = recorder.building().as_secs_f64();
            let mut teller = Teller::new(&study, recorder, followed);
            explanation.changes = teller.changes(&explanation.program);
        }
        None => {
            explanation.is_out_of_time = true;
            explanation.notes.push(NO_TIME.to_owned());
        }
    }
    sink.idle();
    Ok(explanation)
}

/// The aspects in which the versions differ on a test, judged by plain builds.
fn visible(
    Explaining { pair, running, ignore }: &Explaining<'_>,
    test: &Test,
    plan: &Plan,
    sink: &dyn Sink,
) -> Result<Vec<String>, CheckError> {
    let options = Options { ignore: ignore.clone(), deadline: plan.end(), ..Options::default() };
    let suite = Suite { tests: vec![test.clone()] };
    let comparison = compare(&Comparing { pair, running, options, workers: 1 }, &suite, sink)?;
    match comparison.tests.first().map(|test| &test.outcome) {
        Some(Outcome::Different(difference)) => {
            Ok(difference.differs_in.iter().map(ToString::to_string).collect())
        }
        Some(Outcome::Trouble(why)) => Err(CheckError::failed(why.clone())),
        Some(Outcome::OutOfTime { .. }) => Err(OutOfTime.into()),
        Some(Outcome::Same) | None => Ok(Vec::new()),
    }
}

/// Converts followed effects to a report.
struct Teller<'t> {
    study: &'t Study<'t>,
    followed: &'t Followed,
    old: Side<'t, 't>,
    new: Side<'t, 't>,
    sources: (Sources, Sources),
}

impl<'t> Teller<'t> {
    fn new(study: &'t Study<'t>, recorder: &'t Recorder<'t>, followed: &'t Followed) -> Teller<'t> {
        let (old, new) = recorder.sides(followed);
        let sources = (Sources::of(&study.pair.old.program), Sources::of(&study.pair.new.program));
        Teller { study, followed, old, new, sources }
    }

    fn changes(&mut self, program: &str) -> Vec<ExplainedChange> {
        let reported = report(self.study, program).changes;
        let mut told = Vec::new();
        for (number, reported) in reported.into_iter().enumerate() {
            let effect = &self.followed.effects.changes[number];
            let changes = self.study.changes;
            let lines = self.followed.effects.lines(number, &self.old, &self.new, changes);
            let is_cut = self.followed.effects.cut;
            let stopped_at = effect.stopped_at().filter(|_| !is_cut);
            let stopped_at = stopped_at.map(|stop| self.stop(stop, 1));
            let lines: Vec<_> =
                (0..).zip(&lines.lines).map(|(id, line)| self.line(id, line)).collect();
            told.push(ExplainedChange {
                id: reported.id,
                kind: reported.kind,
                function: reported.function,
                old: reported.old,
                new: reported.new,
                reached: effect.reached,
                infected: effect.infected,
                propagated: effect.propagated,
                cut: is_cut,
                stopped_at,
                lines,
            });
        }
        told
    }

    fn line(&mut self, id: usize, line: &Line) -> ExplainedLine {
        let (old, new) = (&self.study.old.program, &self.study.new.program);
        let old_text = line.old.map(|location| self.sources.0.line(old, location));
        let new_text = line.new.map(|location| self.sources.1.line(new, location));
        let (file, number) = match (line.new, line.old) {
            (Some(location), _) => (file(new, location), location.line),
            (None, Some(location)) => (file(old, location), location.line),
            (None, None) => (String::new(), 0),
        };
        let version = match (line.old, line.new) {
            (Some(_), None) => "old",
            (None, Some(_)) => "new",
            _ => "both",
        };
        let text = new_text.clone().or_else(|| old_text.clone()).unwrap_or_default();
        ExplainedLine {
            id,
            version,
            file,
            line: number,
            old_line: line.old.map(|location| location.line),
            function: line.function.split('.').next().unwrap_or_default().to_owned(),
            old_text: old_text.filter(|old| new_text.as_ref().is_some_and(|new| new != old)),
            text,
            changed: line.changed,
            facts: line.facts.iter().map(|(fact, times)| told(fact, *times)).collect(),
            stops: line.stops.iter().map(|(stop, times)| self.stop(stop, *times)).collect(),
            leads_to: line.to.iter().copied().collect(),
        }
    }

    fn stop(&mut self, stop: &Stop, times: u32) -> ExplainedStop {
        let (code, program, sources) = match stop.old {
            true => (self.old.code, &self.study.old.program, &mut self.sources.0),
            false => (self.new.code, &self.study.new.program, &mut self.sources.1),
        };
        let location = code.location(stop.site);
        let text = location.map(|location| sources.line(program, location)).unwrap_or_default();
        ExplainedStop {
            why: stop.why.text(),
            is_printed: stop.why == Why::Printed,
            version: if stop.old { "old" } else { "new" },
            file: location.map(|location| file(program, location)).unwrap_or_default(),
            line: location.map_or(0, |location| location.line),
            text,
            operation: stop.operation.clone(),
            needs: stop.needs.clone(),
            times,
        }
    }
}

fn file(program: &Program, location: Location) -> String {
    let file = program.files.get(location.file as usize).map_or("?", String::as_str);
    short(file).to_owned()
}

fn told(fact: &Fact, times: u32) -> ExplainedFact {
    let bytes = |bytes: &Option<Vec<u8>>| {
        bytes.as_ref().map(|bytes| format!("\"{}\"", bytes.escape_ascii()))
    };
    let (what, name, old, new) = match fact {
        Fact::Variable { name, old, new } => {
            ("variable", Some(name.clone()), old.clone(), new.clone())
        }
        Fact::Decision { old, new } => ("decision", None, old.clone(), new.clone()),
        Fact::Returned { old, new } => ("returned", None, old.clone(), new.clone()),
        Fact::Printed { old, new } => ("printed", None, bytes(old), bytes(new)),
        Fact::Executed { old: true } => ("executed", None, Some("executed".to_owned()), None),
        Fact::Executed { old: false } => ("executed", None, None, Some("executed".to_owned())),
    };
    ExplainedFact { what, name, old, new, times }
}
