//! `parallax trace`: one test, run symbolically.

use std::{cell::RefCell, collections::HashMap};

use anyhow::anyhow;
use parallax_abi::Counter;
use parallax_instrument::SymbolicBuild;
use parallax_path::{Output, Path, Printed, Step, StepKind};
use parallax_report::{
    TracedRun,
    trace::{Approximation, Condition, Piece, Size},
};
use parallax_run::{
    suite::Suite,
    trace::{TraceMemory, TraceOptions},
};
use parallax_solve::{ExprId, Graph, Printer};

use crate::{
    cli::{Status, Trace},
    screen::Screen,
    symbolic::Symbolic,
    versions::{failed, failed_to},
};

/// The operations of an expression that are shown on a terminal, and in JSON.
const SHOWN: usize = 48;
const SHOWN_AS_JSON: usize = 400;

pub(crate) fn run(trace: &Trace, screen: &Screen) -> anyhow::Result<Status> {
    let suite = Suite::load(std::slice::from_ref(&trace.test)).map_err(failed_to)?;
    let running = &trace.running.limited();
    let Symbolic { build: symbolic, native, subject, name } =
        Symbolic::build(&trace.program, &trace.building, running, screen)?;
    let options = TraceOptions { sites: symbolic.places.size(), ..TraceOptions::default() };
    let mut memory = TraceMemory::new(options).map_err(failed_to)?;
    let mut lab = running.start_lab(screen).map_err(failed)?;
    let root = common_folder(&symbolic.model.files);
    for test in &suite.tests {
        let limits = &running.limits;
        let seen = lab.trace(&subject, &test.case, limits, &mut memory).map_err(failed_to)?;
        let untouched = lab.run(&native, &test.case, limits).map_err(failed_to)?;
        let view = memory.trace();
        if !view.attached() {
            let said = String::from_utf8_lossy(&seen.stderr.bytes).into_owned();
            return Err(anyhow!("failed to trace the program: {said}"));
        }
        let mut graph = Graph::new();
        let path = parallax_path::read(view, &mut graph, &|site| symbolic.cases(site));
        if trace.smt2 {
            let conditions: Vec<_> = path.steps.iter().map(|step| step.condition).collect();
            let script = parallax_solve::export(&graph, &conditions).text;
            screen.print(&format!("{script}(check-sat)\n(get-model)\n"))?;
            continue;
        }
        let size = Size {
            nodes: view.nodes().len() as u64 - 1,
            events: view.events().count() as u64,
            edges: view.coverage().iter().filter(|byte| **byte != 0).count() as u64,
        };
        let view = View {
            symbolic: &symbolic,
            graph: &graph,
            root: &root,
            shown: if trace.json { SHOWN_AS_JSON } else { SHOWN },
            printed: RefCell::default(),
        };
        let run = TracedRun {
            disturbed: parallax_report::disturbed(&seen, &untouched),
            ..view.traced_run(&path, parallax_report::ended(&seen), size)
        };
        if trace.json {
            screen.print(&run.to_json())?;
        } else {
            let line = shortened(test.case.shell_line(&name.to_string_lossy()));
            screen.print(&format!("$ {line}\n{}", run.terminal(screen.style())))?;
        }
    }
    Ok(Status::Fine)
}

/// Renders numbers of a trace as text.
struct View<'a> {
    symbolic: &'a SymbolicBuild,
    graph: &'a Graph,
    /// The directory of the program's sources.
    root: &'a str,
    /// The operations of an expression that are shown.
    shown: usize,
    /// Printed expressions: loops need the same again and again.
    printed: RefCell<HashMap<ExprId, String>>,
}

