//! Namespaces: a machine of the lab's own, on which only the working directory can be written.
//!
//! One process, the keeper, stays outside: it gives the user namespace its identities and waits.
//! The other is the server, process 1 inside. Its root is a new tmpfs with everything of the old one mounted in
//! it at the same place, read-only, except that
//!
//! * `/dev` holds only what every program may have, and there are no other devices: root's subjects
//!   may read everything, and that must not mean disks;
//! * `/tmp` and `/dev/shm` are links into the tmpfs of the current run;
//! * `/proc` shows the lab only: by way of another's `/proc/<pid>/root` one could write anywhere;
//! * `/parallax` (or another name that is free) is where working directories and the program are.
//!
//! The server and all that it starts see only this tree (`chroot`). It is mounted on another tmpfs, in
//! which mounts of earlier runs wait to be unmounted together (`lab/scratch.rs`) without being
//! listed in a subject's `/proc/mounts`.
//!
//! One hole remains: a fifo outside can be read, because to the kernel that is reading.
//!
//! Either all of this works or the lab goes without any of it: halves would have to be tested too.

use std::{
    ffi::{CStr, CString, OsStr},
    fs,
    io::{self, Read, Write},
    os::{
        fd::OwnedFd,
        unix::{
            ffi::OsStrExt,
            fs::{OpenOptionsExt, symlink},
        },
    },
    path::{Path, PathBuf},
};

use libc::pid_t;

use super::{
    layout,
    sys::{self, doing},
};

const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWNET;

/// The place of the old root while the new one is built. No root has an entry of that name.
const OLD_ROOT: &CStr = c"/.parallax-old-root";
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];
/// The lab's tree in the tmpfs around it, and the place there where mounts of earlier runs wait.
const TREE: &CStr = c"/tree";
const RETIRED: &CStr = c"/retired";
/// The place where trees of other programs wait (`lab/place.rs`).
const PLACES: &CStr = c"/places";
/// An attribute of a mount.
pub(super) const MOUNT_READ_ONLY: u64 = 1;
const MOUNT_NO_DEVICES: u64 = 4;

/// The places that a server inside uses.
pub(super) struct Inside {
    /// The path of the system's `/tmp`, if each run has its own in place of it.
    pub(super) outside_tmp: Option<PathBuf>,
    /// The directory in which runs may write.
    pub(super) ground: CString,
    /// The directory in which runs are mounted.
    pub(super) run: CString,
    /// A directory that no subject can reach, for mounts of earlier runs.
    pub(super) retired: OwnedFd,
    /// The directory in which the program is mounted, and a directory like `retired` for others.
    pub(super) program: CString,
    pub(super) places: OwnedFd,
    /// The file that sets the next process id.
    pub(super) last_pid: Option<OwnedFd>,
    /// Whether a subject could make user namespaces, and so have capabilities there.
    pub(super) can_nest: bool,
}

#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Enters the namespaces. Returns in the new process if all went well, and in the old one if not.
pub(super) fn enter() -> Result<Inside, String> {
    let mut go = pipe()?;
    let mut verdict = pipe()?;
    // SAFETY: like `fork`, in a process without threads.
    let pid = unsafe { libc::syscall(libc::SYS_clone, NAMESPACES | libc::SIGCHLD, 0, 0, 0, 0) };
    match sys::check_long(pid).map_err(doing("make namespaces"))? {
        0 => {
            go.write = None;
            verdict.read = None;
            settle(&mut go, &mut verdict)
        }
        server => {
            go.read = None;
            verdict.write = None;
            Err(keep(server, &mut go, &mut verdict))
        }
    }
}

/// A pipe of which each process closes one end.
struct Pipe {
    read: Option<fs::File>,
    write: Option<fs::File>,
}

fn pipe() -> Result<Pipe, String> {
    let (read, write) = sys::pipe(0).map_err(doing("make a pipe"))?;
    Ok(Pipe { read: Some(read.into()), write: Some(write.into()) })
}

impl Pipe {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write.take().map_or(Ok(()), |mut write| write.write_all(bytes))
    }

    fn receive(&mut self) -> io::Result<String> {
        let mut text = String::new();
        self.read.take().map_or(Ok(0), |mut read| read.read_to_string(&mut text))?;
        Ok(text)
    }
}

/// The keeper's part. Returns only if there is no server to keep, with the reason.
fn keep(server: pid_t, go: &mut Pipe, verdict: &mut Pipe) -> String {
    let mapped = map_identities(server).map_err(doing("map users and groups"));
    let sent = mapped.and_then(|()| go.send(b"+").map_err(doing("wake the server")));
    let verdict = sent.and_then(|()| verdict.receive().map_err(doing("hear from the server")));
    match verdict.as_deref() {
        Ok("+") => {
            // Only the server may hold its end of the socket, or Parallax would wait for ever.
            let _ = sys::close_range(0, u32::MAX);
            sys::wait_for(server);
            sys::exit(0)
        }
        why => {
            sys::kill(server, libc::SIGKILL);
            sys::wait_for(server);
            why.unwrap_or_else(|error| error).to_owned()
        }
    }
}

