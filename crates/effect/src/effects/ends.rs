//! The ends of effects.

use parallax_deadline::OutOfTime;
use parallax_program::Opcode;

use super::{Builder, Node, Sight};
use crate::{
    code::Code,
    run::{Run, StepId, UseKind},
    stop::{Absorber, Stop, Why, operation},
};

/// An instance of the new run that used something infected without effect, with the kind of use.
type Absorbed = (StepId, UseKind);

/// The unmet condition where both versions print the same, each in its own way.
const TO_PRINT: &str = "the other version must not show the same elsewhere";

/// Functions that end the program.
const ENDINGS: [&str; 6] = ["exit", "_exit", "_Exit", "abort", "quick_exit", "__assert_fail"];

impl Builder<'_, '_> {
    /// The stop of each node that infects nothing, and of each node that is visible from outside.
    pub(super) fn ends(&self) -> Result<Vec<(u32, Stop)>, OutOfTime> {
        let absorbed = self.absorbed()?;
        let mut pace = self.deadline.pace();
        let mut ends = Vec::new();
        for id in 0..self.nodes.len() as u32 {
            pace.step()?;
            let stop = self.shown(id).or_else(|| {
                let is_leaf = self.nodes[id as usize].to.is_empty();
                is_leaf.then(|| self.end(id, absorbed[id as usize]))
            });
            ends.extend(stop.map(|stop| (id, stop)));
        }
        Ok(ends)
    }

    fn absorbed(&self) -> Result<Vec<Option<Absorbed>>, OutOfTime> {
        let mut pace = self.deadline.pace();
        let mut absorbed = vec![None; self.nodes.len()];
        let runs = &self.runs;
        for step in runs.new.1.ids().filter(|step| !self.infection.has(*step)) {
            pace.step()?;
            for used in runs.new.1.uses(step) {
                if let Some(node) = self.of_new.get(used.source)
                    && self.infection.comes_along(runs, used)
                {
                    absorbed[node as usize].get_or_insert((step, used.kind));
                }
            }
            let Some(old) = runs.alignment.old_of(step) else { continue };
            for used in runs.old.1.uses(old) {
                if let Some(node) = self.of_old.get(used.source)
                    && self.infection.comes_along_old(runs, used)
                {
                    absorbed[node as usize].get_or_insert((step, used.kind));
                }
            }
        }
        Ok(absorbed)
    }

    /// The new side of a node, or the old one if there is no new one.
    fn side(&self, node: &Node) -> Option<(&Code<'_>, &Run, StepId, bool)> {
        let new = node.new.map(|step| (self.runs.new.0, self.runs.new.1, step, false));
        new.or_else(|| node.old.map(|step| (self.runs.old.0, self.runs.old.1, step, true)))
    }

    /// The stop of a node that is visible from outside.
    fn shown(&self, id: u32) -> Option<Stop> {
        let node = &self.nodes[id as usize];
        let (code, run, step, old) = self.side(node)?;
        let site = run.at(step).site;
        let instruction = code.instruction(site)?;
        let name = code.callee(instruction).unwrap_or_default();
        let is_main = || code.function(site).is_some_and(|function| function.name == "main");
        let operation = match instruction.opcode {
            _ if self.died.contains(&id) => "the program dies here in one version".to_owned(),
            Opcode::Ret if is_main() && run.at(step).control_is_start(run) => {
                "the exit status".to_owned()
            }
            Opcode::Call if ENDINGS.contains(&name) => "how the program ends".to_owned(),
            Opcode::Call if code.outputs.contains(site.0 as usize) => {
                self.prints(node).then(|| format!("{name}(…)"))?
            }
            _ => return None,
        };
        let (why, needs) = match self.sight {
            Sight::Different if !self.is_shared(node) => (Why::Printed, None),
            _ => (Why::ComputedAlike, Some(TO_PRINT.to_owned())),
        };
        Some(Stop { why, site, old, operation: Some(operation), needs, lonely: false })
    }

