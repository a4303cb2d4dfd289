//! Input of `build` from other programs: tuples of any bytes become records in book order, and a book that is written as text
//! and read back stays the same.
#![no_main]

use book_tools::aggregate::{Records, Rules};
use book_tools::text;
use book_tools::tuple::{TUPLE_BYTES, Tuple};
use chuhe::book::{About, Record, Writer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut tuples: Vec<Tuple> = bytes.chunks_exact(TUPLE_BYTES).map(bytemuck::pod_read_unaligned).collect();
    tuples.sort();
    let records: Vec<Record> =
        Records::new(tuples.into_iter().map(Ok), Rules::default()).map(|record| record.expect("no file")).collect();
    let mut writer = Writer::new(std::io::Cursor::new(vec![]), About::default()).expect("there is memory");
    for record in &records {
        writer.push(*record).expect("records are in order");
    }
    writer.finish().expect("there is memory");
    let lines: String = records.iter().map(|record| text::line(record) + "\n").collect();
    let (_, again) = text::read(&(text::header(&About::default()) + "\n" + &lines)).expect("it is its own format");
    assert_eq!(again, records);
    if let Ok(any) = str::from_utf8(bytes) {
        let _ = text::read(any);
    }
});
