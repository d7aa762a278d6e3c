//! Reading a test case from TOML.
//!
//! Read by hand over a tree with spans rather than with `serde`: its messages would name types of
//! ours, not lines and keys of the user's file, and they would stop at the first.

use std::borrow::Cow;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Entry, Fixed, Problem, TestCase, fixed, hex, suggest};

const KEYS: [&str; 8] =
    ["args", "stdin", "stdin_hex", "env", "files", "raw_env", "raw_files", "fixed"];
const BYTES_KEYS: [&str; 2] = ["text", "hex"];
const ENTRY_KEYS: [&str; 5] = ["text", "hex", "executable", "symlink", "symlink_hex"];

/// The test case, or everything that is wrong with the text.
pub(super) fn read(text: &str) -> Result<TestCase, Vec<Problem>> {
    let table = DeTable::parse(text).map_err(|error| vec![syntax(text, &error)])?;
    let mut reader = Reader { text, problems: Vec::new() };
    let test_case = reader.test_case(table.get_ref());
    match reader.problems.is_empty() {
        true => Ok(test_case),
        false => Err(reader.problems),
    }
}

fn syntax(text: &str, error: &toml::de::Error) -> Problem {
    let offset = error.span().map_or(0, |span| span.start);
    Problem::at(text.as_bytes(), offset, error.message())
}

type Value<'a> = Spanned<DeValue<'a>>;

