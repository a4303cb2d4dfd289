//! The misbehaving engine, built for the tests of this crate under its own name.

fn main() {
    chuhe_engines::zoo::run();
}
