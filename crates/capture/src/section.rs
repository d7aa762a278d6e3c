//! The section `.parallax` of an ELF file: written into the compiler's output, read from the
//! linker's.
//!
//! The file is patched in place (contents, names and section headers are appended, nothing that is
//! there moves) rather than handed to `objcopy`, which costs a process for each object and changes
//! other parts of the file. The section is not allocated, so linkers carry it along like `.comment`
//! and `strip` leaves it alone.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use object::{
    Endianness, U16, U32, U64, elf,
    pod::bytes_of,
    read::elf::{ElfFile32, ElfFile64, FileHeader, SectionHeader},
    read::{Object, ObjectSection},
};

use crate::note::Notes;

/// The name of the section.
pub(crate) const NAME: &str = ".parallax";

/// The outcome of adding a section to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// The notes are in.
    Yes,
    /// It is not an ELF file of a kind that can hold them.
    NotElf,
}

/// The notes in an ELF file, or nothing if it is something else.
pub(crate) fn read(path: &Path) -> io::Result<Option<Notes>> {
    let mut magic = [0; 4];
    let mut file = fs::File::open(path)?;
    if !file.metadata()?.is_file() || file.read(&mut magic)? < magic.len() || magic != elf::ELFMAG {
        return Ok(None);
    }
    let data = fs::read(path)?;
    let mut notes = Notes::default();
    let known = match object::File::parse(&*data) {
        Ok(file) => {
            for section in file.sections().filter(|section| section.name() == Ok(NAME)) {
                notes.read(section.data().unwrap_or_default());
            }
            true
        }
        Err(_) => false,
    };
    Ok(known.then_some(notes))
}

/// Adds a section with these notes to the ELF file at `path`.
pub(crate) fn add(path: &Path, notes: &Notes) -> io::Result<Added> {
    let data = fs::read(path)?;
    let patch = Patch64::plan(&data, notes).or_else(|| Patch32::plan(&data, notes));
    let Some(patch) = patch else { return Ok(Added::NotElf) };
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(patch.end))?;
    file.write_all(&patch.tail)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&patch.header)?;
    Ok(Added::Yes)
}

/// The bytes to append to a file and the header that makes them count.
struct Patch {
    end: u64,
    tail: Vec<u8>,
    header: Vec<u8>,
}

/// The parts of a patch that are the same in both widths.
struct Tail {
    end: u64,
    bytes: Vec<u8>,
    contents_offset: u64,
    names_offset: u64,
    names_size: u64,
    name_index: u32,
    headers_offset: u64,
}

impl Tail {
    /// Lays out contents and names behind the end of the file, ready for the section headers.
    fn new(end: u64, contents: &[u8], names: &[u8]) -> Tail {
        let start = end.next_multiple_of(16);
        let mut bytes = vec![0; (start - end) as usize];
        bytes.extend(contents);
        let names_offset = end + bytes.len() as u64;
        bytes.extend(names);
        bytes.extend(NAME.as_bytes());
        bytes.push(0);
        let names_size = end + bytes.len() as u64 - names_offset;
        let headers_offset = (end + bytes.len() as u64).next_multiple_of(16);
        bytes.resize((headers_offset - end) as usize, 0);
        Tail {
            end,
            bytes,
            contents_offset: start,
            names_offset,
            names_size,
            name_index: names.len() as u32,
            headers_offset,
        }
    }
}

macro_rules! patch_for_width {
    ($patch:ident, $file:ident, $header:ident, $section:ident, $word:ident, $size:ty) => {
        struct $patch;

        impl $patch {
            fn plan(data: &[u8], notes: &Notes) -> Option<Patch> {
                let file = $file::<Endianness>::parse(data).ok()?;
                let endian = file.endian();
                let mut header: elf::$header<Endianness> = *file.elf_header();
                let table = file.elf_section_table();
                let names_index = header.shstrndx(endian, data).ok()? as usize;
                let old: Vec<elf::$section<Endianness>> = table.iter().copied().collect();
                let names = old.get(names_index)?.data(endian, data).ok()?;
                let contents = notes.to_bytes();
                let tail = Tail::new(data.len() as u64, &contents, names);

                let mut headers = old;
                let names_header = &mut headers[names_index];
                names_header.sh_offset = $word::new(endian, tail.names_offset as $size);
                names_header.sh_size = $word::new(endian, tail.names_size as $size);
                // The table of names is not allocated either: a copy of its header needs few changes.
                let mut note = headers[names_index];
                note.sh_name = U32::new(endian, tail.name_index);
                note.sh_type = U32::new(endian, elf::SHT_PROGBITS);
                note.sh_offset = $word::new(endian, tail.contents_offset as $size);
                note.sh_size = $word::new(endian, contents.len() as $size);
                headers.push(note);
                header.e_shoff = $word::new(endian, tail.headers_offset as $size);
                let count = headers.len();
                if count < usize::from(u16::from(elf::SHN_LORESERVE)) {
                    header.e_shnum = U16::new(endian, count as u16);
                } else {
                    header.e_shnum = U16::new(endian, 0);
                    headers[0].sh_size = $word::new(endian, count as $size);
                }
                let mut bytes = tail.bytes;
                for section in &headers {
                    bytes.extend(bytes_of(section));
                }
                Some(Patch { end: tail.end, tail: bytes, header: bytes_of(&header).to_vec() })
            }
        }
    };
}

patch_for_width!(Patch64, ElfFile64, FileHeader64, SectionHeader64, U64, u64);
patch_for_width!(Patch32, ElfFile32, FileHeader32, SectionHeader32, U32, u32);

/// Wipes out the notes that assembler text with this digest carried into a file.
pub(crate) fn forget(path: &Path, assembly: &str) -> io::Result<()> {
    let mut data = fs::read(path)?;
    let needle = format!("\"assembly\":\"{assembly}\"").into_bytes();
    while let Some(at) = data.windows(needle.len()).position(|window| window == needle) {
        let is_end = |byte: &u8| matches!(byte, b'\n' | 0);
        let start = data[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        let end = data[at..].iter().position(is_end).map_or(data.len(), |end| at + end);
        data[start..end].fill(0);
    }
    OpenOptions::new().write(true).open(path)?.write_all(&data)
}

/// The text of an assembler file before our directive, and the digest it had when that was added.
pub(crate) fn split_directive(text: &[u8]) -> Option<(&[u8], String)> {
    const MARK: &[u8] = b"\\\"assembly\\\":\\\"";
    let start = directive_start();
    let at = text.windows(start.len()).rposition(|window| window == start)?;
    let mark = text[at..].windows(MARK.len()).position(|window| window == MARK)?;
    let digest = text[at + mark + MARK.len()..].split(|&byte| byte == b'\\').next()?;
    Some((&text[..at], String::from_utf8(digest.to_vec()).ok()?))
}

fn directive_start() -> Vec<u8> {
    format!("\n\t.section\t{NAME},\"\",%progbits\n").into_bytes()
}

/// The directive that puts the notes into an assembler file.
pub(crate) fn directive(notes: &Notes) -> Vec<u8> {
    let mut text = directive_start();
    for line in notes.to_bytes().split_inclusive(|&byte| byte == b'\n') {
        text.extend(b"\t.ascii\t\"");
        for &byte in line {
            match byte {
                b'"' | b'\\' => text.extend([b'\\', byte]),
                b'\n' => text.extend(b"\\n"),
                0x20..0x7f => text.push(byte),
                other => text.extend(format!("\\{other:03o}").bytes()),
            }
        }
        text.extend(b"\"\n");
    }
    text
}
