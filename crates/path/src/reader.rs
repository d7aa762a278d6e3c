//! Reading a trace.

use std::sync::Arc;

use parallax_abi::{Counter, InputKind, Label, PinReason, Undefined};
use parallax_deadline::{Deadline, OutOfTime};
use parallax_run::trace::{Trace, TraceEvent, TraceInput};
use parallax_solve::{
    Binary, BlobView, ExprId, Graph, ImportError, Importer, Memory, Origin, Variable,
};

use crate::{Comparison, Ending, Number, Obligation, Output, Path, Printed, Step, StepKind};

/// Reads the path of a trace, with expressions in `graph`. `cases` returns the values of the switch
/// at a site.
pub fn read(trace: Trace<'_>, graph: &mut Graph, cases: &dyn Fn(u32) -> Vec<u64>) -> Path {
    let inputs: Vec<_> = trace.inputs().iter().map(origin).collect();
    let (blobs, numbers) = (Blobs(trace), Numbers::Written);
    let importer = Importer::new(trace.nodes(), &blobs, &inputs);
    let reader =
        Reader { trace, graph, importer, cases, numbers, number: 0, path: Path::default() };
    reader.read(|| Ok(())).unwrap_or_else(|OutOfTime| unreachable!("nothing ends it"))
}

/// Treatment of numbers that a program has read from its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// The value of their digits.
    Written,
    /// Any value, as if they were written anew.
    Free,
}

/// The same with a choice for numbers and a deadline.
pub fn read_by(
    trace: Trace<'_>,
    graph: &mut Graph,
    cases: &dyn Fn(u32) -> Vec<u64>,
    numbers: Numbers,
    deadline: Deadline,
) -> Result<Path, OutOfTime> {
    let path = read_once(trace, graph, (cases, numbers), Unwritten::AsItIs, deadline)?;
    let is_unwritten = |variable: &Variable| variable.origin == Origin::Unwritten;
    if !graph.variables().iter().any(is_unwritten) {
        return Ok(path);
    }
    let other = read_once(trace, graph, (cases, numbers), Unwritten::Otherwise, deadline)?;
    Ok(without_memory(graph, path, &other))
}

/// Treatment of memory that was never written.
#[derive(Clone, Copy)]
enum Unwritten {
    AsItIs,
    Otherwise,
}

fn read_once(
    trace: Trace<'_>,
    graph: &mut Graph,
    (cases, numbers): (&dyn Fn(u32) -> Vec<u64>, Numbers),
    unwritten: Unwritten,
    deadline: Deadline,
) -> Result<Path, OutOfTime> {
    deadline.check()?;
    let inputs: Vec<_> = trace.inputs().iter().map(origin).collect();
    let blobs = Blobs(trace);
    let importer = Importer::new(trace.nodes(), &blobs, &inputs).within(deadline);
    let importer = match unwritten {
        Unwritten::AsItIs => importer,
        Unwritten::Otherwise => importer.with_other_memory(),
    };
    let reader =
        Reader { trace, graph, importer, cases, numbers, number: 0, path: Path::default() };
    let mut pace = deadline.pace();
    reader.read(|| pace.step())
}

/// A path with the obligation that nothing on it depends on memory that was never written: that is,
/// nothing differs from a second reading with another content of that memory.
fn without_memory(graph: &mut Graph, mut path: Path, other: &Path) -> Path {
    let (all, others) = (dependents(&path), dependents(other));
    if all.len() != others.len() {
        path.approximations.damaged += 1;
        return path;
    }
    for ((event, site, one), (_, _, other)) in all.into_iter().zip(others) {
        let condition = graph.binary(Binary::Ne, one, other);
        if graph.as_constant(condition) != Some(0) {
            let kind = Undefined::Unwritten;
            path.obligations.push(Obligation { event, site, kind, condition });
        }
    }
    path.obligations.sort_by_key(|obligation| obligation.event);
    path
}

