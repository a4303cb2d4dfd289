//! The misbehaving test engine, built for the tests of this crate under a name of its own.

fn main() {
    chuhe_engines::zoo::run();
}
