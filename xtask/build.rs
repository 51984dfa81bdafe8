//! Tells the chores for which platform they were built.

fn main() {
    let host = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=LOGWOOD_HOST={host}");
}
