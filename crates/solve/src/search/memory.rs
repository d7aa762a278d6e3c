//! Loads from tables, as instructions.
//!
//! Each table has a buffer. Bytes of it that are computed are stored into the buffer before the
//! first load; after that all loads are alike.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, condcodes::IntCC, types};

use super::{code::Buffer, compiler::Emitter};

/// A table whose computed bytes have been stored.
#[derive(Clone, Copy)]
pub(super) struct Filled {
    bytes: usize,
    /// Not zero where the byte has no value, if that can be.
    flaws: Option<usize>,
}

/// A load reads whole words, so it may read beyond the end.
const SLACK: usize = 16;

impl Emitter<'_> {
    /// The value of a load, and a flag that is set if there is none.
    pub(super) fn load(&mut self, table: u32, address: u32, width: u32) -> (Value, Option<Value>) {
        let (program, filled) = (self.program, self.fill(table));
        let (count, table) = (width.div_ceil(8), &program.tables[table as usize]);
        let (base, places) = (self.word(table.address), self.word(table.places(count)));
        let address = self.value(address);
        let offset = self.build.ins().isub(address, base);
        let outside = self.build.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, offset, places);
        let zero = self.word(0);
        let offset = self.build.ins().select(outside, zero, offset);
        let value = self.read(filled.bytes, offset, width);
        let Some(flaws) = filled.flaws else { return (value, Some(outside)) };
        let flaws = self.read(flaws, offset, 8 * count);
        let flawed = match count {
            0..=8 => self.build.ins().icmp(IntCC::NotEqual, flaws, zero),
            _ => {
                let (low, high) = self.build.ins().isplit(flaws);
                let any = self.build.ins().bor(low, high);
                self.build.ins().icmp(IntCC::NotEqual, any, zero)
            }
        };
        let none = self.either(Some(outside), Some(flawed));
        (value, none)
    }

    fn read(&mut self, buffer: usize, offset: Value, width: u32) -> Value {
        let start = self.word(self.buffers[buffer].address() as u64);
        let place = self.build.ins().iadd(start, offset);
        let flags = MemFlagsData::new().with_notrap();
        let low = self.build.ins().load(types::I64, flags, place, 0);
        if width <= 64 {
            return self.cut(low, width);
        }
        let high = self.build.ins().load(types::I64, flags, place, 8);
        let wide = self.build.ins().iconcat(low, high);
        self.cut(wide, width)
    }

    /// Stores the computed bytes of a table before its first load.
    fn fill(&mut self, number: u32) -> Filled {
        if let Some(filled) = self.filled[number as usize] {
            return filled;
        }
        let program = self.program;
        let table = &program.tables[number as usize];
        let mut bytes = table.bytes.to_vec();
        bytes.resize(bytes.len() + SLACK, 0);
        let size = bytes.len();
        let bytes = self.add_buffer(bytes);
        let may_fail = table.symbolic.iter().any(|(_, cell)| self.flaws[*cell as usize].is_some());
        let flaws = may_fail.then(|| self.add_buffer(vec![0; size]));
        for (offset, cell) in &table.symbolic {
            if *offset as usize >= table.bytes.len() {
                continue;
            }
            let value = self.value(*cell);
            self.store(bytes, *offset, value);
            if let (Some(flaws), Some(flaw)) = (flaws, self.flaws[*cell as usize]) {
                let flaw = self.build.ins().uextend(types::I64, flaw);
                self.store(flaws, *offset, flaw);
            }
        }
        *self.filled[number as usize].insert(Filled { bytes, flaws })
    }

    fn store(&mut self, buffer: usize, offset: u32, value: Value) {
        let start = self.word(self.buffers[buffer].address() as u64);
        let flags = MemFlagsData::new().with_notrap();
        self.build.ins().istore8(flags, value, start, offset as i32);
    }

    fn add_buffer(&mut self, bytes: Vec<u8>) -> usize {
        self.buffers.push(Buffer::new(bytes));
        self.buffers.len() - 1
    }
}
