//! On what it was measured, in one line.

use std::fs;

/// Processor, number of processors, memory, system; what is not known is left out.
pub(crate) fn line() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let parts = [
        field(&read("/proc/cpuinfo"), "model name"),
        (cores > 0).then(|| format!("{cores} processors")),
        field(&read("/proc/meminfo"), "MemTotal").and_then(|kib| memory(&kib)),
        Some(format!("{} {}", std::env::consts::OS, read("/proc/sys/kernel/osrelease").trim())),
        read("/proc/loadavg").split(' ').next().map(|load| format!("load {load} at the end")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    values.next().map(str::to_owned)
}

fn memory(kib: &str) -> Option<String> {
    let kib: u64 = kib.strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{} GiB", (kib + 512 * 1024) >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel name\t: Other\n";
        assert_eq!(field(text, "model name").as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(field(text, "model"), None);
        assert_eq!(memory("25165000 kB").as_deref(), Some("24 GiB"));
    }
}
