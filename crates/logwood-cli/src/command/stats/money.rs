//! Amounts as a person reads them.

use logwood::statistics::{Money, Totals};

/// `$12.34`, under a dollar `$0.1234`.
pub(super) fn dollars(amount: Money) -> String {
    let dollars = amount.dollars();
    match dollars {
        _ if amount.is_zero() => "$0".to_owned(),
        0.0..0.000_05 => "<$0.0001".to_owned(),
        0.0..0.999_95 => format!("${dollars:.4}"),
        _ => format!("${dollars:.2}"),
    }
}

/// The cost of a row: `≥` where more was paid than is known, `?` where nothing is known.
pub(super) fn cost(totals: &Totals) -> String {
    match (totals.is_lower_bound(), totals.cost.is_zero()) {
        (true, true) => "?".to_owned(),
        (true, false) => format!("≥{}", dollars(totals.cost)),
        (false, _) => dollars(totals.cost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dollars: f64) -> Money {
        Money::from_dollars(dollars).unwrap()
    }

    #[test]
    fn small_amounts_have_more_digits() {
        let amounts = [0.0, 0.00001, 0.0001, 0.12344, 0.99994, 0.99996, 12.345, 1234.5];
        let texts =
            ["$0", "<$0.0001", "$0.0001", "$0.1234", "$0.9999", "$1.00", "$12.35", "$1234.50"];
        for (amount, text) in amounts.into_iter().zip(texts) {
            assert_eq!(dollars(of(amount)), text);
        }
    }

    #[test]
    fn what_is_unknown_is_not_nothing() {
        let totals =
            |cost: f64, without_cost| Totals { cost: of(cost), without_cost, ..Totals::default() };
        assert_eq!(cost(&totals(0.5, 0)), "$0.5000");
        assert_eq!(cost(&totals(0.5, 2)), "≥$0.5000");
        assert_eq!(cost(&totals(0.0, 2)), "?");
        assert_eq!(cost(&totals(0.0, 0)), "$0");
    }
}
