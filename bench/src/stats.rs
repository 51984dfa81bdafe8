//! The middle and the ends of a few samples.

/// What is said of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

/// None without a sample.
pub(crate) fn summary(samples: impl IntoIterator<Item = f64>) -> Option<Summary> {
    let mut sorted: Vec<f64> = samples.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    let odd = sorted.len() % 2 == 1;
    let lower = if odd { upper } else { *sorted.get(middle.checked_sub(1)?)? };
    let median = f64::midpoint(lower, upper);
    Some(Summary { median, min: *sorted.first()?, max: *sorted.last()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        let wanted = Summary { median: 3.0, min: 1.0, max: 90.0 };
        assert_eq!(summary([90.0, 1.0, 3.0, 2.0, 4.0]), Some(wanted));
    }

    #[test]
    fn of_an_even_number_it_is_between_the_two_in_the_middle() {
        assert_eq!(summary([4.0, 1.0, 2.0, 9.0]).unwrap().median, 3.0);
        assert_eq!(summary([7.0]).unwrap().median, 7.0);
    }

    #[test]
    fn of_nothing_there_is_none() {
        assert_eq!(summary([]), None);
    }
}
