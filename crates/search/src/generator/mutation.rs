//! Tests with small random changes.

use super::{Generator, Quota, Room, Round, together};
use crate::{
    knowledge::Knowledge,
    mutation::{Material, mutant},
    worker::Job,
};

/// Changes tests by chance.
pub(crate) struct Mutation;

impl Generator for Mutation {
    fn name(&self) -> &'static str {
        "mutation"
    }

    fn purpose(&self) -> &'static str {
        "changes tests by chance"
    }

    fn quota(&self) -> Quota {
        Quota { even: 48.0, bounds: 16..=512, room: Room::Chance }
    }

    fn propose(&mut self, quota: usize, round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let mut chance = knowledge.chance.clone();
        let material = Material::of(knowledge, round);
        let mutants = (0..quota).filter_map(|_| mutant(&mut chance, &material));
        let mutants: Vec<_> = mutants.filter(|test| knowledge.corpus.is_wanted(test)).collect();
        knowledge.chance = chance;
        together(&mutants)
    }
}
