//! Machine code in memory of its own, which is given back when the code is dropped.

use std::ptr::NonNull;

/// The compiled form of a program: from inputs to a distance for each condition.
type Entry = unsafe extern "C" fn(*const u64, *mut u64) -> u64;

/// A compiled function and the tables that it reads and writes.
pub(super) struct Code {
    memory: NonNull<libc::c_void>,
    size: usize,
    buffers: Vec<Buffer>,
    variables: usize,
    conditions: usize,
}

/// Bytes whose address is part of compiled code.
pub(super) struct Buffer(NonNull<[u8]>);

// SAFETY: only the code itself refers to the memory, and running it takes `&mut`.
unsafe impl Send for Code {}

impl Buffer {
    pub(super) fn new(bytes: Vec<u8>) -> Buffer {
        Buffer(NonNull::from(Box::leak(bytes.into_boxed_slice())))
    }

    pub(super) fn address(&self) -> usize {
        self.0.cast::<u8>().as_ptr() as usize
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it comes from a box and is freed once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl Code {
    /// Makes bytes of code, for a program with so many inputs and conditions, executable.
    ///
    /// # Safety
    ///
    /// The code must be a function of type [`Entry`] that reads no more inputs and writes no more
    /// distances than that, and no memory but its stack and the buffers.
    pub(super) unsafe fn new(
        code: &[u8],
        buffers: Vec<Buffer>,
        variables: usize,
        conditions: usize,
    ) -> Option<Code> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let size = code.len().max(1);
        // SAFETY: a new mapping at an address that the system chooses.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0) };
        if memory == libc::MAP_FAILED {
            return None;
        }
        let memory = NonNull::new(memory)?;
        let made = Code { memory, size, buffers, variables, conditions };
        // SAFETY: the mapping is as long as the code, and writable until it is executable.
        let changed = unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), memory.cast::<u8>().as_ptr(), code.len());
            libc::mprotect(memory.as_ptr(), size, libc::PROT_READ | libc::PROT_EXEC)
        };
        made.forget_old_instructions();
        (changed == 0).then_some(made)
    }

    /// Its size in memory.
    pub(super) fn size(&self) -> usize {
        let tables: usize = self.buffers.iter().map(|buffer| buffer.0.len()).sum();
        self.size + tables
    }

    /// Runs the code: the distance of each condition, and their sum.
    pub(super) fn run(&mut self, inputs: &[u64], distances: &mut [u64]) -> u64 {
        assert!(inputs.len() == self.variables && distances.len() == self.conditions);
        // SAFETY: the memory holds a function of this type, as the caller of `new` guarantees; the
        // slices are as long as it expects, and `&mut self` excludes a second run at the same time.
        unsafe {
            let entry: Entry = std::mem::transmute(self.memory.as_ptr());
            entry(inputs.as_ptr(), distances.as_mut_ptr())
        }
    }

    /// Processors other than Intel's may hold what was in the memory before.
    fn forget_old_instructions(&self) {
        #[cfg(not(target_arch = "x86_64"))]
        {
            unsafe extern "C" {
                fn __clear_cache(start: *mut libc::c_void, end: *mut libc::c_void);
            }
            let start = self.memory.as_ptr();
            // SAFETY: the range is the mapping.
            unsafe { __clear_cache(start, start.byte_add(self.size)) };
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nothing runs in it.
        unsafe { libc::munmap(self.memory.as_ptr(), self.size) };
    }
}