impl View<'_> {
    fn traced_run(&self, path: &Path, ended: String, size: Size) -> TracedRun {
        TracedRun {
            schema: 1,
            verb: "trace",
            ended,
            disturbed: Vec::new(),
            conditions: path.steps.iter().map(|step| self.condition(step)).collect(),
            outputs: path.outputs.iter().map(|output| self.piece(output)).collect(),
            complete: is_complete(path),
            status: path.ending.and_then(|end| end.expression).map(|id| self.print(id)),
            approximations: self.approximations(path),
            size,
        }
    }

    fn condition(&self, step: &Step) -> Condition {
        Condition {
            place: self.place(step.site),
            function: self.symbolic.function_at(step.site).to_owned(),
            model: (step.model_site != 0 && step.site != 0).then(|| self.model(step)),
            kind: match step.kind {
                StepKind::Branch { .. } => "branch",
                StepKind::Switch { .. } => "switch",
                StepKind::Pin(_) | StepKind::Value { .. } => "pin",
                StepKind::Bounds => "bounds",
                StepKind::Divisor => "divisor",
            },
            text: self.print(step.condition),
        }
    }

    /// The called library function; of a call through a pointer, the model that runs.
    fn model(&self, step: &Step) -> String {
        let program = &self.symbolic.model;
        let place = self.symbolic.places.get(step.site);
        let called = place.and_then(|place| place.instruction(program)?.callee);
        let called = called.and_then(|callee| program.functions.get(callee.0 as usize));
        let name = called.map_or_else(
            || self.symbolic.function_at(step.model_site),
            |function| function.name.as_str(),
        );
        name.trim_start_matches("plx_model_").to_owned()
    }

    /// A place in the source, relative to the directory of the program's sources.
    fn place(&self, site: u32) -> String {
        if site == 0 {
            return "(start)".to_owned();
        }
        let place = self.symbolic.source_of(site);
        let place = place.strip_prefix(self.root).unwrap_or(&place).trim_start_matches("./");
        place.strip_suffix(":0").unwrap_or(place).to_owned()
    }

    fn print(&self, id: ExprId) -> String {
        let mut printed = self.printed.borrow_mut();
        let print = || Printer::with_limit(self.graph, self.shown).print(id);
        printed.entry(id).or_insert_with(print).clone()
    }

    fn piece(&self, output: &Output) -> Piece {
        let text = match &output.printed {
            Printed::Bytes { bytes, symbolic } => self.bytes(bytes, symbolic),
            Printed::Formatted { conversion, value, expression } => {
                let value = expression.map_or_else(|| value.to_string(), |id| self.print(id));
                format!("\"{}\" of {value}", conversion.escape_ascii())
            }
        };
        Piece {
            place: self.place(output.site),
            descriptor: output.descriptor,
            text,
            symbolic: output.is_symbolic(),
        }
    }

    /// Concrete bytes in quotes, symbolic ones as expressions between them.
    fn bytes(&self, bytes: &[u8], symbolic: &[(u32, ExprId)]) -> String {
        let mut parts = Vec::new();
        let mut start = 0;
        let quoted = |from: usize, to: usize| {
            (from < to).then(|| format!("\"{}\"", bytes[from..to].escape_ascii()))
        };
        for (position, id) in symbolic {
            let position = *position as usize;
            parts.extend(quoted(start, position));
            parts.push(self.print(*id));
            start = position + 1;
        }
        parts.extend(quoted(start, bytes.len()));
        parts.join(" ")
    }

    fn approximations(&self, path: &Path) -> Vec<Approximation> {
        let found = &path.approximations;
        let places = |sites: &mut dyn Iterator<Item = u32>| {
            let mut places: Vec<_> = sites.take(3).map(|site| self.place(site)).collect();
            places.dedup();
            places
        };
        let counted = found.counters.iter().map(|(counter, count)| {
            let mut sites =
                found.places.iter().filter(|(c, _)| c == counter).map(|(_, site)| *site);
            Approximation {
                what: counter.describe().into(),
                count: *count,
                places: places(&mut sites),
            }
        });
        let unmodelled = found.unmodelled.iter().map(|(name, sites)| Approximation {
            what: format!("not modelled: {name}"),
            count: sites.len() as u64,
            places: places(&mut sites.iter().copied()),
        });
        let damaged = (found.damaged > 0).then(|| Approximation {
            what: "records that make no sense".into(),
            count: found.damaged,
            places: Vec::new(),
        });
        counted.chain(unmodelled).chain(damaged).collect()
    }
}

/// A command line without its middle, which may be a whole file.
fn shortened(line: String) -> String {
    const MOST: usize = 400;
    if line.chars().count() <= MOST {
        return line;
    }
    let start: String = line.chars().take(MOST / 2).collect();
    let end: Vec<char> = line.chars().rev().take(MOST / 4).collect();
    format!("{start} … {}", end.into_iter().rev().collect::<String>())
}

/// The folder, with its slash, of all sources outside the system's.
fn common_folder(files: &[String]) -> String {
    let own = files.iter().filter(|file| file.starts_with('/') && !file.starts_with("/usr/"));
    let folders = own.filter_map(|file| file.rsplit_once('/')).map(|(folder, _)| folder);
    let common = folders.reduce(|one, other| {
        let same = one.split('/').zip(other.split('/')).take_while(|(a, b)| a == b);
        let length: usize = same.map(|(part, _)| part.len() + 1).sum();
        &one[..length.saturating_sub(1)]
    });
    common.map_or(String::new(), |folder| format!("{folder}/"))
}

/// Whether the run ended by itself, and was traced to its end.
fn is_complete(path: &Path) -> bool {
    let limits = [Counter::NodeLimit, Counter::EventLimit, Counter::BlobLimit, Counter::InputLimit];
    let found = &path.approximations;
    path.ending.is_some()
        && found.damaged == 0
        && limits.iter().all(|limit| !found.counters.contains_key(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_with_a_file_in_it_is_cut() {
        assert_eq!(shortened("a b".into()), "a b");
        let cut = shortened(format!("printf '{}' | wc", "é".repeat(1000)));
        assert!(cut.starts_with("printf 'é") && cut.ends_with("é' | wc"), "{cut}");
        assert_eq!(cut.chars().count(), 303);
    }

    #[test]
    fn sources_are_named_from_the_folder_that_they_share() {
        let folder = |files: &[&str]| {
            common_folder(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(folder(&["/home/u/sed/lib/x.c", "/home/u/sed/sed/y.c"]), "/home/u/sed/");
        assert_eq!(folder(&["/home/u/a.c", "/usr/include/stdio.h"]), "/home/u/");
        assert_eq!(folder(&["/home/ab/x.c", "/home/abc/y.c"]), "/home/");
        assert_eq!(folder(&["a.c"]), "");
        assert_eq!(folder(&[]), "");
    }
}