    /// Whether the output of a call differs between the versions.
    fn prints(&self, node: &Node) -> bool {
        let (Some(old), Some(new)) = (node.old, node.new) else { return true };
        let (old, new) = (self.runs.old.1.printed.get(&old), self.runs.new.1.printed.get(&new));
        // Output that only went to a buffer is printed later.
        old.is_none() && new.is_none() || old != new
    }

    /// Whether a call prints what the other version prints elsewhere.
    fn is_shared(&self, node: &Node) -> bool {
        match (node.old, node.new) {
            (Some(old), None) => self.shared.has_old(old),
            (None, Some(new)) => self.shared.has_new(new),
            _ => false,
        }
    }

    fn end(&self, id: u32, absorbed: Option<Absorbed>) -> Stop {
        let node = &self.nodes[id as usize];
        let (code, run, step, old) =
            self.side(node).unwrap_or((self.runs.new.0, self.runs.new.1, StepId(0), false));
        let site = run.at(step).site;
        let stop = |why, needs: Option<&str>| Stop {
            why,
            site,
            old,
            operation: code.instruction(site).and_then(|it| operation(code, run, step, it)),
            needs: needs.map(str::to_owned),
            lonely: !(node.old.is_some() && node.new.is_some()),
        };
        let is_pair = node.old.is_some() && node.new.is_some();
        let opcode = code.instruction(site).map(|it| it.opcode);
        match opcode {
            Some(Opcode::Br | Opcode::Switch) if is_pair && run.at(step).value.is_some() => {
                stop(Why::NothingFollows, Some("what is done there must differ"))
            }
            Some(Opcode::Br) if run.at(step).value.is_some() => self.guard(code, run, step, old),
            Some(Opcode::Br | Opcode::Switch) => {
                stop(Why::NothingFollows, Some("what is executed after it must differ"))
            }
            Some(Opcode::Call) if is_pair && self.is_unchanged_answer(node) => {
                let needs = code.instruction(site).and_then(|it| code.callee(it));
                let needs = needs.unwrap_or("what is called");
                let needs = format!("{needs} must answer or print something else");
                stop(Why::Swallowed, Some(&needs))
            }
            _ => {
                let absorber =
                    absorbed.and_then(|(step, kind)| self.absorber(step, kind, !is_pair));
                absorber.unwrap_or_else(|| Stop {
                    operation: None,
                    ..stop(Why::NeverUsed, Some("it must be used before it is overwritten"))
                })
            }
        }
    }

    /// The stop of a decision that only one version makes, and that has led to nothing.
    fn guard(&self, code: &Code<'_>, run: &Run, step: StepId, old: bool) -> Stop {
        let taken = run.at(step).value == Some(1);
        let condition = run.uses(step).next().map(|used| used.source);
        let condition = condition.and_then(|condition| {
            let instruction = code.instruction(run.at(condition).site)?;
            operation(code, run, condition, instruction)
        });
        let needs = match taken {
            true => "the condition must not hold",
            false => "the condition must hold",
        };
        Stop {
            why: Why::DecidedAlike,
            site: run.at(step).site,
            old,
            operation: condition,
            needs: Some(needs.to_owned()),
            lonely: true,
        }
    }

    /// Whether a library function returned the same although its input differed.
    fn is_unchanged_answer(&self, node: &Node) -> bool {
        let (Some(old), Some(new)) = (node.old, node.new) else { return false };
        let has_answer = self.runs.new.1.at(new).value.is_some();
        has_answer && !self.runs.differ(old, new) && !self.runs.new.1.at(new).entered
    }

    fn absorber(&self, step: StepId, kind: UseKind, is_lonely: bool) -> Option<Stop> {
        let old = self.runs.alignment.old_of(step)?;
        let absorber = Absorber {
            old: (self.runs.old.0, self.runs.old.1, old),
            new: (self.runs.new.0, self.runs.new.1, step),
            kind,
            is_lonely,
        };
        absorber.stop()
    }
}
