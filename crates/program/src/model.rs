//! The model: what a program consists of, without LLVM.
//!
//! Ids are positions in the module and therefore the same for the same code, run after run. A
//! [`SiteId`] counts instructions over the whole program, so that a trace names an instruction by
//! one number.

use std::fmt;

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The functions, defined ones and declared ones, by [`FunctionId`].
    pub functions: Vec<Function>,
    /// The global variables, by [`GlobalId`].
    pub globals: Vec<Global>,
    /// The source files that locations name, by their index.
    pub files: Vec<String>,
}

/// A function, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A block, by its position in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// An instruction, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A global variable, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the whole program; two `static` ones of one source name differ in a suffix.
    pub name: String,
    /// Whether it is seen outside its translation unit.
    pub external: bool,
    /// Where it is defined.
    pub location: Option<Location>,
    /// Its blocks, the entry first; none if it is only declared.
    pub blocks: Vec<Block>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its instructions; the last one is the terminator.
    pub instructions: Vec<Instruction>,
    /// Where the terminator can go, in the order of its operands, repeated as it repeats them.
    pub successors: Vec<BlockId>,
    /// Of a switch: the values that lead to the successors, the default at the front left out.
    pub cases: Vec<u64>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its id.
    pub site: SiteId,
    /// What it does.
    pub opcode: Opcode,
    /// The source it comes from.
    pub location: Option<Location>,
    /// The function that it calls directly.
    pub callee: Option<FunctionId>,
}

/// A place in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file, as an index into [`Program::files`].
    pub file: u32,
    /// The line, from 1; 0 for code without a line of its own.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Whether it cannot be written to.
    pub constant: bool,
    /// Its initial value as LLVM writes it; `None` if it is defined elsewhere.
    pub initializer: Option<String>,
}

/// The operations of LLVM's intermediate representation, as far as they have names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each name is LLVM's own")]
pub enum Opcode {
    Ret,
    Br,
    Switch,
    IndirectBr,
    Invoke,
    Unreachable,
    CallBr,
    Add,
    FAdd,
    Sub,
    FSub,
    Mul,
    FMul,
    UDiv,
    SDiv,
    FDiv,
    URem,
    SRem,
    FRem,
    FNeg,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Alloca,
    Load,
    Store,
    GetElementPtr,
    Fence,
    AtomicCmpXchg,
    AtomicRmw,
    Trunc,
    ZExt,
    SExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    FpTrunc,
    FpExt,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
    ICmp,
    FCmp,
    Phi,
    Call,
    Select,
    VaArg,
    ExtractElement,
    InsertElement,
    ShuffleVector,
    ExtractValue,
    InsertValue,
    Freeze,
    /// Exception handling, and what a later LLVM may add.
    Other,
}

impl Program {
    /// The functions that have a body.
    pub fn defined(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        let ids = (0..).map(FunctionId);
        ids.zip(&self.functions).filter(|(_, function)| !function.blocks.is_empty())
    }

    /// The function called `name`.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// All instructions, in the order of their ids.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        let blocks = self.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions)
    }

    /// A location as people write it: `cut.c:12:5`.
    pub fn describe(&self, location: Location) -> impl fmt::Display {
        let file = self.files.get(location.file as usize).map_or("?", String::as_str);
        format!("{file}:{}:{}", location.line, location.column)
    }
}
