//! Type-based aliasing: an optimiser assumes that accesses of different types do not alias.
//!
//! The front end marks each access with its type and the structure it is in (`tbaa`). Two accesses
//! may alias if LLVM says so; the allowed pairs are a row of bytes for each kind of access. At run
//! time each byte of memory remembers the kind of its last access.

use inkwell::{
    AddressSpace,
    builder::{Builder, BuilderError},
    module::{Linkage, Module as LlvmModule},
    values::{
        AsValueRef, FunctionValue, GlobalValue, InstructionOpcode, InstructionValue, PointerValue,
    },
};
use parallax_abi::Undefined;

use crate::{
    hazard::Hazard,
    llvm::{Handle, Opcode, Value},
};

/// The runtime's query.
const RETYPED: &str = "plx_is_retyped";
/// The front end's mark of each access.
pub(super) const MARK: &str = "tbaa";
/// Limit on distinct kinds of accesses: numbers that fit a byte, except 0.
const MOST: usize = 255;

/// The mark of an access: a type, at a place in another one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tag {
    base: Value,
    access: Value,
    offset: u64,
}

impl Tag {
    fn of(handle: &Handle, access: Value) -> Option<Tag> {
        let tag = handle.metadata(access, MARK)?.node_operands();
        let [base, access, offset] = *tag.get(..3)?.first_chunk()?;
        Some(Tag { base, access, offset: offset.as_constant_int()? })
    }

    /// Whether it is an access of characters, which may alias anything.
    fn is_of_bytes(self) -> bool {
        self.base == self.access && parent(self.base).is_none_or(|it| parent(it).is_none())
    }

    /// Whether accesses may alias by LLVM's rules.
    fn may_meet(self, other: Tag) -> bool {
        self == other || self.meets_in(other).or_else(|| other.meets_in(self)).unwrap_or(false)
    }

    /// The same, if the other access is to a part of this one's type.
    fn meets_in(self, part: Tag) -> Option<bool> {
        let (mut ty, mut offset) = (self.base, self.offset);
        loop {
            if ty == part.base {
                return Some(offset == part.offset);
            }
            (ty, offset) = field(ty, offset)?;
        }
    }
}

/// The more general type of a scalar one.
fn parent(ty: Value) -> Option<Value> {
    ty.node_operands().get(1).copied()
}

/// The field of a structure at an offset, or the parent of a scalar; and the offset in it.
fn field(ty: Value, offset: u64) -> Option<(Value, u64)> {
    let operands = ty.node_operands();
    let fields = operands.get(1..)?.chunks(2);
    let place = |field: &[Value]| field.get(1).map_or(Some(0), |at| at.as_constant_int());
    let before = fields.filter_map(|field| Some((field[0], place(field)?)));
    let (found, start) = before.take_while(|(_, start)| *start <= offset).last()?;
    Some((found, offset - start))
}

/// All kinds of accesses of a program.
pub(super) struct AccessTypes {
    tags: Vec<Tag>,
    rows: Vec<GlobalValue<'static>>,
}

impl AccessTypes {
    /// No kinds: all accesses may alias.
    pub(super) fn none() -> AccessTypes {
        AccessTypes { tags: Vec::new(), rows: Vec::new() }
    }

    pub(super) fn of(module: &LlvmModule<'static>, bodies: &[FunctionValue<'static>]) -> Self {
        let handle = Handle::new(module);
        let blocks = bodies.iter().flat_map(|function| function.get_basic_block_iter());
        let mut tags = Vec::new();
        for instruction in blocks.flat_map(|block| block.get_instructions()) {
            let tag = Tag::of(&handle, Value(instruction.as_value_ref()));
            let tag = tag.filter(|tag| !tag.is_of_bytes() && !tags.contains(tag));
            tags.extend(tag.filter(|_| tags.len() < MOST));
        }
        let context = module.get_context();
        let rows = tags.iter().map(|tag: &Tag| {
            // Memory without an access so far allows any type.
            let meets = tags.iter().map(|other| u8::from(tag.may_meet(*other)));
            let bytes: Vec<u8> = std::iter::once(1).chain(meets).collect();
            let row = context.const_string(&bytes, false);
            let global = module.add_global(row.get_type(), None, "plx.types");
            global.set_initializer(&row);
            global.set_constant(true);
            global.set_linkage(Linkage::Private);
            global
        });
        let rows = rows.collect();
        AccessTypes { tags, rows }
    }

    /// The condition, before an access, that the memory was last accessed as another type.
    pub(super) fn hazard(
        &self,
        module: &LlvmModule<'static>,
        builder: &Builder<'static>,
        access: InstructionValue<'static>,
    ) -> Result<Option<Hazard>, BuilderError> {
        let (handle, value) = (Handle::new(module), Value(access.as_value_ref()));
        let (address, accessed) = match access.get_opcode() {
            InstructionOpcode::Load => (value.operand(0), value.ty()),
            InstructionOpcode::Store => (value.operand(1), value.operand(0).ty()),
            _ => return Ok(None),
        };
        let tag = Tag::of(&handle, value);
        let number = tag.and_then(|tag| self.tags.iter().position(|known| *known == tag));
        let Some(number) = number.filter(|_| !is_only_accessed(address)) else { return Ok(None) };
        builder.position_before(&access);
        let context = module.get_context();
        let (pointer, long) = (context.ptr_type(AddressSpace::default()), context.i64_type());
        let parameters = [pointer.into(), pointer.into(), long.into(), long.into()];
        let signature = context.bool_type().fn_type(&parameters, false);
        let function = module.get_function(RETYPED);
        let function = function.unwrap_or_else(|| module.add_function(RETYPED, signature, None));
        // SAFETY: it is the address that a load or a store goes to.
        let address = unsafe { PointerValue::new(address.0) };
        let own = long.const_int(number as u64 + 1, false);
        let size = long.const_int(handle.store_size(accessed), false);
        let row = self.rows[number].as_pointer_value();
        let arguments = [address.into(), row.into(), own.into(), size.into()];
        let call = builder.build_call(function, &arguments, "")?;
        let holds = call.try_as_basic_value().basic();
        Ok(holds.map(|holds| Hazard { kind: Undefined::Type, holds: holds.into_int_value() }))
    }
}

/// Whether this is a variable that is only used by loads and stores.
fn is_only_accessed(address: Value) -> bool {
    let is_access = |user: Value| {
        user.as_instruction().is_some_and(|user| match user.opcode() {
            Opcode::LLVMLoad => true,
            Opcode::LLVMStore => user.operand(0) != address,
            _ => false,
        })
    };
    let made_by = address.as_instruction();
    made_by.is_some_and(|it| it.opcode() == Opcode::LLVMAlloca)
        && address.users().into_iter().all(is_access)
}
