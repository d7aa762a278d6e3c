//! The shared memory: a header, then arenas that only grow.
//!
//! A run may end at any instruction, so a record counts only once the counter of its arena has
//! moved past it, and the counter moves last.

/// The first bytes of the shared memory, little-endian `PARALLAX`.
pub const MAGIC: u64 = u64::from_le_bytes(*b"PARALLAX");
/// The version of the layout: changes with every change to the definitions in this crate.
pub const VERSION: u32 = 5;
/// The descriptor at which a traced program finds the shared memory. It is high, so that programs
/// that count their descriptors do not run into it, and below the usual limit of 256.
pub const TRACE_FD: i32 = 240;
/// The descriptor at which a traced program finds a socket, if it is to be forked for each run.
pub const SERVE_FD: i32 = 241;
/// The room for the directory and the arguments of a run, and for pointers to them.
pub const SERVE_ROOM: u64 = 1 << 20;

/// A run that keeps no records. In place of events it leaves one number of 64 bits for each slot: one more than
/// the number of its first record.
pub const SURVEY: u64 = u64::MAX;

/// The part of what happens at a place that is recorded.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Everything.
    Whole = 0,
    /// Nothing, as the place says nothing about the changes.
    Nothing = 1,
}

/// A request to a program that is forked for each run. It answers with an `i32`, and sends a 0
/// first.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serve {
    /// A [`ServeCommand`].
    pub command: u32,
    /// For a run: the number of arguments.
    pub arguments: u32,
    /// For a run: the number of bytes that follow: its directory and its arguments, each with a
    /// NUL.
    pub bytes: u64,
}

/// The commands of a [`Serve`] request.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServeCommand {
    /// Run the program with the three streams that come along; the answer is the process.
    Run = 1,
    /// Kill all other processes of the lab; the answer is 1 if there were none.
    EndOthers = 2,
}

/// Offsets of the arenas in the shared memory, and the sizes to which they may grow.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the whole memory.
    pub total: u64,
    /// Coverage: one byte for each slot of the program's sites.
    pub sites: u64,
    /// Bytes of the coverage.
    pub sites_room: u64,
    /// The [`Share`] of each slot of the program's sites.
    pub shares: u64,
    /// Bytes of the shares.
    pub shares_room: u64,
    /// The [`Input`] records.
    pub inputs: u64,
    /// The most inputs.
    pub inputs_room: u64,
    /// The [`Node`](crate::Node) records.
    pub nodes: u64,
    /// The most nodes.
    pub nodes_room: u64,
    /// The [`Event`] records.
    pub events: u64,
    /// The most events.
    pub events_room: u64,
    /// The [`Blob`]s, each aligned to 16 bytes.
    pub blobs: u64,
    /// Bytes of the blobs.
    pub blobs_room: u64,
}

/// The start of the shared memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u64,
    /// [`VERSION`].
    pub version: u32,
    /// Set by the program once it has mapped the memory: a run whose header says 0 was not traced.
    pub attached: u32,
    /// The arenas.
    pub layout: Layout,
    /// The length to which an argument or an environment variable may grow.
    pub argument_room: u32,
    /// The number to which arguments may grow, `argv[0]` not counted.
    pub arguments_room: u32,
    /// The largest object that a symbolic address is resolved in.
    pub object_room: u32,
    /// 1 if the run leaves its coverage only, and no trace.
    pub quiet: u32,
    /// Number of records of a recorded run that are counted and left out before the first one is
    /// kept; [`SURVEY`] if all are.
    pub record_from: u64,
    /// Number of inputs: those that the host names, then those that the program asked for.
    pub inputs: u32,
    /// Number of nodes; node 0 counts and is empty.
    pub nodes: u32,
    /// Number of events.
    pub events: u64,
    /// Number of bytes of blobs.
    pub blobs: u64,
    /// The count of each [`Counter`].
    pub counters: [u64; Counter::ROOM],
}

/// An input: something whose bytes are symbolic.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// An [`InputKind`].
    pub kind: u32,
    /// Index of the argument.
    pub index: u32,
    /// The blob with the name of a file or variable, as an offset divided by 16; 0 if it has none.
    pub name: u32,
    /// 1 if the test fixes it: then it is concrete.
    pub fixed: u32,
}

