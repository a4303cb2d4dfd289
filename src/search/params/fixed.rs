//! Parameters as constants: what every build gets that is not made for tuning.

/// Declares the parameters: each becomes a `const fn`, its range is checked by the compiler.
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

        /// Those that can be set: none.
        pub fn parameters<H>() -> Vec<Parameter<H>> {
            Vec::new()
        }
    };
}