/// Reads the parts and collects the errors; a part that cannot be read is `None`.
struct Reader<'a> {
    text: &'a str,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn test_case(&mut self, table: &DeTable<'_>) -> TestCase {
        self.known_keys(table, "", &KEYS);
        let mut test_case =
            TestCase { args: self.args(table), stdin: self.stdin(table), ..TestCase::default() };
        self.env(table, &mut test_case);
        self.raw_env(table, &mut test_case);
        self.files(table, &mut test_case);
        self.raw_files(table, &mut test_case);
        self.fixed(table, &mut test_case);
        test_case
    }

    fn args(&mut self, table: &DeTable<'_>) -> Vec<Vec<u8>> {
        let Some(items) = self.array(table, "args") else {
            return Vec::new();
        };
        let mut args = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let key = format!("args[{index}]");
            let arg = self.bytes(&key, item);
            args.extend(arg.and_then(|arg| self.without_nul(&key, item, arg)));
        }
        args
    }

    fn stdin(&mut self, table: &DeTable<'_>) -> Option<Vec<u8>> {
        match (table.get("stdin"), table.get("stdin_hex")) {
            (Some(_), Some(second)) => {
                self.problem(second, "\"stdin\" and \"stdin_hex\" are both given")
            }
            (Some(value), None) => self.bytes("stdin", value),
            (None, Some(value)) => self.hex("stdin_hex", value),
            (None, None) => None,
        }
    }

    fn fixed(&mut self, table: &DeTable<'_>, test_case: &mut TestCase) {
        // Not the number that could be read: an argument that is wrong is reported already.
        let args = table.get("args").and_then(|args| args.get_ref().as_array());
        let args = args.map_or(0, |args| args.len());
        for (index, item) in self.array(table, "fixed").into_iter().flatten().enumerate() {
            let key = format!("fixed[{index}]");
            let Some(part) = self.fixed_part(&key, item, args) else {
                continue;
            };
            if test_case.fixed.contains(&part) {
                let written = quoted(&part.written());
                self.problem::<()>(item, format!("{key} fixes {written} a second time"));
            } else {
                test_case.fixed.push(part);
            }
        }
    }

    fn fixed_part(&mut self, key: &str, item: &Value<'_>, args: usize) -> Option<Fixed> {
        let written = self.bytes(key, item)?;
        let Some(part) = Fixed::read(&written) else {
            return self.problem(item, no_part(key, &written));
        };
        match part {
            Fixed::Argument(index) if index >= args => {
                let there_are = match args {
                    1 => "there is 1 argument".to_owned(),
                    args => format!("there are {args} arguments"),
                };
                let message = format!("{key} fixes args[{index}], and {there_are}");
                self.problem(item, message)
            }
            Fixed::File(name) => match Named::raw(key, name).path() {
                Ok(path) => Some(Fixed::File(path.to_vec())),
                Err(message) => self.problem(item, format!("{key}: a file name {message}")),
            },
            Fixed::Variable(name) => {
                self.env_name(&Named::raw(key, name), item).map(Fixed::Variable)
            }
            part => Some(part),
        }
    }

    fn env(&mut self, table: &DeTable<'_>, test_case: &mut TestCase) {
        let Some(variables) = self.table(table, "env") else {
            return;
        };
        for (name, value) in variables {
            let key = format!("env.{}", name.get_ref());
            let bytes = self.bytes(&key, value);
            let name = Named::text(&key, name);
            self.insert_env(test_case, name, value, bytes);
        }
    }

    fn raw_env(&mut self, table: &DeTable<'_>, test_case: &mut TestCase) {
        for (index, item) in self.tables(table, "raw_env") {
            let key = format!("raw_env[{index}]");
            self.known_keys(item, &key, &["name_hex", "value", "value_hex"]);
            let Some((name, at)) = self.name_hex(&key, item) else {
                continue;
            };
            let value = match (item.get("value"), item.get("value_hex")) {
                (Some(_), Some(second)) => {
                    self.problem(second, format!("{key} has both \"value\" and \"value_hex\""))
                }
                (Some(value), None) => self.bytes(&format!("{key}.value"), value),
                (None, Some(value)) => self.hex(&format!("{key}.value_hex"), value),
                (None, None) => self.problem(at, format!("{key} has no \"value\"")),
            };
            self.insert_env(test_case, Named::raw(&key, name), at, value);
        }
    }

    fn insert_env(
        &mut self,
        test_case: &mut TestCase,
        name: Named<'_>,
        at: &Value<'_>,
        value: Option<Vec<u8>>,
    ) {
        let key = name.key;
        let Some(name) = self.env_name(&name, at) else {
            return;
        };
        let Some(value) = value.and_then(|value| self.without_nul(key, at, value)) else {
            return;
        };
        if test_case.env.insert(name, value).is_some() {
            self.problem::<()>(at, format!("{key} is given twice"));
        }
    }

    fn env_name(&mut self, name: &Named<'_>, at: &Value<'_>) -> Option<Vec<u8>> {
        let key = name.key;
        match &name.bytes {
            bytes if bytes.is_empty() => self.problem(at, format!("{key} has an empty name")),
            bytes if bytes.contains(&0) => {
                self.problem(at, format!("the name of {key} has a NUL byte"))
            }
            bytes if bytes.contains(&b'=') => {
                self.problem(at, format!("the name of {key} has a \"=\""))
            }
            bytes => Some(bytes.to_vec()),
        }
    }

    fn files(&mut self, table: &DeTable<'_>, test_case: &mut TestCase) {
        let Some(files) = self.table(table, "files") else {
            return;
        };
        for (name, value) in files {
            let key = format!("files.{:?}", name.get_ref());
            let named = Named::text(&key, name);
            let entry = match value.get_ref() {
                DeValue::Table(fields) => self.entry(&named, value, fields, &[]),
                _ => self.file_contents(&named, value),
            };
            self.insert_file(test_case, &named, value, entry);
        }
    }

    fn file_contents(&mut self, name: &Named<'_>, value: &Value<'_>) -> Option<Entry> {
        let key = name.key;
        if name.is_directory() {
            return self.problem(value, format!("{key} is a directory and can only be {{}}"));
        }
        self.bytes(key, value).map(Entry::file)
    }

    fn raw_files(&mut self, table: &DeTable<'_>, test_case: &mut TestCase) {
        for (index, item) in self.tables(table, "raw_files") {
            let key = format!("raw_files[{index}]");
            let Some((name, at)) = self.name_hex(&key, item) else {
                continue;
            };
            let named = Named::raw(&key, name);
            let entry = self.entry(&named, at, item, &["name_hex"]);
            self.insert_file(test_case, &named, at, entry);
        }
    }

    /// An entry that is written as a table; `also` are the keys that belong to its name.
    fn entry(
        &mut self,
        name: &Named<'_>,
        at: &Value<'_>,
        fields: &DeTable<'_>,
        also: &[&str],
    ) -> Option<Entry> {
        let key = name.key;
        let known: Vec<&str> = also.iter().chain(&ENTRY_KEYS).copied().collect();
        if !self.known_keys(fields, key, &known) {
            return None;
        }
        let given: Vec<&str> = ["text", "hex", "symlink", "symlink_hex"]
            .into_iter()
            .filter(|field| fields.contains_key(*field))
            .collect();
        match (given.as_slice(), name.is_directory()) {
            ([], true) if !fields.contains_key("executable") => Some(Entry::Directory),
            (_, true) => self.problem(at, format!("{key} is a directory and can only be {{}}")),
            ([], false) => self.problem(at, missing_contents(key)),
            ([field], false) => self.entry_of(key, fields, field),
            ([first, second, ..], false) => {
                self.problem(at, format!("{key} has both {first:?} and {second:?}"))
            }
        }
    }

    fn entry_of(&mut self, key: &str, fields: &DeTable<'_>, field: &str) -> Option<Entry> {
        let value = fields.get(field)?;
        let key_of_field = format!("{key}.{field}");
        let bytes = match field {
            "hex" | "symlink_hex" => self.hex(&key_of_field, value),
            _ => self.bytes(&key_of_field, value),
        }?;
        match (field.starts_with("symlink"), fields.get("executable")) {
            (false, executable) => Some(Entry::File {
                data: bytes,
                executable: executable.is_some_and(|value| self.flag(key, value)),
            }),
            (true, None) => self.symlink(&key_of_field, value, bytes),
            (true, Some(value)) => {
                self.problem(value, format!("{key} is a symlink and cannot be executable"))
            }
        }
    }

    fn symlink(&mut self, key: &str, at: &Value<'_>, target: Vec<u8>) -> Option<Entry> {
        if target.is_empty() {
            return self.problem(at, format!("{key} must not be empty"));
        }
        self.without_nul(key, at, target).map(Entry::Symlink)
    }

    fn insert_file(
        &mut self,
        test_case: &mut TestCase,
        name: &Named<'_>,
        at: &Value<'_>,
        entry: Option<Entry>,
    ) {
        let path = match name.path() {
            Ok(path) => path.to_vec(),
            Err(message) => {
                let message = format!("{}: a file name {message}", name.key);
                return self.problem(at, message).unwrap_or_default();
            }
        };
        let Some(entry) = entry else { return };
        if test_case.files.insert(path, entry).is_some() {
            self.problem::<()>(at, format!("{} is given twice", name.key));
        }
    }

    /// Any bytes: a string, or a table with `text` or `hex`.
    fn bytes(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<u8>> {
        let fields = match value.get_ref() {
            DeValue::String(text) => return Some(text.as_bytes().to_vec()),
            DeValue::Table(fields) => fields,
            _ => return self.wrong_type(key, "a string or { hex = \"…\" }", value),
        };
        if !self.known_keys(fields, key, &BYTES_KEYS) {
            return None;
        }
        match (fields.get("text"), fields.get("hex")) {
            (Some(text), None) => {
                let text = self.string(&format!("{key}.text"), text)?;
                Some(text.as_bytes().to_vec())
            }
            (None, Some(digits)) => self.hex(&format!("{key}.hex"), digits),
            _ => self.problem(value, format!("{key} needs one of \"text\" and \"hex\"")),
        }
    }

    fn hex(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<u8>> {
        let digits = self.string(key, value)?;
        match hex::decode(digits) {
            Ok(bytes) => Some(bytes),
            Err(message) => self.problem(value, format!("{key} {message}")),
        }
    }

    fn name_hex<'t, 'a>(
        &mut self,
        key: &str,
        item: &'t DeTable<'a>,
    ) -> Option<(Vec<u8>, &'t Value<'a>)> {
        match item.get("name_hex") {
            Some(value) => Some((self.hex(&format!("{key}.name_hex"), value)?, value)),
            None => {
                let offset = item.keys().map(|key| key.span().start).min().unwrap_or(0);
                self.problem_at(offset, format!("{key} has no \"name_hex\""))
            }
        }
    }

    fn string<'t>(&mut self, key: &str, value: &'t Value<'_>) -> Option<&'t str> {
        match value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => self.wrong_type(key, "a string", value),
        }
    }

    fn flag(&mut self, key: &str, value: &Value<'_>) -> bool {
        match value.get_ref() {
            DeValue::Boolean(flag) => *flag,
            _ => {
                let key = format!("{key}.executable");
                self.wrong_type(&key, "true or false", value).unwrap_or_default()
            }
        }
    }

    fn array<'t, 'a>(&mut self, table: &'t DeTable<'a>, key: &str) -> Option<&'t [Value<'a>]> {
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::Array(items) => Some(items),
            _ => self.wrong_type(key, "an array", value),
        }
    }

    fn table<'t, 'a>(&mut self, table: &'t DeTable<'a>, key: &str) -> Option<&'t DeTable<'a>> {
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.wrong_type(key, "a table", value),
        }
    }

    fn tables<'t, 'a>(
        &mut self,
        table: &'t DeTable<'a>,
        key: &str,
    ) -> Vec<(usize, &'t DeTable<'a>)> {
        let mut tables = Vec::new();
        for (index, item) in self.array(table, key).into_iter().flatten().enumerate() {
            match item.get_ref() {
                DeValue::Table(table) => tables.push((index, table)),
                _ => {
                    self.wrong_type(&format!("{key}[{index}]"), "a table", item).unwrap_or_default()
                }
            }
        }
        tables
    }

    fn without_nul(&mut self, key: &str, at: &Value<'_>, bytes: Vec<u8>) -> Option<Vec<u8>> {
        match bytes.contains(&0) {
            true => {
                self.problem(at, format!("{key} has a NUL byte, which no program can be given"))
            }
            false => Some(bytes),
        }
    }

    /// Whether all keys are known; reports each that is not.
    fn known_keys(&mut self, table: &DeTable<'_>, within: &str, known: &[&str]) -> bool {
        let before = self.problems.len();
        for key in table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            let name = key.get_ref();
            let place = match within {
                "" => String::new(),
                within => format!(" in {within}"),
            };
            let hint = hint(name, within, known);
            let message = format!("key {name:?} is not known{place}; {hint}");
            self.problem_at::<()>(key.span().start, message);
        }
        self.problems.len() == before
    }

    fn wrong_type<T>(&mut self, key: &str, wanted: &str, value: &Value<'_>) -> Option<T> {
        let found = value.get_ref().type_str();
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        self.problem(value, format!("{key} must be {wanted}, not {article} {found}"))
    }

    fn problem<T>(&mut self, at: &Value<'_>, message: impl Into<String>) -> Option<T> {
        self.problem_at(at.span().start, message)
    }

    fn problem_at<T>(&mut self, offset: usize, message: impl Into<String>) -> Option<T> {
        let problem = Problem::at(self.text.as_bytes(), offset, message);
        self.problems.push(problem);
        None
    }
}

