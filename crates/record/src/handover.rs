//! Handing the listener from the process under the filter to its monitor.
//!
//! One byte says whether a descriptor comes with it. Nothing else is sent, and sending is not among
//! the calls the filter asks about: no monitor could answer yet.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use crate::sys;

/// Room for one descriptor, aligned as a control message wants it.
type Control = [u64; 4];

/// Sends the listener, or a message that there is none.
pub(crate) fn send_listener(stream: &UnixStream, listener: Option<OwnedFd>) -> io::Result<()> {
    let mut byte = [u8::from(listener.is_some())];
    let mut control: Control = [0; 4];
    with_message(&mut byte, &mut control, |message| {
        match &listener {
            // SAFETY: `control` is zeroed and has room for one header and one descriptor.
            Some(listener) => unsafe { attach(message, listener.as_raw_fd()) },
            None => message.msg_controllen = 0,
        }
        // SAFETY: `message` describes buffers that live for the call.
        unsafe { libc::sendmsg(stream.as_raw_fd(), message, libc::MSG_NOSIGNAL) }
    })
    .map(drop)
}

/// Receives what [`send_listener`] sent; an error if the other side has given up.
pub(crate) fn receive_listener(stream: &UnixStream) -> io::Result<Option<OwnedFd>> {
    let mut byte = [0];
    let mut control: Control = [0; 4];
    let mut listener = None;
    let length = with_message(&mut byte, &mut control, |message| {
        // SAFETY: `message` describes buffers that live for the call.
        let length = unsafe { libc::recvmsg(stream.as_raw_fd(), message, libc::MSG_CMSG_CLOEXEC) };
        if length > 0 {
            // SAFETY: the kernel has filled in the control message, if there is one.
            listener = unsafe { detach(message) };
        }
        length
    })?;
    match (length, byte[0], listener) {
        (1, 0, _) => Ok(None),
        (1, _, Some(listener)) => Ok(Some(listener)),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn with_message(
    byte: &mut [u8; 1],
    control: &mut Control,
    mut call: impl FnMut(&mut libc::msghdr) -> isize,
) -> io::Result<isize> {
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    loop {
        // SAFETY: all zeroes is an empty message.
        let mut message: libc::msghdr = unsafe { zeroed() };
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = space_for_one() as _;
        match sys::check(call(&mut message) as _) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other.map(|length| length as isize),
        }
    }
}

fn space_for_one() -> usize {
    const SIZE: usize = size_of::<RawFd>();
    // SAFETY: computes a number.
    unsafe { libc::CMSG_SPACE(SIZE as u32) as usize }
}

/// # Safety
/// `message` must have a control buffer with room for one descriptor.
unsafe fn attach(message: &mut libc::msghdr, fd: RawFd) {
    // SAFETY: the caller promises the room that the header and its data take.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(fd);
    }
}

/// # Safety
/// `message` must have been filled in by the kernel.
unsafe fn detach(message: &libc::msghdr) -> Option<OwnedFd> {
    // SAFETY: the kernel wrote the header and, under `SCM_RIGHTS`, a descriptor that is ours now.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(message);
        if header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
            return None;
        }
        let fd = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
        Some(OwnedFd::from_raw_fd(fd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_arrives() {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        send_listener(&ours, None).expect("sent");
        assert!(receive_listener(&theirs).expect("received").is_none());
        let file = std::fs::File::open("/dev/null").expect("a descriptor");
        send_listener(&ours, Some(file.into())).expect("sent");
        assert!(receive_listener(&theirs).expect("received").is_some());
        drop(ours);
        assert!(receive_listener(&theirs).is_err());
    }
}
