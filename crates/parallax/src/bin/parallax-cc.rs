//! `parallax-cc`, and by other names `parallax-c++` and the recorder: see the crates behind it.

fn main() -> std::process::ExitCode {
    let mut words = std::env::args_os();
    let name = words.next().unwrap_or_default();
    parallax_capture::driver::main(&name, &words.collect::<Vec<_>>()).into()
}