/// The server's part. Returns only if all went well.
fn settle(go: &mut Pipe, verdict: &mut Pipe) -> Result<Inside, String> {
    let _ = sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong);
    if go.receive().is_ok_and(|text| text == "+") {
        let built = build();
        let message = built.as_ref().err().map_or("+", |why| why.as_str());
        if verdict.send(message.as_bytes()).is_ok() && built.is_ok() {
            return built;
        }
    }
    sys::exit(1)
}

/// Maps every identity to itself. Root may map all that it has itself; others only their own.
fn map_identities(server: pid_t) -> io::Result<()> {
    let write = |file: &str, text: &str| write_file(&format!("/proc/{server}/{file}"), text);
    if sys::user() == 0 {
        write("uid_map", &identity_map(&fs::read_to_string("/proc/self/uid_map")?))?;
        return write("gid_map", &identity_map(&fs::read_to_string("/proc/self/gid_map")?));
    }
    write("setgroups", "deny")?;
    write("uid_map", &format!("{0} {0} 1", sys::user()))?;
    write("gid_map", &format!("{0} {0} 1", sys::group()))
}

/// The ranges that a map gives to those inside, each mapped to itself.
fn identity_map(map: &str) -> String {
    let line = |line: &str| {
        let mut numbers = line.split_whitespace();
        let (first, count) = (numbers.next()?, numbers.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    };
    map.lines().filter_map(line).collect()
}

fn write_file(path: &str, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}

fn build() -> Result<Inside, String> {
    let none = c"";
    let private = libc::MS_REC | libc::MS_PRIVATE;
    sys::mount(none, c"/", none, private, none).map_err(doing("keep mounts private"))?;
    let can_nest = write_file("/proc/sys/user/max_user_namespaces", "0").is_err();
    pivot(OLD_ROOT).map_err(doing("change the root"))?;
    let entries = entries_of(OLD_ROOT).map_err(doing("list the root"))?;
    entries.iter().for_each(|name| take_over(name));
    let ground = free_name(&entries);
    build_devices(&ground).map_err(doing("make /dev"))?;
    for name in ["run", "program"] {
        fs::create_dir_all(format!("{ground}/{name}"))
            .map_err(doing("make the ground of the lab"))?;
    }
    let outside_tmp = build_tmp(&ground).map_err(doing("make /tmp"))?;
    name_machine().map_err(doing("name the machine"))?;
    sys::unmount(OLD_ROOT).map_err(doing("leave the old root"))?;
    fs::remove_dir(path_of(OLD_ROOT)).map_err(doing("leave the old root"))?;
    let [retired, places] = go_into_tree().map_err(doing("go into the lab's tree"))?;
    set_attributes(c"/", MOUNT_READ_ONLY).map_err(doing("make the root read-only"))?;
    let last_pid = mount_proc().map_err(doing("mount /proc"))?;
    let path = |path: &str| sys::c_string(path.as_bytes()).map_err(doing("name the ground"));
    let run = path(&format!("{ground}/run"))?;
    let program = path(&format!("{ground}/program"))?;
    let ground = path(&ground)?;
    Ok(Inside { run, program, ground, retired, places, outside_tmp, last_pid, can_nest })
}

/// Makes an empty tmpfs the root, with the root so far at `old`. It is mounted on a directory that
/// surely exists, and that is seen again once the tmpfs has moved from there.
fn pivot(old: &CStr) -> io::Result<()> {
    let place = c"/proc";
    sys::mount(c"parallax", place, c"tmpfs", libc::MS_NOSUID, c"mode=0755,size=1m")?;
    change_directory(place)?;
    let old = CString::new(&old.to_bytes()[1..])?;
    sys::make_directory_at(libc::AT_FDCWD, &old, 0o700)?;
    // SAFETY: C strings only.
    sys::check_long(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), old.as_ptr()) })?;
    change_directory(c"/")
}

/// Puts a tmpfs around the lab's tree, and this process into the tree. Returns the directories outside
/// of it, where mounts can wait.
fn go_into_tree() -> io::Result<[OwnedFd; 2]> {
    pivot(TREE)?;
    let waiting = |path| {
        sys::make_directory_at(libc::AT_FDCWD, path, 0o700)?;
        sys::open(path, libc::O_PATH | libc::O_DIRECTORY)
    };
    let directories = [waiting(RETIRED)?, waiting(PLACES)?];
    // SAFETY: C strings only.
    sys::check(unsafe { libc::chroot(TREE.as_ptr()) })?;
    change_directory(c"/")?;
    Ok(directories)
}

fn change_directory(path: &CStr) -> io::Result<()> {
    // SAFETY: C strings only.
    sys::check(unsafe { libc::chdir(path.as_ptr()) }).map(drop)
}

