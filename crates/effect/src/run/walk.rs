//! From records to instances: the caller of each function, the value of each operand, the decision
//! that counted.
//!
//! A frame is followed along the blocks of its function, as the value of a phi depends on the
//! predecessor. A record that cannot follow the one before (after `longjmp`, for one) starts anew
//! at its own position.

use std::{
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

use parallax_deadline::{Deadline, OutOfTime};
use parallax_program::{BlockId, FunctionId, Instruction, Opcode, Operand, SiteId};

use super::{
    DEFAULT, NONE, Print, Run, Step, StepId, Use, UseKind,
    frame::{Frame, operands, way},
};
use crate::{
    code::{Code, Home, Regions, is_untold},
    record::Record,
};

/// The most calls in which a list of arguments is searched.
const LISTS: usize = 3;

/// The most conversions and address computations that are looked through.
const DEPTH: u32 = 32;

impl Run {
    /// Reads a run. Records of instructions that the program does not have are left out.
    pub fn read(
        code: &Code<'_>,
        records: impl Iterator<Item = Record>,
        deadline: Deadline,
    ) -> Result<Run, OutOfTime> {
        let mut walk = Walk {
            code,
            run: Run::default(),
            frames: Vec::new(),
            numbers: Vec::new(),
            regions: HashMap::new(),
            last: None,
            orphan: None,
        };
        let mut pace = deadline.pace();
        for record in records {
            pace.step()?;
            walk.note(record);
        }
        Ok(walk.run)
    }
}

struct Walk<'w, 'p> {
    code: &'w Code<'p>,
    run: Run,
    frames: Vec<Frame>,
    /// The instances by the numbers of their records.
    numbers: Vec<Option<StepId>>,
    regions: HashMap<FunctionId, Rc<Regions>>,
    /// The instance of the last record.
    last: Option<StepId>,
    /// A load without a known source in memory.
    orphan: Option<StepId>,
}

impl Walk<'_, '_> {
    fn note(&mut self, record: Record) {
        let orphan = self.orphan.take();
        if let Some(step) = orphan.filter(|_| !matches!(record, Record::Read { .. })) {
            self.use_more_arguments(step);
        }
        match record {
            Record::Enter { site } => self.enter(site),
            Record::Leave { site } => self.leave(site),
            Record::Branch { site, taken } => self.decide(site, u64::from(taken), 1),
            Record::Switch { site, value } => {
                let is_case = self.code.cases(site).contains(&value);
                self.decide(site, if is_case { value } else { DEFAULT }, 64);
            }
            Record::Value { site, number, value, width } => {
                let value = (width > 0).then_some(value);
                self.value(site, number, value, width);
            }
            Record::Called { site, number } => self.called(site, number),
            Record::Read { site, writer } => self.read(site, writer),
            Record::Printed { descriptor, bytes, length } => {
                self.printed(Print { descriptor: Some(descriptor), bytes, length });
            }
        }
    }

    fn enter(&mut self, site: SiteId) {
        let Some(home) = self.code.home(site) else { return };
        let call = self.frames.last().and_then(|frame| frame.pending);
        let parameters = match call {
            Some(call) => self.arguments(call, home.function),
            None => Vec::new(),
        };
        if let Some(call) = call {
            self.run.steps[call.0 as usize].entered = true;
        }
        let regions = self
            .regions
            .entry(home.function)
            .or_insert_with(|| Rc::new(Regions::of(self.code.program.at(home.function))));
        let frame = Frame {
            function: home.function,
            regions: Rc::clone(regions),
            call,
            parameters,
            latest: HashMap::new(),
            decisions: HashMap::new(),
            pending: None,
            block: BlockId(0),
            index: 0,
            next: None,
            came_from: None,
            control: call,
        };
        self.frames.push(frame);
        self.pass(home.function, BlockId(0));
    }

    /// The instances that the arguments of a call were made from, if it calls this function.
    fn arguments(&self, call: StepId, function: FunctionId) -> Vec<Vec<StepId>> {
        let (Some(frame), Some(instruction)) =
            (self.frames.last(), self.code.instruction(self.run.at(call).site))
        else {
            return Vec::new();
        };
        let count = self.code.program.at(function).parameters as usize;
        let fits = match instruction.callee {
            Some(callee) => callee == function,
            None => instruction.operands.len() > count,
        };
        let arguments = instruction.operands.iter().take(if fits { count } else { 0 });
        arguments.map(|operand| self.sources(frame, *operand).0).collect()
    }

    fn leave(&mut self, site: SiteId) {
        let Some(step) = self.step(site) else { return };
        self.use_operands(step, site);
        let value = self.run.uses(step).next().map(|used| *self.run.at(used.source));
        if let Some(value) = value {
            let returned = &mut self.run.steps[step.0 as usize];
            (returned.value, returned.width) = (value.value, value.width);
        }
        let call = self.frames.pop().and_then(|frame| frame.call);
        if let Some(call) = call {
            self.run.add_use(call, step, UseKind::Returned);
        }
    }

    fn decide(&mut self, site: SiteId, value: u64, width: u8) {
        let Some(step) = self.step(site) else { return };
        self.use_operands(step, site);
        let decision = &mut self.run.steps[step.0 as usize];
        (decision.value, decision.width) = (Some(value), width);
        let Some(home) = self.code.home(site) else { return };
        let block = &self.code.program.at(home.function).blocks[home.block.0 as usize];
        let way = match width {
            1 => usize::from(value == 0),
            _ => block.cases.iter().position(|case| *case == value).map_or(0, |case| case + 1),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.next = block.successors.get(way).copied();
            frame.decisions.insert(home.block, step);
        }
    }

    fn value(&mut self, site: SiteId, number: u32, value: Option<u64>, width: u8) {
        self.return_to(site);
        let pending = self.frames.last().and_then(|frame| frame.pending);
        let pending = pending.filter(|call| self.run.at(*call).site == site);
        let step = match pending {
            Some(call) => Some(call),
            None => self.step(site).inspect(|step| self.use_operands(*step, site)),
        };
        let Some(step) = step else { return };
        let told = &mut self.run.steps[step.0 as usize];
        (told.value, told.width) = (value, width);
        self.remember(number, step);
        if let Some(frame) = self.frames.last_mut() {
            frame.latest.insert(site, step);
            frame.pending = None;
        }
        let is_load = self.code.instruction(site).is_some_and(|it| it.opcode == Opcode::Load);
        if is_load && value.is_some() && !self.code.is_pointer(Operand::Site(site)) {
            self.orphan = Some(step);
        }
    }

    fn called(&mut self, site: SiteId, number: u32) {
        let Some(step) = self.step(site) else { return };
        self.use_operands(step, site);
        self.remember(number, step);
        if let Some(frame) = self.frames.last_mut() {
            frame.latest.insert(site, step);
            frame.pending = Some(step);
        }
        if self.takes_list(site) {
            self.use_more_arguments(step);
        }
    }

    /// Whether a call is one of a library function that takes a list of arguments, such as
    /// `vprintf`.
    fn takes_list(&self, site: SiteId) -> bool {
        let callee = self.code.instruction(site).and_then(|it| it.callee);
        callee.map(|callee| self.code.program.at(callee)).is_some_and(|callee| {
            let name = callee.name.trim_start_matches('_');
            callee.blocks.is_empty() && name.starts_with('v') && name != "vfork"
        })
    }

    /// Makes an instance use the arguments of the function around it, or of one of its callers,
    /// beyond its parameters.
    fn use_more_arguments(&mut self, step: StepId) {
        let calls = self.frames.iter().rev().take(LISTS);
        let mut calls = calls.filter_map(|frame| Some((frame.call?, frame.function)));
        let more = calls.find_map(|(call, function)| {
            let fixed = self.code.program.at(function).parameters;
            let instruction = self.code.instruction(self.run.at(call).site)?;
            // The last operand is the callee.
            let end = (instruction.operands.len() as u32).checked_sub(1)?;
            let is_more = |used: &Use| match used.kind {
                UseKind::Operand(position) => (fixed..end).contains(&position),
                UseKind::Memory => true,
                UseKind::Returned | UseKind::Chosen => false,
            };
            (end > fixed).then(|| self.run.uses(call).filter(is_more).collect::<Vec<_>>())
        });
        for used in more.into_iter().flatten() {
            self.run.add_use(step, used.source, used.kind);
        }
    }

    /// Notes the instance of a record. Numbers of records only grow.
    fn remember(&mut self, number: u32, step: StepId) {
        let number = number as usize;
        self.numbers.resize(self.numbers.len().max(number + 1), None);
        self.numbers[number] = Some(step);
        self.last = Some(step);
    }

    fn read(&mut self, site: SiteId, writer: u32) {
        let Some(step) = self.last.filter(|step| self.run.at(*step).site == site) else { return };
        if let Some(writer) = self.numbers.get(writer as usize).copied().flatten() {
            self.run.add_use(step, writer, UseKind::Memory);
        }
    }

    fn printed(&mut self, print: Print) {
        if let Some(call) = self.frames.last().and_then(|frame| frame.pending) {
            match self.run.printed.entry(call) {
                Entry::Vacant(entry) => drop(entry.insert(print)),
                Entry::Occupied(mut entry) => entry.get_mut().add(&print),
            }
        }
    }

    /// Drops frames that ended without a record, until the instruction belongs to the last one.
    fn return_to(&mut self, site: SiteId) {
        let Some(home) = self.code.home(site) else { return };
        let own = self.frames.iter().rposition(|frame| frame.function == home.function);
        if let Some(own) = own {
            self.frames.truncate(own + 1);
        }
    }

    /// A new instance.
    fn step(&mut self, site: SiteId) -> Option<StepId> {
        let home = self.code.home(site)?;
        self.return_to(site);
        self.arrive(home)?;
        let frame = self.frames.last_mut()?;
        frame.pending = None;
        let id = StepId(self.run.steps.len() as u32);
        self.run.steps.push(Step {
            site,
            control: frame.control,
            value: None,
            width: 0,
            change: self.code.change(site),
            entered: false,
            first_use: NONE,
        });
        Some(id)
    }

    /// Moves to the position of the next instance.
    fn arrive(&mut self, home: Home) -> Option<()> {
        let frame = self.frames.last_mut().filter(|frame| frame.function == home.function)?;
        let is_phi = |it: &Instruction| it.opcode == Opcode::Phi;
        let block = &self.code.program.at(home.function).blocks[home.block.0 as usize];
        let is_phi = block.instructions.get(home.index as usize).is_some_and(is_phi);
        let stays = frame.block == home.block && (home.index > frame.index || is_phi);
        let starts = frame.block == home.block && frame.index == 0 && frame.next.is_none();
        frame.index = home.index;
        if stays && frame.next.is_none() || starts {
            return Some(());
        }
        let way = way(self.code, frame, home.block);
        let frame = self.frames.last_mut()?;
        frame.came_from = way.last().copied();
        frame.block = home.block;
        frame.next = None;
        way.iter().for_each(|block| self.jump(home.function, *block));
        for block in way.into_iter().skip(1).chain([home.block]) {
            self.pass(home.function, block);
        }
        let control = self.control(home.block);
        let frame = self.frames.last_mut()?;
        frame.control = control;
        Some(())
    }

    /// A jump that was changed is an instance although it decides nothing.
    fn jump(&mut self, function: FunctionId, block: BlockId) {
        let block = &self.code.program.at(function).blocks[block.0 as usize];
        let jump = block.instructions.last().filter(|_| block.successors.len() == 1);
        let jump = jump.and_then(|jump| Some((jump.site, self.code.change(jump.site)?)));
        let (Some((site, change)), Some(frame)) = (jump, self.frames.last()) else { return };
        self.run.steps.push(Step {
            site,
            control: frame.control,
            value: None,
            width: 0,
            change: Some(change),
            entered: false,
            first_use: NONE,
        });
    }

    /// Notes the changes in a block that is passed.
    fn pass(&mut self, function: FunctionId, block: BlockId) {
        self.run.reached.extend(self.code.changes_in(function, block).iter().copied());
    }

    /// The decision that has a block executed.
    fn control(&self, block: BlockId) -> Option<StepId> {
        let frame = self.frames.last()?;
        let made = || self.decisions(frame, block);
        let Some((last, decider)) = made().max() else { return frame.call };
        if frame.regions.dominates(block, decider) {
            // The next round of a loop.
            return Some(last);
        }
        // Of `a || b` the first one counts, whichever of them decided.
        let first = made().filter(|(_, decider)| frame.regions.dominates(*decider, block)).max();
        Some(first.map_or(last, |(step, _)| step))
    }

    /// The last decisions of those that a block depends on.
    fn decisions<'f>(
        &self,
        frame: &'f Frame,
        block: BlockId,
    ) -> impl Iterator<Item = (StepId, BlockId)> + use<'f> {
        let deciders = frame.regions.deciders(block).iter();
        deciders.filter_map(|decider| frame.decisions.get(decider).map(|step| (*step, *decider)))
    }

    fn use_operands(&mut self, step: StepId, site: SiteId) {
        let (Some(frame), Some(instruction)) = (self.frames.last(), self.code.instruction(site))
        else {
            return;
        };
        let mut found = Vec::new();
        let mut change = None;
        for (position, operand) in operands(frame, instruction) {
            let (sources, changed) = self.sources(frame, operand);
            change = change.or(changed);
            let kind = UseKind::Operand(position);
            found.extend(sources.into_iter().map(|source| (source, kind)));
        }
        if instruction.opcode == Opcode::Phi {
            // Of `a && b ? x : y` either may have chosen, and in `a && b` the first one does so by itself.
            let block = frame.came_from;
            let first = block.and_then(|block| self.control(block));
            let last = block.and_then(|block| self.decisions(frame, block).max());
            let own = block.and_then(|block| frame.decisions.get(&block).copied());
            let others = [last.map(|(step, _)| step), own];
            let mut chosen: Vec<_> = others.into_iter().chain([first]).flatten().collect();
            chosen.sort_unstable();
            chosen.dedup();
            let chosen = chosen.into_iter();
            found.extend(chosen.map(|chosen| (chosen, UseKind::Chosen)));
        }
        for (source, kind) in found.into_iter().filter(|(source, _)| *source != step) {
            self.run.add_use(step, source, kind);
        }
        let step = &mut self.run.steps[step.0 as usize];
        step.change = step.change.or(change);
    }

    /// The instances that an operand was made from, and the change that made it if that left no
    /// record.
    fn sources(&self, frame: &Frame, operand: Operand) -> (Vec<StepId>, Option<u32>) {
        let (mut found, mut change) = (Vec::new(), None);
        self.find(frame, operand, DEPTH, &mut found, &mut change);
        (found, change)
    }

    fn find(
        &self,
        frame: &Frame,
        operand: Operand,
        depth: u32,
        found: &mut Vec<StepId>,
        change: &mut Option<u32>,
    ) {
        match operand {
            Operand::Site(site) => match frame.latest.get(&site) {
                Some(step) => found.push(*step),
                None => {
                    let instruction = self.code.instruction(site);
                    let untold = instruction.filter(|it| is_untold(it.opcode) && depth > 0);
                    let Some(untold) = untold else { return };
                    *change = change.or(self.code.change(site));
                    for operand in &untold.operands {
                        self.find(frame, *operand, depth - 1, found, change);
                    }
                }
            },
            Operand::Parameter(index) => {
                found.extend(frame.parameters.get(index as usize).into_iter().flatten());
            }
            _ => {}
        }
    }
}
