//! Tells the chores for which platform they were built.

#[expect(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
fn main() {
    let host = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=LOGWOOD_HOST={host}");
}
