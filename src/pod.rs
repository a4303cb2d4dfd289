//! Structs that are read from files and written to files as their bytes.
//!
//! The derive macros of `bytemuck` and `thiserror` need `syn`, a parser for Rust, which would take as long to build as all that
//! boards, rules, books and tablebases need. The modules that build without the engine do without these macros.

/// Defines structs in C's layout that are [`bytemuck::Pod`], and checks what this demands when they are compiled.
macro_rules! pod {
    ($($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $type,)*
        }

        const _: () = {
            const fn is_pod<T: bytemuck::Pod>() {}
            $(is_pod::<$type>();)*
            assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())*, "there is a gap between the fields");
        };

        // SAFETY: every field is `Pod` and so may be zero.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::Zeroable for $name {}

        // SAFETY: the layout is C's, every field is `Pod`, and the size leaves no gap, as has been checked above.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::Pod for $name {}
    )*};
}

pub(crate) use pod;
