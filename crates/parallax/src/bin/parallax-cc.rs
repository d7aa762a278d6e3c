//! `parallax-cc`, and under other names `parallax-c++` and the recorder: see the crates behind it.

fn main() -> std::process::ExitCode {
    if let Some(status) = parallax_record::recorder_main_if_recorder() {
        return u8::try_from(status).unwrap_or(1).into();
    }
    let mut words = std::env::args_os();
    let name = words.next().unwrap_or_default();
    parallax_capture::driver::main(&name, &words.collect::<Vec<_>>()).into()
}
