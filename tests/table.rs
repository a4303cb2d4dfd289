//! Stress test of the table: many threads, few lines, and entries that reveal a torn key and data pair.
#![cfg(feature = "engine")]

use std::num::NonZeroU16;
use std::sync::Arc;
use std::thread;

use chuhe::smp::table::{Bound, Entry, Table};

const THREADS: u64 = 4;
const ROUNDS: u64 = if cfg!(miri) { 100 } else { 300_000 };
/// Number of keys, all in the first two lines, so that stores collide all the time.
const KEYS: u64 = 24;

fn scramble(number: u64) -> u64 {
    let mixed = (number ^ number >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ mixed >> 32
}

/// Returns a key. The keys differ in their low bits; the high bits, which choose the line, are nearly equal.
fn key(number: u64) -> u64 {
    (number % 2) << 50 | scramble(number % KEYS) >> 16
}

/// Returns the entry for a key; every field follows from the key.
fn entry_of(key: u64) -> Entry {
    let name = scramble(key + 1);
    let [low, high, depth, rest, ..] = name.to_le_bytes();
    let score = i16::from_le_bytes([low, high]);
    Entry {
        mv: NonZeroU16::new(u16::from(rest) + 1),
        score,
        eval: Some(score.wrapping_neg() | 1),
        depth,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(rest) % 3],
        tt_pv: rest >= 128,
    }
}

/// Stores and probes at random, and returns the number of hits.
fn hammer(table: &Table, seed: u64) -> u64 {
    let mut hits = 0;
    for round in 0..ROUNDS {
        let choice = scramble(seed << 40 | round);
        let (stored, probed) = (key(choice), key(choice >> 20));
        let entry = entry_of(stored);
        let mv = entry.mv.filter(|_| choice >> 40 & 1 == 0);
        table.store(stored, Entry { mv, ..entry });
        if let Some(found) = table.probe(probed) {
            let mv = entry_of(probed).mv;
            assert!(found.mv.is_none() || found.mv == mv, "{probed:?} found the move of another key");
            assert_eq!(Entry { mv, ..found }, entry_of(probed), "{probed:?} found what another key had stored");
            hits += 1;
        }
    }
    hits
}

#[test]
fn a_key_never_finds_what_another_key_stored() {
    let table = &Table::new(1).unwrap();
    let hits: u64 = thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || hammer(table, seed))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no mixture was found")).sum()
    });
    assert!(hits > ROUNDS / 100, "{hits} hits prove little");
}

#[test]
fn its_only_owner_may_clear_and_resize_it_between_searches() {
    let mut table = Arc::new(Table::new(1).unwrap());
    for mebibytes in [1, 2] {
        let workers: Vec<_> = (0..2)
            .map(|seed| {
                let table = Arc::clone(&table);
                thread::spawn(move || hammer(&table, seed))
            })
            .collect();
        // The next search begins while the workers are still running.
        table.advance_age();
        workers.into_iter().for_each(|worker| assert!(worker.join().unwrap() > 0));
        let owned = Arc::get_mut(&mut table).expect("the workers are gone");
        owned.clear(2);
        assert!((0..KEYS).all(|number| owned.probe(key(number)).is_none()));
        owned.resize(mebibytes).unwrap();
        assert_eq!(table.mebibytes(), mebibytes);
    }
}
