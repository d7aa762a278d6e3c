//! Definitions of values that decide which way a branch takes.
//!
//! The condition of a branch may not be an input: a flag, a count, the result of a function. No
//! condition on the input flips such a branch; an instruction that defines another value does.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use parallax_program::{
    BlockId, ConstantId, Detail, FunctionId, GlobalId, Instruction, Opcode, Operand, Program,
    SiteId,
};

/// The definitions of variables, and the results of functions.
pub struct Definitions<'p> {
    program: &'p Program,
    instructions: Vec<&'p Instruction>,
    locals: HashMap<SiteId, Vec<&'p Instruction>>,
    globals: HashMap<GlobalId, Vec<&'p Instruction>>,
    returns: HashMap<FunctionId, Vec<Operand>>,
    /// The functions of phis.
    homes: HashMap<SiteId, FunctionId>,
    /// Cached causes of ways: every change needs the same.
    known: RefCell<HashMap<(FunctionId, BlockId, u32), Rc<Causes>>>,
}

/// Definitions that affect whether a branch takes a way.
#[derive(Default)]
pub(crate) struct Causes {
    /// Instructions that may make it take the way.
    pub(crate) giving: Vec<SiteId>,
    /// Instructions that make it take another way: they store an unwanted value.
    pub(crate) spoiling: Vec<SiteId>,
}

/// The wanted value.
#[derive(Clone, Copy)]
enum Wanted {
    /// Such that this comparison with a constant holds, or does not.
    Compared { predicate: &'static str, with: i128, holds: bool },
    /// Not known.
    Another,
}

impl Wanted {
    /// A wanted truth of a condition.
    fn condition(holds: bool) -> Wanted {
        Wanted::Compared { predicate: "ne", with: 0, holds }
    }

    /// Whether a constant can be the wanted value; true if unknown.
    fn allows(self, value: i128) -> bool {
        let Wanted::Compared { predicate, with, holds } = self else { return true };
        let is_so = match predicate {
            "eq" => value == with,
            "ne" => value != with,
            "slt" => value < with,
            "sle" => value <= with,
            "sgt" => value > with,
            "sge" => value >= with,
            // As unsigned numbers, negative ones are the greatest.
            _ => return true,
        };
        is_so == holds
    }
}

/// Limit on values to visit from a branch.
const MOST_STEPS: usize = 64;

impl<'p> Definitions<'p> {
    /// The definitions of a program.
    pub fn new(program: &'p Program) -> Definitions<'p> {
        let instructions: Vec<_> = program.instructions().collect();
        let (mut locals, mut globals) = (HashMap::new(), HashMap::new());
        for store in instructions.iter().filter(|it| it.opcode == Opcode::Store) {
            match store.operands.get(1) {
                Some(Operand::Site(site)) => {
                    locals.entry(*site).or_insert_with(Vec::new).push(*store);
                }
                Some(Operand::Global(global)) => {
                    globals.entry(*global).or_insert_with(Vec::new).push(*store);
                }
                _ => {}
            }
        }
        let returned = |(id, function): (FunctionId, &'p parallax_program::Function)| {
            let last = function.blocks.iter().filter_map(|block| block.instructions.last());
            let returns = last.filter(|it| it.opcode == Opcode::Ret);
            (id, returns.filter_map(|it| it.operands.first().copied()).collect())
        };
        let returns = program.defined().map(returned).collect();
        let phis = program.defined().flat_map(|(id, function)| {
            let all = function.blocks.iter().flat_map(|block| &block.instructions);
            all.filter(|it| it.opcode == Opcode::Phi).map(move |it| (it.site, id))
        });
        let homes = phis.collect();
        let known = RefCell::default();
        Definitions { program, instructions, locals, globals, returns, homes, known }
    }

    /// The definitions that affect whether a branch takes a way.
    pub(crate) fn of_way(&self, function: FunctionId, block: BlockId, way: u32) -> Rc<Causes> {
        let key = (function, block, way);
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.find(function, block, way));
        self.known.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    fn find(&self, function: FunctionId, block: BlockId, way: u32) -> Causes {
        let block = &self.program.at(function).blocks[block.0 as usize];
        let Some(branch) = block.instructions.last() else { return Causes::default() };
        let wanted = match branch.opcode {
            Opcode::Br => Wanted::condition(way == 0),
            Opcode::Switch => {
                match (way as usize).checked_sub(1).and_then(|at| block.cases.get(at)) {
                    Some(case) => Wanted::Compared {
                        predicate: "eq",
                        with: i128::from(*case as i64),
                        holds: true,
                    },
                    None => Wanted::Another,
                }
            }
            _ => return Causes::default(),
        };
        let mut search =
            Search { definitions: self, found: Causes::default(), seen: HashSet::new() };
        if let Some(operand) = branch.operands.first() {
            search.look_at(*operand, wanted);
        }
        for sites in [&mut search.found.giving, &mut search.found.spoiling] {
            sites.sort_unstable();
            sites.dedup();
        }
        search.found
    }

    fn constant(&self, id: ConstantId) -> Option<i128> {
        let text = &self.program.constants.get(id.0 as usize)?.text;
        match text.split_once(' ')?.1 {
            "true" => Some(1),
            "false" | "null" | "zeroinitializer" => Some(0),
            number => number.parse().ok(),
        }
    }
}

struct Search<'d, 'p> {
    definitions: &'d Definitions<'p>,
    found: Causes,
    seen: HashSet<SiteId>,
}

impl Search<'_, '_> {
    /// Goes back from a value; whether a definition is found.
    fn look_at(&mut self, operand: Operand, wanted: Wanted) -> bool {
        let Operand::Site(site) = operand else { return false };
        if self.seen.len() >= MOST_STEPS || !self.seen.insert(site) {
            return false;
        }
        let definitions = self.definitions;
        let Some(it) = definitions.instructions.get(site.0 as usize).copied() else { return false };
        let operand = |at: usize| it.operands.get(at).copied().unwrap_or(Operand::Other);
        match it.opcode {
            Opcode::ICmp => self.compare(it, wanted),
            // A condition is also a number, 0 or 1.
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc | Opcode::Freeze => {
                self.look_at(operand(0), wanted)
            }
            Opcode::Xor => match (wanted, operand(1)) {
                (Wanted::Compared { predicate, with, holds }, Operand::Constant(one))
                    if definitions.constant(one) == Some(1) && with == 0 =>
                {
                    self.look_at(operand(0), Wanted::Compared { predicate, with, holds: !holds })
                }
                _ => self.look_at(operand(0), Wanted::Another),
            },
            Opcode::Load => self.load(operand(0), wanted),
            Opcode::Call => {
                let returned = it.callee.and_then(|callee| definitions.returns.get(&callee));
                let mut is_found = false;
                for operand in returned.into_iter().flatten() {
                    is_found |= self.look_at(*operand, wanted);
                }
                is_found
            }
            Opcode::Select => {
                let one = self.look_at(operand(1), wanted);
                self.look_at(operand(2), wanted) | one
            }
            Opcode::Phi => self.phi(it, wanted),
            _ => false,
        }
    }

