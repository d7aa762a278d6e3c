//! A git revision, checked out where it cannot disturb the user.
//!
//! A clone borrows the repository's objects: a `git worktree` would leave its mark in the user's
//! `.git`, and an exported archive would have no history for builds that ask for it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::version::VersionError;

/// Variables by which a hook of git tells git where the user's repository is.
const GIT_VARIABLES: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG_PARAMETERS",
];

/// The commit that the user means, in the repository of the current directory.
pub(crate) fn resolve(revision: &str) -> Result<String, VersionError> {
    let error = |why: &str| VersionError::Revision { revision: revision.into(), why: why.into() };
    if git(&["rev-parse", "--git-dir"]).is_err() {
        return Err(error("this is neither a path nor inside a git repository"));
    }
    let commit = format!("{revision}^{{commit}}");
    git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
        .map_err(|_| error("the repository has no such revision"))
}

/// The user's directory, relative to the top of the repository.
pub(crate) fn current_folder() -> io::Result<PathBuf> {
    git(&["rev-parse", "--show-prefix"]).map(PathBuf::from)
}

/// The treatment of submodules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Submodules {
    /// They are checked out. A submodule that is not available is left out with a note: the build
    /// may not need it.
    #[default]
    Wanted,
    /// They are left out.
    Ignored,
}

/// Checks a commit out at `tree`; returns what is lacking there.
pub(crate) fn check_out(
    commit: &str,
    tree: &Path,
    submodules: Submodules,
) -> io::Result<Vec<String>> {
    let repository = git(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    fs::create_dir(tree)?;
    let place = tree.to_string_lossy();
    git_in(tree, &["clone", "--quiet", "--shared", "--no-checkout", &repository, &place])?;
    git_in(tree, &["checkout", "--quiet", "--detach", commit])?;
    match submodules {
        Submodules::Wanted if tree.join(".gitmodules").is_file() => {
            Ok(check_out_submodules(Path::new(&repository), tree))
        }
        Submodules::Wanted | Submodules::Ignored => Ok(Vec::new()),
    }
}

/// Checks out each submodule; returns those that could not be checked out.
fn check_out_submodules(repository: &Path, tree: &Path) -> Vec<String> {
    let listed = ["config", "--file", ".gitmodules", "--get-regexp", r"\.path$"];
    let listed = match git_in(tree, &listed) {
        Ok(listed) => listed,
        Err(why) => return vec![lacking("its submodules", &why)],
    };
    let named = listed.lines().filter_map(|line| line.split_once(".path "));
    let failed = named.filter_map(|(name, path)| {
        check_out_submodule(repository, tree, name, path).err().map(|why| (path, why))
    });
    failed.map(|(path, why)| lacking(&format!("the submodule {path}"), &why)).collect()
}

/// A submodule comes from the user's own copy of it where there is one.
fn check_out_submodule(repository: &Path, tree: &Path, name: &str, path: &str) -> io::Result<()> {
    let copy = repository.join("modules").join(name.trim_start_matches("submodule."));
    if copy.is_dir() {
        git_in(tree, &["config", &format!("{name}.url"), &copy.to_string_lossy()])?;
    }
    let update = ["submodule", "--quiet", "update", "--init", "--recursive", "--", path];
    git_in(tree, &[&["-c", "protocol.file.allow=always"], &update[..]].concat()).map(drop)
}

/// The last line that git prints is the final failure, and the lines before it are its cause.
fn lacking(what: &str, why: &io::Error) -> String {
    let why = why.to_string();
    let told = why.lines().find(|line| line.contains("fatal:")).or(why.lines().next());
    let told = told.unwrap_or_default().trim_start_matches("fatal: ");
    format!(
        "{what} cannot be checked out and is left out: {told} (--no-submodules does not try, \
         --rebuild tries again)"
    )
}

/// Runs git in the repository that the user is in.
fn git(words: &[&str]) -> io::Result<String> {
    ask_git(Command::new("git").args(words), words)
}

/// Runs git in a repository of ours, whatever a hook says about the user's.
fn git_in(directory: &Path, words: &[&str]) -> io::Result<String> {
    let mut command = Command::new("git");
    forget_hooks(&mut command);
    // A question for a password would wait for ever.
    command.env("GIT_TERMINAL_PROMPT", "0");
    ask_git(command.args(words).current_dir(directory), words)
}

/// Removes what a hook of git says about the user's repository: in ours it would be wrong, and
/// would let our commands work on theirs.
pub(crate) fn forget_hooks(command: &mut Command) {
    for name in GIT_VARIABLES {
        command.env_remove(name);
    }
}

fn ask_git(command: &mut Command, words: &[&str]) -> io::Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_string());
    }
    let why = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    Err(io::Error::other(format!("git {}: {why}", words.join(" "))))
}
