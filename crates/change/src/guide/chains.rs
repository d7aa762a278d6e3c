//! Chains of dependence from a change: how its effect can propagate.
//!
//! After Santelices, Chittimalli, Apiwattanakul, Orso and Harrold ("Test-suite augmentation for evolving
//! software"), statement by statement.

use std::collections::{BTreeMap, BTreeSet};

use parallax_program::{
    Opcode, Program, SiteId, StatementId, Statements,
    dependence::{Dependence, Extent, Follow},
    graph::Bits,
};

/// One dependence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The dependent statement.
    pub to: StatementId,
    /// The kind of dependence.
    pub kind: LinkKind,
}

/// The kind of a dependence between statements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// A decision of the other one controls its execution.
    Control,
    /// It uses a value of the other one; the variable, if it has a name.
    Data(Option<String>),
}

/// A sequence of dependences, each from the end of the one before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    /// Its start: a statement of the change.
    pub from: StatementId,
    /// The dependences.
    pub links: Vec<Link>,
}

/// The chains of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// Chains of full length, and shorter ones that end at an output.
    pub chains: Vec<Chain>,
    /// Whether the limit cut off more of them.
    pub is_cut: bool,
}

/// Follows dependence statement by statement.
pub struct ChainFinder<'f, 'p> {
    dependence: &'f Dependence<'p>,
    statements: &'f Statements,
    outputs: BTreeSet<StatementId>,
    /// The allocas of variables. All users of one have its address, which means no data flow.
    variables: Bits,
    /// Cached links.
    known: BTreeMap<StatementId, Vec<Link>>,
}

impl<'f, 'p> ChainFinder<'f, 'p> {
    /// For a program.
    pub fn new(
        program: &Program,
        dependence: &'f Dependence<'p>,
        statements: &'f Statements,
    ) -> ChainFinder<'f, 'p> {
        let outputs = dependence.outputs();
        let outputs = outputs.iter().filter_map(|site| statements.of(SiteId(site as u32)));
        let mut variables = Bits::default();
        for variable in program.instructions().filter(|it| it.opcode == Opcode::Alloca) {
            variables.insert(variable.site.0 as usize);
        }
        let outputs = outputs.collect();
        ChainFinder { dependence, statements, outputs, variables, known: BTreeMap::new() }
    }

    /// The chains of a change up to a length, at most so many.
    pub fn chains(&mut self, change: &[SiteId], length: usize, most: usize) -> Chains {
        let from: BTreeSet<_> =
            change.iter().filter_map(|site| self.statements.of(*site)).collect();
        let mut open: Vec<Chain> =
            from.into_iter().map(|from| Chain { from, links: Vec::new() }).collect();
        let mut found = Chains::default();
        for _ in 0..length {
            let mut longer = Vec::new();
            for chain in open {
                let end = chain.links.last().map_or(chain.from, |link| link.to);
                if !chain.links.is_empty() && self.outputs.contains(&end) {
                    found.chains.push(chain.clone());
                }
                for link in self.next(end) {
                    if longer.len() + found.chains.len() >= most {
                        found.is_cut = true;
                        break;
                    }
                    let mut links = chain.links.clone();
                    links.push(link);
                    longer.push(Chain { from: chain.from, links });
                }
            }
            open = longer;
        }
        found.chains.extend(open);
        found.chains.sort();
        found
    }

    /// The direct dependents of a statement.
    pub fn next(&mut self, id: StatementId) -> Vec<Link> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let links = self.links(id);
        self.known.insert(id, links.clone());
        links
    }

    fn links(&self, id: StatementId) -> Vec<Link> {
        if self.dependence.is_late() {
            return Vec::new();
        }
        let is_variable = |site: &SiteId| self.variables.contains(site.0 as usize);
        let own = self.statements.get(id).sites();
        let own: Vec<_> = own.filter(|site| !is_variable(site)).collect();
        let slice = self.dependence.slice(&own, Follow::Dependents, Extent::Direct);
        let other = |site: usize| {
            let site = SiteId(site as u32);
            let statement = self.statements.of(site).filter(|other| *other != id)?;
            (!self.statements.get(statement).is_silent).then_some((statement, site))
        };
        let decided = slice.decided.iter().filter_map(other);
        let mut links: BTreeSet<_> =
            decided.map(|(to, _)| Link { to, kind: LinkKind::Control }).collect();
        let mut users: BTreeMap<StatementId, Vec<SiteId>> = BTreeMap::new();
        for (to, site) in slice.computed.iter().filter_map(other) {
            users.entry(to).or_default().push(site);
        }
        for (to, sites) in users {
            let variable = self.dependence.variable(&own, &sites);
            links.insert(Link { to, kind: LinkKind::Data(variable) });
        }
        links.into_iter().collect()
    }
}