/// The name of a file or variable, and the key that messages call it by.
struct Named<'a> {
    key: &'a str,
    bytes: Cow<'a, [u8]>,
}

impl<'a> Named<'a> {
    fn text(key: &'a str, name: &'a Spanned<toml::de::DeString<'_>>) -> Named<'a> {
        Named { key, bytes: Cow::Borrowed(name.get_ref().as_bytes()) }
    }

    fn raw(key: &'a str, bytes: Vec<u8>) -> Named<'a> {
        Named { key, bytes: Cow::Owned(bytes) }
    }

    fn is_directory(&self) -> bool {
        self.bytes.ends_with(b"/")
    }

    /// The name as a path that cannot leave the working directory and has only one spelling. The
    /// error fits after "a file name".
    fn path(&self) -> Result<&[u8], &'static str> {
        if self.bytes.contains(&0) {
            return Err("cannot have a NUL byte");
        }
        if self.bytes.starts_with(b"/") {
            return Err("must be relative to the working directory");
        }
        let path = self.bytes.strip_suffix(b"/").unwrap_or(&self.bytes);
        let mut components = path.split(|&byte| byte == b'/');
        match components.find(|component| matches!(*component, b"" | b"." | b"..")) {
            None => Ok(path),
            Some(b"..") => {
                Err("must stay in the working directory, so \"..\" cannot be part of it")
            }
            Some(_) if path.is_empty() => Err("cannot be empty"),
            Some(_) => Err("has one spelling only, without \".\" or \"//\""),
        }
    }
}

fn missing_contents(key: &str) -> String {
    format!(
        "{key} needs \"text\", \"hex\" or \"symlink\"; an empty file is \"\", \
         and the name of a directory ends in \"/\""
    )
}

fn no_part(key: &str, written: &[u8]) -> String {
    let words = fixed::PLAIN.map(|(word, _)| word);
    let nearest = std::str::from_utf8(written).ok().and_then(|word| suggest::nearest(word, &words));
    let hint = match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => format!("what can be fixed: {}", fixed::FORMS),
    };
    format!("{key} is {}, which is no part of a test; {hint}", quoted(written))
}

fn quoted(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes))
}

/// The hint after "key … is not known".
fn hint(name: &str, within: &str, known: &[&str]) -> String {
    let hint = match suggest::nearest(name, known) {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => format!("known here: {}", known.join(", ")),
    };
    // `a.txt = "x"` without quotes is a key `txt` in a table `a`.
    match within.strip_prefix("files.") {
        Some(file) => {
            let file = file.trim_matches('"');
            format!("{hint} (if the name of the file is \"{file}.{name}\", quote it)")
        }
        None => hint,
    }
}
