//! Bars of blocks, to an eighth of a column.

/// Eighths of a column.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar as long as `value` beside `most`, which takes `columns`; something is shown of everything over 0.
pub(crate) fn bar(value: f64, most: f64, columns: usize) -> String {
    if value <= 0.0 || most <= 0.0 || columns == 0 {
        return String::new();
    }
    let eighths = ((value / most).min(1.0) * (columns * 8) as f64).round().max(1.0) as usize;
    let part = PARTS.get(eighths % 8).copied().unwrap_or_default();
    "█".repeat(eighths / 8) + part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_value_beside_the_most() {
        let bar = |value, most| bar(value, most, 12);
        assert_eq!(bar(50.0, 50.0), "█".repeat(12));
        assert_eq!(bar(25.0, 50.0), "█".repeat(6));
        assert_eq!(bar(1.0, 96.0), "▏");
        assert_eq!(bar(13.0, 96.0), "█▋");
        assert_eq!(bar(0.001, 50.0), "▏");
        assert_eq!(bar(0.0, 50.0) + &bar(-1.0, 50.0) + &bar(0.0, 0.0), "");
        assert_eq!(super::bar(1.0, 1.0, 0), "");
    }
}