/// Kinds of inputs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputKind {
    /// An argument.
    Argument = 1,
    /// Standard input.
    Stdin = 2,
    /// A file that the program opens.
    File = 3,
    /// An environment variable.
    Environment = 4,
    /// The number of arguments. It has no bytes.
    Count = 5,
}

/// Bytes of an output or of memory, with their labels if any of them is symbolic.
///
/// The bytes follow, filled up to a multiple of 16, then `length` labels if `labelled`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blob {
    /// Address of the bytes.
    pub address: u64,
    /// Number of bytes.
    pub length: u32,
    /// Whether labels follow.
    pub labelled: u32,
}

/// A recorded event. The meaning of `extra`, `label` and `other` depends on `kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// An [`EventKind`].
    pub kind: u8,
    /// A small number.
    pub flag: u8,
    /// A larger one.
    pub extra: u16,
    /// The place in the program, as a slot of its sites counted from 1; 0 before its own code.
    pub site: u32,
    /// A label, or the low half of a value.
    pub label: u32,
    /// Something else, or the high half of a value.
    pub other: u32,
}

impl Event {
    /// The number in [`EventKind::Value`].
    pub fn value(&self) -> u64 {
        u64::from(self.label) | u64::from(self.other) << 32
    }
}

macro_rules! kinds {
    ($(#[$doc:meta])* $type:ident $width:ident $prefix:literal {
        $($(#[$case:meta])* $name:ident = $code:literal $c:literal,)*
    }) => {
        $(#[$doc])*
        #[repr($width)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$case])* $name = $code,)* }

        impl $type {
            /// All kinds.
            pub const ALL: &'static [$type] = &[$($type::$name,)*];

            /// The kind with this code.
            pub fn from_code(code: $width) -> Option<$type> {
                match code { $($code => Some($type::$name),)* _ => None }
            }

            /// Its name in C.
            pub fn c_name(self) -> &'static str {
                match self { $($type::$name => concat!($prefix, $c),)* }
            }
        }
    };
}

kinds! {
    /// The kinds of an [`Event`].
    EventKind u8 "PLX_EVENT_" {
        /// A branch on `label`; `flag` is the direction taken. In recorded functions also branches on
        /// concrete conditions, whose label is 0.
        Branch = 1 "BRANCH",
        /// A switch on `label`, of `flag` bits; a `Value` follows with its concrete value. In
        /// recorded functions also switches on concrete values, whose label is 0. Of a switch in a
        /// model, `other` is where it is and `site` where the program called the model.
        Switch = 2 "SWITCH",
        /// A pin: from here on the lowest `flag` bits of `label` equal the `Value` that follows;
        /// `extra` is a [`PinReason`].
        Pin = 3 "PIN",
        /// `extra` bytes are loaded (`flag` 0) at address `label` from the object that looked like
        /// blob `other`; or stored (`flag` above 0) at offset `label` (an
        /// [`Op::Offset`](crate::Op::Offset)) into an object of `other` bytes. That the access stays
        /// in the object is part of the path condition, and for a store also that the offset,
        /// divided by `extra`, leaves `flag - 1`. The highest bit of `extra` says that this is not
        /// all of the object, which is too large.
        Address = 4 "ADDRESS",
        /// Something is printed on descriptor `extra`: blob `other`, as `flag`, an
        /// [`OutputKind`], says. A formatted value has its label here, and a `Value` follows.
        Output = 5 "OUTPUT",
        /// The number that belongs to the event before.
        Value = 6 "VALUE",
        /// The first time that [`Counter`] `extra` is reached at this site; `other` is a blob with
        /// the name of an unmodelled function.
        Approximated = 7 "APPROXIMATED",
        /// Two strings or memories are compared, blobs `label` and `other`; `flag` says whether
        /// they are equal, `extra` is 1 if case is ignored.
        Compare = 8 "COMPARE",
        /// A division by `label`, of `flag` bits, which is not zero.
        Divisor = 9 "DIVISOR",
        /// The program ends: by `exit` or by returning from `main` (`flag` 0), `_exit` (1) or
        /// another program in its place (2); `label` is that of the status, which follows.
        End = 10 "END",
        /// In recorded functions: the function at this site is entered.
        Enter = 12 "ENTER",
        /// In recorded functions: the function is left.
        Leave = 13 "LEAVE",
        /// In recorded functions: an instruction defines a value or stores it (`label`, of `flag` bits;
        /// a `Value` follows with the lowest 64 of them).
        Instance = 14 "INSTANCE",
        /// After an instance that loads, or a call: the memory that is read there was written last
        /// by record `other` of the trace, counted from 1: an instance that stores, or a call.
        /// Memory that was not written since the program started is not mentioned.
        Writer = 15 "WRITER",
        /// In recorded functions: a call begins. Code that is not recorded reads and writes on its
        /// behalf.
        Called = 16 "CALLED",
        /// A text was read as a number of base `flag`: blob `other`, with the byte behind it;
        /// `label` is an [`Op::Number`](crate::Op::Number), and a `Value` follows with the number.
        /// `extra` is 1 if it may be negative.
        Number = 17 "NUMBER",
        /// In proof builds: an instruction is undefined, or traps, if `label` holds; `flag` is an
        /// [`Undefined`]. `extra` is 1 if it was so in this run, whatever the label.
        Obligation = 18 "OBLIGATION",
    }
}

kinds! {
    /// Undefined behaviour: a plain build may do anything, so a proof has to show that it never
    /// happens.
    Undefined u8 "PLX_UNDEFINED_" {
        /// Signed arithmetic that overflows, where the compiler may rely on that it does not.
        Overflow = 1 "OVERFLOW",
        /// A division by zero.
        DivisionByZero = 2 "DIVISION_BY_ZERO",
        /// The least number divided by -1.
        Quotient = 3 "QUOTIENT",
        /// A shift by the width or more.
        Shift = 4 "SHIFT",
        /// A floating-point number that does not fit into the integer it becomes.
        Conversion = 5 "CONVERSION",
        /// A null pointer where the callee is declared to get none.
        NullArgument = 6 "NULL_ARGUMENT",
        /// Addresses in different objects that are ordered or subtracted.
        Addresses = 7 "ADDRESSES",
        /// An address that is less aligned than an access needs.
        Alignment = 8 "ALIGNMENT",
        /// Code that is declared never to be reached.
        Unreachable = 9 "UNREACHABLE",
        /// A `_Bool` that is neither 0 nor 1.
        Bool = 10 "BOOL",
        /// The leading or trailing zeros of zero.
        Zeros = 11 "ZEROS",
        /// A decision or an output that depends on memory that was never written.
        Unwritten = 12 "UNWRITTEN",
        /// An access outside of the object that its address was computed from.
        Bounds = 13 "BOUNDS",
        /// A division or a shift that is declared to have no remainder, and has one.
        Remainder = 14 "REMAINDER",
        /// An element of a vector beyond its end.
        Element = 15 "ELEMENT",
        /// A NaN result, whose bits the compiler may choose.
        NotANumber = 16 "NOT_A_NUMBER",
        /// Memory that is accessed as another type than before.
        Type = 17 "TYPE",
    }
}

impl Counter {
    /// The approximation in words.
    pub fn describe(self) -> &'static str {
        match self {
            Counter::Pinned => "values pinned",
            Counter::Assembler => "inline assembler",
            Counter::Vector => "symbolic values in vectors",
            Counter::LongDouble => "symbolic values as long double",
            Counter::Unmodelled => "calls of functions that are not modelled",
            Counter::Undefined => "undefined behaviour",
            Counter::NodeLimit => "operations beyond the limit",
            Counter::EventLimit => "events beyond the limit",
            Counter::BlobLimit => "memory beyond the limit",
            Counter::Thread => "threads that were not traced",
            Counter::Fork => "child processes that were not traced",
            Counter::InputLimit => "inputs beyond the limit",
            Counter::Atomic => "symbolic values in atomic operations",
            Counter::Rewritten => "inputs read after they were written",
            Counter::Conversion => "conversions that are not modelled",
            Counter::Route => "routes of data that are not modelled",
            Counter::World => "questions about the environment",
            Counter::Address => "addresses used as numbers",
        }
    }
}

impl Undefined {
    /// Its name in a report.
    pub fn describe(self) -> &'static str {
        match self {
            Undefined::Overflow => "signed overflow",
            Undefined::DivisionByZero => "division by zero",
            Undefined::Quotient => "overflow of a division",
            Undefined::Shift => "shift by too much",
            Undefined::Conversion => "number out of range of an integer",
            Undefined::NullArgument => "null pointer as an argument",
            Undefined::Addresses => "comparison of unrelated addresses",
            Undefined::Alignment => "misaligned access",
            Undefined::Unreachable => "code that must not be reached",
            Undefined::Zeros => "count of the zeros of zero",
            Undefined::Unwritten => "use of unwritten or environment-dependent memory",
            Undefined::Bool => "truth value other than 0 and 1",
            Undefined::Bounds => "access outside of an object",
            Undefined::Remainder => "remainder of a division that is declared to have none",
            Undefined::Element => "access outside of a vector",
            Undefined::NotANumber => "result that is not a number",
            Undefined::Type => "access of memory as another type",
        }
    }
}

