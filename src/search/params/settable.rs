//! Parameters that can be set while the program runs, for builds with the feature `tune`.

/// Declares the parameters: each becomes a function that reads its current value, and a row of `parameters`.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal, $range:expr;)*) => {
        mod values {
            use std::sync::atomic::AtomicI32;

            $(
                #[expect(non_upper_case_globals, reason = "it bears the parameter's name")]
                pub(super) static $name: AtomicI32 = AtomicI32::new($value);
            )*
        }

        $(
            $(#[$doc])*
            pub(crate) fn $name() -> i32 {
                const VALUE: i32 = $value;
                const RANGE: std::ops::RangeInclusive<i32> = $range;
                const { assert!(VALUE >= *RANGE.start() && VALUE <= *RANGE.end()) }
                // Relaxed: nothing is published through it, and it is set only while no search runs.
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Returns every parameter.
        pub fn parameters<H>() -> Vec<Parameter<H>> {
            vec![$(
                Parameter {
                    name: stringify!($name),
                    default: $value,
                    range: $range,
                    set: |_, value| {
                        let value = i32::try_from(value).unwrap_or($value).clamp(*$range.start(), *$range.end());
                        values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    },
                },
            )*]
        }
    };
}
