//! Mapping from the numbers in a trace to the program.

use std::{collections::HashMap, fs, path::Path};

use object::{Object, ObjectSymbol};
use parallax_program::{BlockId, FunctionId, Instruction, Program};

use super::{entry::SUBJECT_MAIN, locals::source_name, sites::PREFIX};

/// A place that a trace names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The instruction, by its position in the block.
    pub instruction: u32,
    /// Which successor of a branch or switch.
    pub way: u32,
}

/// All places of a symbolic build, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Places {
    /// The first number of each function, ascending.
    functions: Vec<(u32, Vec<Place>)>,
    size: u64,
}

impl Places {
    /// Reads where the linker has put the places of each function.
    pub(crate) fn read(executable: &Path, program: &Program) -> Result<Places, String> {
        let data = fs::read(executable).map_err(|why| why.to_string())?;
        let file = object::File::parse(&*data).map_err(|why| why.to_string())?;
        let symbol = |name: &str| file.symbols().find(|symbol| symbol.name() == Ok(name));
        let bound =
            |name| symbol(name).map(|symbol| symbol.address()).ok_or(format!("it has no {name}"));
        let (start, stop) = (bound("__start_plx_sites")?, bound("__stop_plx_sites")?);
        let named = (0..).map(FunctionId).zip(&program.functions);
        let named: HashMap<_, _> =
            named.map(|(id, function)| (function.name.as_str(), (id, function))).collect();
        let mut functions = Vec::new();
        for symbol in file.symbols() {
            let Some(name) = symbol.name().ok().and_then(|name| name.strip_prefix(PREFIX)) else {
                continue;
            };
            if let Some((id, function)) = named.get(name) {
                let slot = (symbol.address() - start) as u32;
                functions.push((slot, places_of(*id, &function.blocks)));
            }
        }
        functions.sort_by_key(|(slot, _)| *slot);
        Ok(Places { functions, size: stop - start })
    }

    /// How many numbers there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All ways of the branches and switches of the program's own functions, with their numbers.
    pub fn ways<'p>(&'p self, program: &'p Program) -> impl Iterator<Item = (u32, Place)> + 'p {
        let own = self.functions.iter().flat_map(|(slot, places)| (slot + 1..).zip(places));
        own.map(|(number, place)| (number, *place)).filter(|(_, place)| place.is_way(program))
    }

    /// The place with this number. Number 0 is no place: it stands for events before `main`.
    pub fn get(&self, number: u32) -> Option<Place> {
        let number = number.checked_sub(1)?;
        let after = self.functions.partition_point(|(slot, _)| *slot <= number);
        let (slot, places) = self.functions.get(after.checked_sub(1)?)?;
        places.get((number - slot) as usize).copied()
    }
}

impl Place {
    /// Whether it is a way out of a branch in the source: models have no source.
    fn is_way(self, program: &Program) -> bool {
        let Some(function) = program.functions.get(self.function.0 as usize) else { return false };
        let Some(block) = function.blocks.get(self.block.0 as usize) else { return false };
        let is_last = self.instruction as usize + 1 == block.instructions.len();
        function.location.is_some() && is_last && block.successors.len() > 1 && {
            let opcode = block.instructions[self.instruction as usize].opcode;
            matches!(opcode, parallax_program::Opcode::Br | parallax_program::Opcode::Switch)
        }
    }

    /// The instruction.
    pub fn instruction(self, program: &Program) -> Option<&Instruction> {
        let function = program.functions.get(self.function.0 as usize)?;
        let block = function.blocks.get(self.block.0 as usize)?;
        block.instructions.get(self.instruction as usize)
    }

    /// The name of the function, as the program's author knows it.
    pub fn function_name(self, program: &Program) -> &str {
        let name = program.functions.get(self.function.0 as usize).map(|f| f.name.as_str());
        match name.unwrap_or_default() {
            SUBJECT_MAIN => "main",
            name => source_name(name),
        }
    }
}

/// The places of a function in the order of their numbers.
fn places_of(function: FunctionId, blocks: &[parallax_program::Block]) -> Vec<Place> {
    let mut places = Vec::new();
    for (block, contents) in (0..).map(BlockId).zip(blocks) {
        let last = contents.instructions.len() - 1;
        for (index, instruction) in contents.instructions.iter().enumerate() {
            let is_jump = matches!(
                instruction.opcode,
                parallax_program::Opcode::Br | parallax_program::Opcode::Switch
            );
            let ways = match index == last && is_jump {
                true => contents.successors.len().max(1),
                false => 1,
            };
            for way in 0..ways as u32 {
                places.push(Place { function, block, instruction: index as u32, way });
            }
        }
    }
    places
}
