//! The model of a program, without LLVM.
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
    /// The constants, each once, by [`ConstantId`].
    pub constants: Vec<Constant>,
    /// The types, each once, by [`TypeId`].
    pub types: Vec<Type>,
    /// The source files that locations name, by their index.
    pub files: Vec<String>,
    /// Parts of the program that are in no instruction.
    pub frame: Frame,
}

/// Parts of a program besides instructions and initial values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The assembler outside of functions.
    pub assembler: String,
    /// The attributes of each function, by [`FunctionId`].
    pub functions: Vec<String>,
    /// Of each global variable by [`GlobalId`]: its section, and whether each thread has its own.
    pub globals: Vec<String>,
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

/// A constant, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub u32);

/// A type, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the whole program; two `static` ones of one source name differ in a suffix.
    pub name: String,
    /// Whether it is seen outside its translation unit.
    pub external: bool,
    /// Whether its body is there only to be inlined, and the function itself is a library's.
    pub borrowed: bool,
    /// Where it is defined.
    pub location: Option<Location>,
    /// Its function type.
    pub signature: TypeId,
    /// How many parameters it names.
    pub parameters: u32,
    /// Whether it is marked as never returning.
    pub no_return: bool,
    /// Whether its address is used for anything but a direct call.
    pub address_taken: bool,
    /// Its blocks, the entry first; none if it is only declared.
    pub blocks: Vec<Block>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its instructions; the last one is the terminator.
    pub instructions: Vec<Instruction>,
    /// The targets of the terminator, in the order of its operands, repeated as it repeats them.
    pub successors: Vec<BlockId>,
    /// Of a switch: the values that lead to the successors, without the default, which is the
    /// first.
    pub cases: Vec<u64>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its id.
    pub site: SiteId,
    /// Its original instruction in the program as it was compiled, if it was marked.
    pub origin: Option<SiteId>,
    /// Its operation.
    pub opcode: Opcode,
    /// The source it comes from.
    pub location: Option<Location>,
    /// The function that it calls directly.
    pub callee: Option<FunctionId>,
    /// Its operands, in LLVM's order. Of a call, its arguments and then the callee; of a branch or
    /// switch, the condition; the targets are in the block.
    pub operands: Vec<Operand>,
    /// The type of its result.
    pub result: TypeId,
    /// Details that depend on the operation.
    pub detail: Detail,
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// The result of an instruction.
    Site(SiteId),
    /// A parameter of the function.
    Parameter(u32),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// A constant of any other kind.
    Constant(ConstantId),
    /// Operands that programs do not compute with: metadata, the address of a block.
    Other,
}

/// Details of an instruction besides its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    None,
    /// Of arithmetic: LLVM's flags such as no overflow, as bits.
    Flags(u8),
    /// Of a comparison: its predicate.
    Predicate(&'static str),
    /// Of a load or store: its size, and whether it is volatile.
    Access {
        /// How many bytes.
        size: u64,
        /// Whether the access itself is an effect.
        volatile: bool,
    },
    /// Of a local variable in memory.
    Local {
        /// The bytes of one.
        size: u64,
        /// Its name in the source.
        name: Option<String>,
    },
    /// Of an address: the base, which is the first operand, plus `offset`, plus each other operand
    /// that is no constant times its stride.
    Address {
        /// The constant part, in bytes.
        offset: i64,
        /// Of each operand but the first, the stride in bytes if it is not in `offset`.
        strides: Vec<Option<u64>>,
        /// The size of an element of the first index.
        element: u64,
    },
    /// Of a call.
    Call {
        /// The function type that it calls.
        signature: TypeId,
        /// Whether it is marked as not returning.
        no_return: bool,
    },
    /// Of a phi: the predecessor of each operand.
    Incoming(Vec<BlockId>),
    /// Of an access to a part of a value: its indices.
    Indices(Vec<u32>),
    /// LLVM's text of an instruction without a form of its own here.
    Text(String),
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its value, with type, as LLVM writes it; `@0`, `@1`, … are [`Constant::addresses`].
    pub text: String,
    /// The addresses in it, in the order of the text.
    pub addresses: Vec<HeldAddress>,
}

/// An address in a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldAddress {
    /// Where it is in the constant, in bytes from its start.
    pub at: u64,
    /// The global or function.
    pub base: Operand,
    /// The offset from its start; `None` inside further computation.
    pub offset: Option<i64>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// As LLVM writes it, structures without the names that they only have in a module.
    pub text: String,
    /// How many bytes a value takes in memory; 0 if there is no value.
    pub size: u64,
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
    /// Its name in the whole program; two `static` ones of one source name differ in a suffix.
    pub name: String,
    /// Whether it is seen outside its translation unit.
    pub external: bool,
    /// Whether it cannot be written to.
    pub constant: bool,
    /// Where it is declared.
    pub location: Option<Location>,
    /// Its initial value; `None` if it is defined elsewhere.
    pub initializer: Option<ConstantId>,
    /// How many bytes it has.
    pub size: u64,
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

    /// A function.
    pub fn at(&self, function: FunctionId) -> &Function {
        &self.functions[function.0 as usize]
    }

    /// The functions that run before `main`.
    pub fn constructors(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.listed("llvm.global_ctors")
    }

    /// The functions that run after the program has ended in order.
    pub fn destructors(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.listed("llvm.global_dtors")
    }

    fn listed(&self, name: &'static str) -> impl Iterator<Item = FunctionId> + '_ {
        let lists = self.globals.iter().filter(move |global| global.name == name);
        let lists = lists.filter_map(|global| global.initializer);
        let held = lists.flat_map(|list| &self.constants[list.0 as usize].addresses);
        held.filter_map(|address| match address.base {
            Operand::Function(function) => Some(function),
            _ => None,
        })
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
