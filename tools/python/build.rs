//! Lets the symbols of the interpreter stay open on macOS, as an extension module needs.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
