//! A program of one function, instruction by instruction.

use parallax_program::{
    Block, BlockId, Constant, ConstantId, Detail, Function, FunctionId, Instruction, Location,
    Opcode, Operand, Program, SiteId, Type, TypeId,
};

const VOID: TypeId = TypeId(0);
const INT: TypeId = TypeId(1);
const SIGNATURE: TypeId = TypeId(2);

/// Makes a program.
pub(super) struct Maker {
    pub(super) program: Program,
    sites: u32,
}

/// An operand of an instruction.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Site(u32),
    Constant(i64),
}

pub(super) fn site(number: u32) -> Given {
    Given::Site(number)
}

pub(super) fn constant(value: i64) -> Given {
    Given::Constant(value)
}

impl Maker {
    pub(super) fn new() -> Maker {
        let ty = |text: &str, size| Type { text: text.to_owned(), size };
        let program = Program {
            functions: vec![function("main", vec![empty()])],
            types: vec![ty("void", 0), ty("i32", 4), ty("i32 ()", 0)],
            files: vec!["made.c".to_owned()],
            ..Program::default()
        };
        Maker { program, sites: 0 }
    }

    /// Goes on in a new block.
    pub(super) fn block(&mut self) {
        self.program.functions[0].blocks.push(empty());
    }

    pub(super) fn call(&mut self, name: &str, given: &[Given]) -> u32 {
        let known = self.program.functions.iter().position(|function| function.name == name);
        let callee = known.unwrap_or_else(|| {
            self.program.functions.push(function(name, Vec::new()));
            self.program.functions.len() - 1
        });
        let callee = FunctionId(callee as u32);
        let mut operands: Vec<_> = given.iter().map(|given| self.operand(*given)).collect();
        operands.push(Operand::Function(callee));
        let detail = Detail::Call { signature: SIGNATURE, no_return: false };
        self.add(Opcode::Call, operands, INT, detail, Some(callee))
    }

    pub(super) fn binary(&mut self, opcode: Opcode, left: Given, right: Given) -> u32 {
        let operands = vec![self.operand(left), self.operand(right)];
        self.add(opcode, operands, INT, Detail::None, None)
    }

    pub(super) fn branch(&mut self, condition: Given, yes: u32, no: u32) -> u32 {
        let operands = vec![self.operand(condition)];
        self.last().successors = vec![BlockId(yes), BlockId(no)];
        self.add(Opcode::Br, operands, VOID, Detail::None, None)
    }

    pub(super) fn jump(&mut self, to: u32) -> u32 {
        self.last().successors = vec![BlockId(to)];
        self.add(Opcode::Br, Vec::new(), VOID, Detail::None, None)
    }

    pub(super) fn ret(&mut self) -> u32 {
        self.add(Opcode::Ret, Vec::new(), VOID, Detail::None, None)
    }

    fn last(&mut self) -> &mut Block {
        self.program.functions[0].blocks.last_mut().expect("there is one from the start")
    }

    fn operand(&mut self, given: Given) -> Operand {
        match given {
            Given::Site(number) => Operand::Site(SiteId(number)),
            Given::Constant(value) => {
                let text = format!("i32 {value}");
                self.program.constants.push(Constant { text, addresses: Vec::new() });
                Operand::Constant(ConstantId(self.program.constants.len() as u32 - 1))
            }
        }
    }

    fn add(
        &mut self,
        opcode: Opcode,
        operands: Vec<Operand>,
        result: TypeId,
        detail: Detail,
        callee: Option<FunctionId>,
    ) -> u32 {
        let number = self.sites;
        self.sites += 1;
        let location = Some(Location { file: 0, line: number + 1, column: 1 });
        let site = SiteId(number);
        let instruction =
            Instruction { site, origin: None, opcode, location, callee, operands, result, detail };
        self.last().instructions.push(instruction);
        number
    }
}

fn empty() -> Block {
    Block { instructions: Vec::new(), successors: Vec::new(), cases: Vec::new() }
}

fn function(name: &str, blocks: Vec<Block>) -> Function {
    Function {
        name: name.to_owned(),
        external: true,
        borrowed: false,
        location: None,
        signature: SIGNATURE,
        parameters: 0,
        no_return: false,
        address_taken: false,
        blocks,
    }
}
