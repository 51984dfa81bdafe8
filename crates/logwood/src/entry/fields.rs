//! How the typed views are written down: a type over raw JSON with one method for each member.

/// Defines views. Each is `Copy`, borrows its text, and decodes a member when its method is called; a member that is missing or of
/// another type is none. Kinds: `str` text, `f64` number, `bool` boolean, `raw` any value, `truthy` true where JavaScript would say so.
macro_rules! views {
    ($(
        $(#[$meta:meta])*
        $name:ident { $( $(#[$doc:meta])* $method:ident: $kind:ident = $key:literal, )* }
    )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name<'a>(pub(in crate::entry) $crate::json::Raw<'a>);

        impl<'a> $name<'a> {
            /// The JSON it reads from, with every member that has no method here.
            pub fn raw(self) -> $crate::json::Raw<'a> {
                self.0
            }
            $(
                $(#[$doc])*
                pub fn $method(self) -> $crate::entry::fields::views!(@type $kind) {
                    $crate::entry::fields::views!(@read $kind, self.0.get($key))
                }
            )*
        }
    )* };
    (@type str) => { Option<std::borrow::Cow<'a, str>> };
    (@type f64) => { Option<f64> };
    (@type bool) => { Option<bool> };
    (@type raw) => { Option<$crate::json::Raw<'a>> };
    (@type truthy) => { bool };
    (@read str, $value:expr) => { $value.and_then($crate::json::Raw::as_str) };
    (@read f64, $value:expr) => { $value.and_then($crate::json::Raw::as_f64) };
    (@read bool, $value:expr) => { $value.and_then($crate::json::Raw::as_bool) };
    (@read raw, $value:expr) => { $value };
    (@read truthy, $value:expr) => { $value.is_some_and($crate::json::Raw::is_truthy) };
}

pub(in crate::entry) use views;