    fn compare(&mut self, it: &Instruction, wanted: Wanted) -> bool {
        let (Some(left), Some(right)) = (it.operands.first(), it.operands.get(1)) else {
            return false;
        };
        let holds = wanted.allows(1);
        let constant = match right {
            Operand::Constant(id) => self.definitions.constant(*id),
            _ => None,
        };
        let wanted = match (&it.detail, constant) {
            (Detail::Predicate(predicate), Some(with)) if wanted.allows(0) != holds => {
                Wanted::Compared { predicate, with, holds }
            }
            _ => Wanted::Another,
        };
        let is_found = self.look_at(*left, wanted);
        self.look_at(*right, Wanted::Another) | is_found
    }

    /// The stores to a variable of a possibly wanted value, or the definitions of the stored value.
    fn load(&mut self, from: Operand, wanted: Wanted) -> bool {
        let definitions = self.definitions;
        let stores = match from {
            Operand::Site(site) => definitions.locals.get(&site),
            Operand::Global(global) => definitions.globals.get(&global),
            _ => None,
        };
        let mut is_found = false;
        for store in stores.into_iter().flatten() {
            match store.operands.first() {
                Some(Operand::Constant(id)) => {
                    if definitions.constant(*id).is_none_or(|value| wanted.allows(value)) {
                        self.found.giving.push(store.site);
                        is_found = true;
                    } else {
                        self.found.spoiling.push(store.site);
                    }
                }
                Some(Operand::Parameter(_)) | None => {}
                Some(value) => {
                    if !self.look_at(*value, wanted) {
                        self.found.giving.push(store.site);
                    }
                    is_found = true;
                }
            }
        }
        is_found
    }

    /// The incoming edges of a possibly wanted value.
    fn phi(&mut self, it: &Instruction, wanted: Wanted) -> bool {
        let definitions = self.definitions;
        let (Detail::Incoming(blocks), Some(home)) = (&it.detail, definitions.homes.get(&it.site))
        else {
            return false;
        };
        let mut is_found = false;
        for (operand, block) in it.operands.iter().zip(blocks) {
            let is_given = match operand {
                Operand::Constant(id) => {
                    definitions.constant(*id).is_none_or(|value| wanted.allows(value))
                }
                // A value without a known definition may be the wanted one on its edge.
                operand => !self.look_at(*operand, wanted),
            };
            let block = &definitions.program.at(*home).blocks[block.0 as usize];
            let way = block.instructions.last().filter(|_| is_given);
            self.found.giving.extend(way.map(|it| it.site));
            is_found |= is_given || !matches!(operand, Operand::Constant(_));
        }
        is_found
    }
}