kinds! {
    /// The meaning of the blob of an output.
    OutputKind u8 "PLX_OUTPUT_" {
        /// It is what was printed.
        Bytes = 0 "BYTES",
        /// It is the conversion (such as `%5d`) that a value was printed by.
        Formatted = 1 "FORMATTED",
    }
}

kinds! {
    /// The reason why a symbolic value was pinned. The path condition holds the equality.
    PinReason u16 "PLX_PIN_" {
        /// An address in no object known to be small enough.
        Address = 1 "ADDRESS",
        /// The target of a jump or call.
        Target = 2 "TARGET",
        /// A size: of an allocation, of what is copied.
        Size = 3 "SIZE",
        /// The argument of a function that is not modelled.
        Argument = 4 "ARGUMENT",
        /// A path, a name, a format.
        Name = 5 "NAME",
        /// A descriptor, an offset in a file and the like.
        Operation = 6 "OPERATION",
        /// Which of two addresses it is: nothing is lost, as the other one is the only other case.
        Choice = 7 "CHOICE",
        /// Any use, in proof builds: its other values are enumerated one at a time.
        Enumerated = 8 "ENUMERATED",
    }
}

kinds! {
    /// The approximations of the symbolic view, counted.
    Counter u16 "PLX_COUNTER_" {
        /// A symbolic value was pinned.
        Pinned = 0 "PINNED",
        /// Inline assembler ran; what it computed is concrete.
        Assembler = 1 "ASSEMBLER",
        /// A symbolic value went through a vector or another type without expressions.
        Vector = 2 "VECTOR",
        /// A symbolic value became a `long double`.
        LongDouble = 3 "LONG_DOUBLE",
        /// A function that is not modelled was called.
        Unmodelled = 4 "UNMODELLED",
        /// Undefined behaviour: the machine's answer was taken.
        Undefined = 5 "UNDEFINED",
        /// There was no room for a node.
        NodeLimit = 6 "NODE_LIMIT",
        /// There was no room for an event.
        EventLimit = 7 "EVENT_LIMIT",
        /// There was no room for a blob.
        BlobLimit = 8 "BLOB_LIMIT",
        /// A thread other than the first one would have been traced.
        Thread = 9 "THREAD",
        /// A child process would have been traced.
        Fork = 10 "FORK",
        /// There was no room for an input.
        InputLimit = 11 "INPUT_LIMIT",
        /// A symbolic value was used by an atomic operation, and was concretised.
        Atomic = 12 "ATOMIC",
        /// An input was read after the program had written to it.
        Rewritten = 13 "REWRITTEN",
        /// A symbolic conversion of a modelled function (of `scanf`, say) is not modelled.
        Conversion = 14 "CONVERSION",
        /// In proof builds: data may have entered or left by a route without a model.
        Route = 15 "ROUTE",
        /// In proof builds: the program queried its environment, which is fixed.
        World = 16 "WORLD",
        /// In proof builds: an address was used as a number.
        Address = 17 "ADDRESS",
    }
}

impl Counter {
    /// Number of counters that a [`Header`] has room for.
    pub const ROOM: usize = 32;
}
