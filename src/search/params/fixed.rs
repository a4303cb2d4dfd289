//! Parameters as constants, for all builds except those for tuning.

/// Declares the parameters: each becomes a `const fn`, and the compiler checks its range.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal, $range:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) const fn $name() -> i32 {
                const VALUE: i32 = $value;
                const RANGE: std::ops::RangeInclusive<i32> = $range;
                const { assert!(VALUE >= *RANGE.start() && VALUE <= *RANGE.end()) }
                VALUE
            }
        )*

        /// Returns the settable parameters: none.
        pub fn parameters<H>() -> Vec<Parameter<H>> {
            Vec::new()
        }
    };
}