/// The expressions that decide the control flow and the output of a run, with their events and
/// places.
fn dependents(path: &Path) -> Vec<(u32, u32, ExprId)> {
    let steps = path.steps.iter().map(|step| (step.event, step.site, step.condition));
    let obligations = path.obligations.iter().map(|it| (it.event, it.site, it.condition));
    let outputs = path.outputs.iter().flat_map(|output| {
        let expressions = output.printed.expressions().into_iter();
        expressions.map(|expression| (u32::MAX, output.site, expression))
    });
    let ending = path.ending.iter();
    let ending = ending.filter_map(|ending| Some((u32::MAX, ending.site, ending.expression?)));
    steps.chain(obligations).chain(outputs).chain(ending).collect()
}

/// Where the bytes of an input come from.
fn origin(input: &TraceInput<'_>) -> Origin {
    let name = || Arc::from(input.name);
    match input.kind {
        Some(InputKind::Argument) => Origin::Argument(input.index),
        Some(InputKind::File) => Origin::File(name()),
        Some(InputKind::Environment) => Origin::Environment(name()),
        Some(InputKind::Count) => Origin::Count,
        Some(InputKind::Stdin) | None => Origin::Stdin,
    }
}

/// Bounds of a part of an object are Parallax's condition, not the program's.
fn bounds(part: bool) -> StepKind {
    if part { StepKind::Pin(PinReason::Address) } else { StepKind::Bounds }
}

struct Blobs<'t>(Trace<'t>);

impl Memory for Blobs<'_> {
    fn blob(&self, id: u32) -> Option<BlobView<'_>> {
        let blob = self.0.blob(id)?;
        Some(BlobView { address: blob.address, bytes: blob.bytes, labels: blob.labels })
    }
}

struct Reader<'r> {
    trace: Trace<'r>,
    graph: &'r mut Graph,
    importer: Importer<'r>,
    cases: &'r dyn Fn(u32) -> Vec<u64>,
    numbers: Numbers,
    /// The number of the event that is being read.
    number: u32,
    path: Path,
}

