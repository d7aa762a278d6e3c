//! A file in memory whose size cannot change, and the host's mapping of it.

use std::{
    io,
    mem::size_of,
    ops::Range,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr::{self, NonNull},
    slice,
};

use libc::c_int;

/// The file and where it is mapped.
#[derive(Debug)]
pub(super) struct Mapping {
    file: OwnedFd,
    start: NonNull<u8>,
    length: usize,
}

/// Types of which all bits are a value, without padding.
///
/// # Safety
/// Implementors are made of integers only, and their fields leave no gap.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}
// SAFETY: `repr(C)`, four of 1 byte, then three of 4.
unsafe impl Plain for parallax_abi::Node {}
// SAFETY: `repr(C)`, two of 1 byte, one of 2, then three of 4.
unsafe impl Plain for parallax_abi::Event {}
// SAFETY: `repr(C)`, four of 4 bytes.
unsafe impl Plain for parallax_abi::Input {}
// SAFETY: `repr(C)`, two of 8 bytes and an even number of 4 between numbers of 8.
unsafe impl Plain for parallax_abi::Header {}

// SAFETY: the mapping belongs to this value alone; through a shared reference it is only read.
unsafe impl Send for Mapping {}
// SAFETY: the same.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// A new file of this size, all zeros, that takes no memory yet.
    pub(super) fn new(length: usize) -> io::Result<Mapping> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string.
        let fd = check(unsafe { libc::memfd_create(c"parallax-trace".as_ptr(), flags) })?;
        // SAFETY: the descriptor was just made, for us to own.
        let file = unsafe { OwnedFd::from_raw_fd(fd) };
        let size = libc::off_t::try_from(length).map_err(|_| io::ErrorKind::InvalidInput)?;
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: no memory is passed.
        check(unsafe { libc::ftruncate(fd, size) })?;
        // SAFETY: no memory is passed.
        check(unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, seals) })?;
        let start = map(&file, length)?;
        Ok(Mapping { file, start, length })
    }

    pub(super) fn file(&self) -> &OwnedFd {
        &self.file
    }

    /// `count` values from byte `offset` on; none if they do not lie inside or are not aligned.
    ///
    /// # Safety
    /// There are no writes to them as long as the slice lives.
    pub(super) unsafe fn slice<T: Plain>(&self, offset: u64, count: u64) -> &[T] {
        match self.range::<T>(offset, count) {
            // SAFETY: the range is mapped and aligned, any bits are a `T`, there are no writes.
            Some((at, count)) => unsafe { slice::from_raw_parts(at.as_ptr(), count) },
            None => &[],
        }
    }

    /// The same to write; there must be no other user of the file.
    ///
    /// # Safety
    /// There are no other reads or writes of them as long as the slice lives.
    pub(super) unsafe fn slice_mut<T: Plain>(&mut self, offset: u64, count: u64) -> &mut [T] {
        match self.range::<T>(offset, count) {
            // SAFETY: the range is mapped and aligned, any bits are a `T`, there is no other user.
            Some((at, count)) => unsafe { slice::from_raw_parts_mut(at.as_ptr(), count) },
            None => &mut [],
        }
    }

    fn range<T>(&self, offset: u64, count: u64) -> Option<(NonNull<T>, usize)> {
        let (offset, count) = (usize::try_from(offset).ok()?, usize::try_from(count).ok()?);
        let end = count.checked_mul(size_of::<T>())?.checked_add(offset)?;
        if end > self.length {
            return None;
        }
        // SAFETY: the offset lies inside the mapping or is its end.
        let at = unsafe { self.start.add(offset) }.cast::<T>();
        at.is_aligned().then_some((at, count))
    }

    /// Number of bytes of memory that the file takes.
    pub(super) fn allocated(&self) -> io::Result<u64> {
        let mut stat = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: `stat` has room for the answer.
        check(unsafe { libc::fstat(self.file.as_raw_fd(), stat.as_mut_ptr()) })?;
        // SAFETY: the call succeeded and so has filled it.
        Ok(unsafe { stat.assume_init() }.st_blocks as u64 * 512)
    }

    /// Gives the memory of these bytes back; they are zeros from then on.
    pub(super) fn punch(&mut self, range: Range<u64>) -> io::Result<()> {
        let (offset, length) = (range.start, range.end.saturating_sub(range.start));
        if length == 0 {
            return Ok(());
        }
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let (offset, length) = (offset as libc::off_t, length as libc::off_t);
        // SAFETY: no memory is passed; that contents change under the mapping is why this is `mut`.
        check(unsafe { libc::fallocate(self.file.as_raw_fd(), mode, offset, length) }).map(drop)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this length, and no slice outlives `self`.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
    }
}

fn map(file: &OwnedFd, length: usize) -> io::Result<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at a place of the kernel's choice.
    let start =
        unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, file.as_raw_fd(), 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // A lab that is forked later should not hold on to it; if that is refused, it only does.
    // SAFETY: the range was just mapped.
    unsafe { libc::madvise(start, length, libc::MADV_DONTFORK) };
    NonNull::new(start.cast()).ok_or_else(|| io::ErrorKind::AddrNotAvailable.into())
}

fn check(result: c_int) -> io::Result<c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