fn entries_of(directory: &CStr) -> io::Result<Vec<std::ffi::OsString>> {
    let entries = fs::read_dir(path_of(directory))?;
    entries.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

fn path_of(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

/// Makes an entry of the old root appear in the new one. An entry that is not available is absent:
/// a program that needs it says so itself.
fn take_over(name: &OsStr) {
    let (old, new) = (path_of(OLD_ROOT).join(name), Path::new("/").join(name));
    if name == "dev" || name == "tmp" && has_plain_tmp() {
        return;
    }
    let _ = match fs::symlink_metadata(&old).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_symlink() => {
            fs::read_link(&old).and_then(|target| symlink(target, &new))
        }
        Ok(kind) if kind.is_dir() => fs::create_dir(&new).and_then(|()| bind_plain(&old, &new)),
        Ok(_) => make_file(&new).and_then(|()| bind_plain(&old, &new)),
        Err(error) => Err(error),
    };
}

/// Whether `/tmp` is a directory, and not a link to another place that is taken over as it is.
fn has_plain_tmp() -> bool {
    fs::symlink_metadata(path_of(OLD_ROOT).join("tmp")).is_ok_and(|metadata| metadata.is_dir())
}

/// Makes `/tmp` a link to that of the current run; returns the path of the system's.
fn build_tmp(ground: &str) -> io::Result<Option<PathBuf>> {
    if !has_plain_tmp() {
        return Ok(None);
    }
    let outside = PathBuf::from(format!("{ground}/tmp-outside"));
    fs::create_dir_all(&outside)?;
    bind_plain(&path_of(OLD_ROOT).join("tmp"), &outside)?;
    link(format!("{ground}/run/tmp"), Path::new("/tmp"))?;
    Ok(Some(outside))
}

/// Makes a link with the time of all things that are laid out.
fn link(target: String, path: &Path) -> io::Result<()> {
    symlink(target, path)?;
    sys::set_times_at(libc::AT_FDCWD, &sys::c_string(path.as_os_str().as_bytes())?, layout::TIME)
}

fn make_file(path: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o644).open(path).map(drop)
}

/// Mounts a directory or file at another place, too.
pub(super) fn bind(old: &Path, new: &Path) -> io::Result<()> {
    let old = sys::c_string(old.as_os_str().as_bytes())?;
    let new = sys::c_string(new.as_os_str().as_bytes())?;
    sys::mount(&old, &new, c"", libc::MS_BIND | libc::MS_REC, c"")
}

/// The same without devices, present or future.
fn bind_plain(old: &Path, new: &Path) -> io::Result<()> {
    bind(old, new)?;
    set_attributes(&sys::c_string(new.as_os_str().as_bytes())?, MOUNT_NO_DEVICES)
}

/// A path in the root that is not in use.
fn free_name(entries: &[std::ffi::OsString]) -> String {
    let numbered = (1..).map(|number| format!("parallax-{number}"));
    let mut names = ["parallax".to_owned()].into_iter().chain(numbered);
    let free = names.find(|name| entries.iter().all(|entry| *entry != **name));
    format!("/{}", free.unwrap_or_default())
}

fn build_devices(ground: &str) -> io::Result<()> {
    fs::create_dir("/dev")?;
    let (old, new) = (path_of(OLD_ROOT).join("dev"), Path::new("/dev"));
    for device in DEVICES {
        make_file(&new.join(device))?;
        bind(&old.join(device), &new.join(device))?;
    }
    for (name, target) in DEVICE_LINKS {
        link(target.to_owned(), &new.join(name))?;
    }
    link(format!("{ground}/run/shm"), &new.join("shm"))
}

fn name_machine() -> io::Result<()> {
    let name = "parallax";
    // SAFETY: the name is valid for its length.
    sys::check(unsafe { libc::sethostname(name.as_ptr().cast(), name.len()) }).map(drop)
}

/// Adds attributes to a mount and to all mounts below it.
pub(super) fn set_attributes(path: &CStr, set: u64) -> io::Result<()> {
    let attributes = MountAttributes { set, clear: 0, propagation: 0, user_namespace: 0 };
    let (path, flags, size) = (path.as_ptr(), libc::AT_RECURSIVE, size_of::<MountAttributes>());
    // SAFETY: the structure is laid out as the kernel has it, and valid for its size.
    sys::check_long(unsafe {
        let at = libc::AT_FDCWD;
        libc::syscall(libc::SYS_mount_setattr, at, path, flags, &raw const attributes, size)
    })
    .map(drop)
}

/// Mounts the lab's own `/proc`. The file that sets the next process id is opened on a mount that
/// can be written and that no other process sees.
fn mount_proc() -> io::Result<Option<OwnedFd>> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(c"proc", c"/proc", c"proc", flags, c"")?;
    let last_pid = sys::open(c"/proc/sys/kernel/ns_last_pid", libc::O_WRONLY).ok();
    sys::unmount(c"/proc")?;
    sys::mount(c"proc", c"/proc", c"proc", flags | libc::MS_RDONLY, c"")?;
    Ok(last_pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_becomes_the_identity_on_what_is_inside() {
        let map = "         0     100000      1000\n      1000       1000         1\n";
        assert_eq!(identity_map(map), "0 0 1000\n1000 1000 1\n");
    }

    #[test]
    fn a_name_that_is_taken_is_not_used() {
        assert_eq!(free_name(&["usr".into()]), "/parallax");
        assert_eq!(free_name(&["parallax".into(), "parallax-1".into()]), "/parallax-2");
    }
}