impl Reader<'_> {
    fn read(mut self, mut step: impl FnMut() -> Result<(), OutOfTime>) -> Result<Path, OutOfTime> {
        let mut events = self.trace.events();
        for event in events.by_ref() {
            step()?;
            match self.event(&event) {
                Err(ImportError::OutOfTime(late)) => return Err(late),
                Err(_) => self.path.approximations.damaged += 1,
                Ok(()) => {}
            }
            self.number += 1;
        }
        self.path.approximations.damaged += events.unknown();
        self.path.approximations.counters = self.trace.counters().collect();
        Ok(self.path)
    }

    fn event(&mut self, event: &TraceEvent) -> Result<(), ImportError> {
        match *event {
            // Concrete branches are recorded to align two runs and are no conditions.
            TraceEvent::Branch { label, .. } | TraceEvent::Switch { label, .. }
                if label.is_concrete() => {}
            TraceEvent::Branch { site, taken, label, model_site, .. } => {
                let condition = self.import(label, 1)?;
                let condition = if taken { condition } else { self.graph.not(condition) };
                self.push(site, model_site, StepKind::Branch { taken }, condition);
            }
            TraceEvent::Switch { site, label, width, value, model_site, .. } => {
                let own_site = if model_site == 0 { site } else { model_site };
                let on = self.import(label, width.into())?;
                let condition = self.switch(own_site, on, value);
                self.push(site, model_site, StepKind::Switch { value, on }, condition);
            }
            TraceEvent::Pin { site, reason: PinReason::Enumerated, label, width, value } => {
                let on = self.import(label, width.into())?;
                let condition = self.is_value(on, value);
                self.step(site, StepKind::Value { value, on }, condition);
            }
            TraceEvent::Pin { site, reason, label, width, value } => {
                let condition = self.equals(label, width.into(), value)?;
                self.step(site, StepKind::Pin(reason), condition);
            }
            TraceEvent::Load { site, size, part, label, object } => {
                let condition = self.load_bounds(label, size.into(), object)?;
                self.step(site, bounds(part), condition);
            }
            TraceEvent::Store { site, size, part, residue, offset, object_size } => {
                let condition =
                    self.store_bounds(offset, size.into(), residue.into(), object_size.into())?;
                self.step(site, bounds(part), condition);
            }
            TraceEvent::Divisor { site, label, width } => {
                let divisor = self.import(label, width.into())?;
                let zero = self.graph.constant(self.graph.width(divisor), 0);
                let condition = self.graph.binary(Binary::Ne, divisor, zero);
                self.step(site, StepKind::Divisor, condition);
            }
            TraceEvent::Obligation { site, kind, label, holds } => {
                self.obligation(site, kind, (label, holds))?;
            }
            TraceEvent::Output { site, descriptor, blob } => self.output(site, descriptor, blob)?,
            TraceEvent::Formatted { site, descriptor, conversion, label, value } => {
                self.formatted(site, descriptor, conversion, label, value)?;
            }
            TraceEvent::Approximated { site, counter, name } => {
                self.approximated(site, counter, name);
            }
            TraceEvent::End { site, exit, label, status } => {
                let expression = self.optional(label, 32)?;
                self.path.ending = Some(Ending { site, exit, status, expression });
            }
            TraceEvent::Compare { site, left, right, equal: false, .. } => {
                self.compare(site, left, right)?;
            }
            TraceEvent::Number { text, base, signed, label, value, .. } => {
                self.read_number(text, label, (base, signed, value))?;
            }
            TraceEvent::Compare { .. }
            | TraceEvent::Enter { .. }
            | TraceEvent::Leave { .. }
            | TraceEvent::Instance { .. }
            | TraceEvent::Called { .. }
            | TraceEvent::Writer { .. } => {}
        }
        Ok(())
    }

    fn step(&mut self, site: u32, kind: StepKind, condition: ExprId) {
        self.push(site, 0, kind, condition);
    }

    /// Skips conditions that always hold.
    fn push(&mut self, site: u32, model_site: u32, kind: StepKind, condition: ExprId) {
        let event = self.number;
        match self.graph.as_constant(condition) {
            Some(1) => self.path.settled.push((event, site)),
            _ => self.path.steps.push(Step { event, site, model_site, kind, condition }),
        }
    }

    /// Skips obligations that no input violates.
    fn obligation(
        &mut self,
        site: u32,
        kind: Undefined,
        (label, holds): (Label, bool),
    ) -> Result<(), ImportError> {
        let condition = match holds {
            true => self.graph.constant(1, 1),
            false => self.import(label, 1)?,
        };
        if self.graph.as_constant(condition) != Some(0) {
            let event = self.number;
            self.path.obligations.push(Obligation { event, site, kind, condition });
        }
        Ok(())
    }

    /// Two texts that differ: recorded if one of them is a piece of the input.
    fn compare(&mut self, site: u32, left: u32, right: u32) -> Result<(), ImportError> {
        let (Some(left), Some(right)) = (self.trace.blob(left), self.trace.blob(right)) else {
            return Ok(());
        };
        for (one, other) in [(left, right), (right, left)] {
            if other.labels.iter().any(|label| !label.is_concrete()) {
                continue;
            }
            let cells = self.cells(&one)?;
            let (event, graph) = (self.number, &*self.graph);
            let found = Comparison::new(event, site, graph, (one.bytes, &cells), other.bytes);
            self.path.comparisons.extend(found);
        }
        Ok(())
    }

    /// The expressions of bytes; none for concrete ones.
    fn cells(
        &mut self,
        blob: &parallax_run::trace::BlobView<'_>,
    ) -> Result<Vec<Option<ExprId>>, ImportError> {
        let labels = blob.labels.iter().copied().chain(std::iter::repeat(Label::CONCRETE));
        labels.take(blob.bytes.len()).map(|label| self.optional(label, 8)).collect()
    }

    fn read_number(
        &mut self,
        text: u32,
        label: Label,
        kind: (u8, bool, u64),
    ) -> Result<(), ImportError> {
        let Some(text) = self.trace.blob(text) else { return Ok(()) };
        let cells = self.cells(&text)?;
        let Some(number) = Number::new(self.graph, &cells, kind) else { return Ok(()) };
        if self.numbers == Numbers::Free {
            let variable = self.graph.variable_expr(&number.variable());
            self.importer.substitute(label, variable);
        }
        self.path.numbers.push(number);
        Ok(())
    }

    fn import(&mut self, label: Label, width: u32) -> Result<ExprId, ImportError> {
        self.importer.import(self.graph, label, width)
    }

    fn optional(&mut self, label: Label, width: u32) -> Result<Option<ExprId>, ImportError> {
        if label.is_concrete() {
            return Ok(None);
        }
        self.import(label, width).map(Some)
    }

    fn equals(&mut self, label: Label, width: u32, value: u64) -> Result<ExprId, ImportError> {
        let expression = self.import(label, width)?;
        Ok(self.is_value(expression, value))
    }

    fn is_value(&mut self, expression: ExprId, value: u64) -> ExprId {
        let value = self.graph.constant(self.graph.width(expression), value.into());
        self.graph.binary(Binary::Eq, expression, value)
    }

    /// The condition of a switch; the default means none of its values.
    fn switch(&mut self, site: u32, on: ExprId, value: u64) -> ExprId {
        let cases = (self.cases)(site);
        if cases.contains(&value) {
            return self.is_value(on, value);
        }
        let mut all = self.graph.constant(1, 1);
        for case in cases {
            let equal = self.is_value(on, case);
            let differs = self.graph.not(equal);
            all = self.graph.binary(Binary::And, all, differs);
        }
        all
    }

    fn load_bounds(&mut self, label: Label, size: u64, object: u32) -> Result<ExprId, ImportError> {
        let (start, length) =
            self.trace.blob(object).map_or((0, 0), |blob| (blob.address, blob.bytes.len() as u64));
        let address = self.import(label, 64)?;
        let start = self.graph.constant(64, start.into());
        let offset = self.graph.binary(Binary::Sub, address, start);
        Ok(self.at_most(offset, length.saturating_sub(size)))
    }

    fn store_bounds(
        &mut self,
        offset: Label,
        size: u64,
        residue: u64,
        object_size: u64,
    ) -> Result<ExprId, ImportError> {
        let offset = self.import(offset, 64)?;
        let inside = self.at_most(offset, object_size.saturating_sub(size));
        let size = self.graph.constant(64, size.into());
        let residue = self.graph.constant(64, residue.into());
        let left = self.graph.binary(Binary::URem, offset, size);
        let aligned = self.graph.binary(Binary::Eq, left, residue);
        Ok(self.graph.binary(Binary::And, inside, aligned))
    }

    fn at_most(&mut self, expression: ExprId, most: u64) -> ExprId {
        let most = self.graph.constant(64, most.into());
        self.graph.binary(Binary::ULe, expression, most)
    }

    fn output(&mut self, site: u32, descriptor: u16, blob: u32) -> Result<(), ImportError> {
        let Some(blob) = self.trace.blob(blob) else {
            return Err(ImportError::NoNode { node: blob as usize });
        };
        let mut symbolic = Vec::new();
        for (position, label) in (0..).zip(blob.labels) {
            if let Some(expression) = self.optional(*label, 8)? {
                symbolic.push((position, expression));
            }
        }
        let printed = Printed::Bytes { bytes: blob.bytes.to_vec(), symbolic };
        self.path.outputs.push(Output { site, descriptor, printed });
        Ok(())
    }

    fn formatted(
        &mut self,
        site: u32,
        descriptor: u16,
        conversion: u32,
        label: Label,
        value: u64,
    ) -> Result<(), ImportError> {
        let expression = self.optional(label, 64)?;
        let conversion = self.trace.blob(conversion).map_or(Vec::new(), |blob| blob.bytes.to_vec());
        let printed = Printed::Formatted { conversion, value, expression };
        self.path.outputs.push(Output { site, descriptor, printed });
        Ok(())
    }

    fn approximated(&mut self, site: u32, counter: Counter, name: u32) {
        let approximations = &mut self.path.approximations;
        match self.trace.blob(name) {
            Some(name) if counter == Counter::Unmodelled => {
                let name = String::from_utf8_lossy(name.bytes).into_owned();
                approximations.unmodelled.entry(name).or_default().push(site);
            }
            Some(name) if matches!(counter, Counter::Route | Counter::World) => {
                let name = String::from_utf8_lossy(name.bytes).into_owned();
                approximations.named.entry((counter, name)).or_default().push(site);
            }
            _ => approximations.places.push((counter, site)),
        }
    }
}
