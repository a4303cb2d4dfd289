//! SQLite files, read only: the rows of one table, a page at a time. Layout: "Database File Format" on sqlite.org.

use std::borrow::Cow;
use std::io::{Read, Seek, SeekFrom};

use super::super::error::Fault;

/// First bytes of every SQLite file.
pub(in crate::book) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Bytes of the file's header, in front of the first page's own one.
const HEADER: usize = 100;
/// Limits of a page's size, in bytes.
const PAGES: std::ops::RangeInclusive<usize> = 512..=65_536;
/// Fewest bytes of a page that SQLite leaves to its contents.
const LEAST_USABLE: usize = 480;
/// Longest part of a row that is read; the columns of a book are shorter, save for remarks, which come last.
const LONGEST_ROW: usize = 64 << 10;
/// Types of the pages of a table's tree.
const INTERIOR: u8 = 0x05;
const LEAF: u8 = 0x0D;

/// An open database.
pub(super) struct Sqlite<R> {
    file: R,
    page_bytes: usize,
    /// Bytes of a page without those reserved for extensions.
    usable: usize,
    pages: u64,
    encoding: Encoding,
}

/// Encoding of all texts of a database.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// A table: its tree, and the names of its columns.
pub(super) struct Table {
    root: u32,
    pub(super) columns: Vec<String>,
}

/// Value of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a [u8]),
    Blob,
}

fn damaged() -> Fault {
    Fault::Database("it is damaged")
}

impl<R: Read + Seek> Sqlite<R> {
    pub(super) fn open(mut file: R) -> Result<Self, Fault> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|_| damaged())?;
        let page_bytes = match u16::from_be_bytes([header[16], header[17]]) {
            1 => *PAGES.end(),
            bytes => bytes.into(),
        };
        let usable = page_bytes.saturating_sub(header[20].into());
        let encoding = match header[59] {
            0 | 1 => Encoding::Utf8,
            2 => Encoding::Utf16Le,
            3 => Encoding::Utf16Be,
            _ => return Err(damaged()),
        };
        if !header.starts_with(MAGIC)
            || !page_bytes.is_power_of_two()
            || !PAGES.contains(&page_bytes)
            || usable < LEAST_USABLE
        {
            return Err(damaged());
        }
        if header[19] > 2 {
            return Err(Fault::Database("it was made for a newer version of SQLite"));
        }
        Ok(Self { file, page_bytes, usable, pages: length / page_bytes as u64, encoding })
    }

    /// Returns the first table with one of these names, in any case.
    pub(super) fn table(&mut self, names: &[&str]) -> Result<Option<Table>, Fault> {
        let (mut found, encoding) = (None, self.encoding);
        self.rows_of_tree(1, &mut |payload| {
            let mut values = values(payload);
            let mut text = || match values.next() {
                Some(Value::Text(bytes)) => encoding.decode(bytes),
                _ => String::new(),
            };
            let (kind, name, _) = (text(), text(), text());
            let root = match values.next() {
                Some(Value::Integer(root)) => u32::try_from(root).unwrap_or(0),
                _ => 0,
            };
            let sql = match values.next() {
                Some(Value::Text(bytes)) => encoding.decode(bytes),
                _ => String::new(),
            };
            if kind == "table" && found.is_none() && names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)) {
                found = Some(Table { root, columns: columns(&sql) });
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls `visit` with the contents of every row, for [`values`].
    pub(super) fn rows(
        &mut self,
        table: &Table,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.rows_of_tree(table.root, visit)
    }

    fn rows_of_tree(&mut self, root: u32, visit: &mut dyn FnMut(&[u8]) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut waiting = vec![root];
        let mut visited = 0;
        let mut page = vec![0; self.page_bytes];
        while let Some(number) = waiting.pop() {
            visited += 1;
            // Every page has one parent: more pages than the file has are a cycle.
            if visited > self.pages || waiting.len() as u64 > self.pages {
                return Err(damaged());
            }
            self.read_page(number, &mut page)?;
            let start = if number == 1 { HEADER } else { 0 };
            let header = Header::read(&page, start).ok_or_else(damaged)?;
            if header.is_leaf {
                for cell in header.cells(&page) {
                    let payload = self.payload(&page, cell.ok_or_else(damaged)?)?;
                    visit(&payload)?;
                }
            } else {
                waiting.push(header.rightmost);
                let children = header.cells(&page).map(|cell| number_at(&page, cell?));
                waiting.extend(children.rev().collect::<Option<Vec<u32>>>().ok_or_else(damaged)?);
            }
        }
        Ok(())
    }

    fn read_page(&mut self, number: u32, page: &mut [u8]) -> Result<(), Fault> {
        if number == 0 || u64::from(number) > self.pages {
            return Err(damaged());
        }
        self.file.seek(SeekFrom::Start(u64::from(number - 1) * self.page_bytes as u64))?;
        Ok(self.file.read_exact(page)?)
    }

    /// Returns the contents of a row: from its page, and from the pages where a long one continues.
    fn payload<'a>(&mut self, page: &'a [u8], cell: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let (length, after_length) = varint(page, cell).ok_or_else(damaged)?;
        let (_, start) = varint(page, after_length).ok_or_else(damaged)?;
        let length = usize::try_from(length).map_err(|_| damaged())?;
        let local = self.local_bytes(length);
        let here = page.get(start..start + local).ok_or_else(damaged)?;
        if local == length {
            return Ok(Cow::Borrowed(here));
        }
        let wanted = length.min(LONGEST_ROW);
        let mut payload = here[..local.min(wanted)].to_vec();
        let mut next = number_at(page, start + local).ok_or_else(damaged)?;
        let mut more = vec![0; self.page_bytes];
        while payload.len() < wanted {
            self.read_page(next, &mut more)?;
            next = number_at(&more, 0).ok_or_else(damaged)?;
            let taken = (wanted - payload.len()).min(self.usable - 4);
            payload.extend(&more[4..4 + taken]);
        }
        Ok(Cow::Owned(payload))
    }

    /// Returns how many bytes of a row of this length are on its page.
    fn local_bytes(&self, length: usize) -> usize {
        let most = self.usable - 35;
        if length <= most {
            return length;
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let fitting = least + (length - least) % (self.usable - 4);
        if fitting <= most { fitting } else { least }
    }

    /// Decodes a text.
    pub(super) fn decoder(&self) -> impl Fn(&[u8]) -> String + use<R> {
        let encoding = self.encoding;
        move |bytes| encoding.decode(bytes)
    }
}

impl Encoding {
    fn decode(self, bytes: &[u8]) -> String {
        let words = |read: fn([u8; 2]) -> u16| {
            let words: Vec<u16> = bytes.as_chunks().0.iter().map(|&pair| read(pair)).collect();
            String::from_utf16_lossy(&words)
        };
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Utf16Le => words(u16::from_le_bytes),
            Self::Utf16Be => words(u16::from_be_bytes),
        }
    }
}

/// Header of a page of a table's tree.
struct Header {
    is_leaf: bool,
    cells: usize,
    /// Offset of the list of cells.
    list: usize,
    /// Last child of an interior page.
    rightmost: u32,
}

impl Header {
    fn read(page: &[u8], start: usize) -> Option<Self> {
        let cells = u16::from_be_bytes([*page.get(start + 3)?, *page.get(start + 4)?]).into();
        match *page.get(start)? {
            LEAF => Some(Self { is_leaf: true, cells, list: start + 8, rightmost: 0 }),
            INTERIOR => Some(Self { is_leaf: false, cells, list: start + 12, rightmost: number_at(page, start + 8)? }),
            _ => None,
        }
    }

    /// Returns the offsets of the cells; `None` for one that is not on the page.
    fn cells(&self, page: &[u8]) -> impl DoubleEndedIterator<Item = Option<usize>> {
        let list = self.list;
        (0..self.cells).map(move |index| {
            let at = list + 2 * index;
            let bytes = page.get(at..at + 2)?;
            Some(u16::from_be_bytes([bytes[0], bytes[1]]).into())
        })
    }
}

fn number_at(page: &[u8], at: usize) -> Option<u32> {
    page.get(at..)?.first_chunk().map(|&bytes| u32::from_be_bytes(bytes))
}

/// Reads an integer of one to nine bytes, seven bits each, and all eight of the ninth; returns it and the offset after it.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0;
    for index in 0..8 {
        let byte = *bytes.get(at + index)?;
        number = number << 7 | u64::from(byte & 0x7F);
        if byte < 0x80 {
            return Some((number, at + index + 1));
        }
    }
    Some((number << 8 | u64::from(*bytes.get(at + 8)?), at + 9))
}

/// Returns the values of a row, in the order of the table's columns. A row that is cut off or damaged ends early.
pub(super) fn values(payload: &[u8]) -> impl Iterator<Item = Value<'_>> {
    let (header, mut kind_at) = varint(payload, 0).unwrap_or_default();
    let header = usize::try_from(header).unwrap_or(usize::MAX);
    let mut at = header;
    std::iter::from_fn(move || {
        if kind_at >= header {
            return None;
        }
        let (kind, next) = varint(payload, kind_at)?;
        kind_at = next;
        let bytes = match kind {
            0..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            8..=11 => 0,
            _ => usize::try_from((kind - 12) / 2).ok()?,
        };
        let end = at.checked_add(bytes)?;
        let stored = payload.get(at..end)?;
        at = end;
        Some(match kind {
            0 | 10 | 11 => Value::Null,
            7 => Value::Real(f64::from_bits(u64::from_be_bytes(*stored.first_chunk()?))),
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            1..=6 => Value::Integer(integer(stored)),
            _ if kind % 2 == 1 => Value::Text(stored),
            _ => Value::Blob,
        })
    })
}

/// Reads a signed number of up to eight bytes, most significant first.
fn integer(bytes: &[u8]) -> i64 {
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    bytes.iter().fold(if negative { -1 } else { 0 }, |number, &byte| number << 8 | i64::from(byte))
}

/// Returns the names of the columns in `CREATE TABLE name (...)`.
fn columns(sql: &str) -> Vec<String> {
    let body = sql.split_once('(').map_or("", |(_, body)| body);
    let (mut depth, mut names, mut definition) = (0_usize, vec![], String::new());
    let mut quote = None;
    for c in body.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '`' | '\'') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => break,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                names.push(name(&std::mem::take(&mut definition)));
                continue;
            }
            _ => {}
        }
        definition.push(c);
    }
    names.push(name(&definition));
    names
}

/// Returns the name at the front of a column's definition.
fn name(definition: &str) -> String {
    let text = definition.trim_start();
    let quoted = [('"', '"'), ('`', '`'), ('[', ']'), ('\'', '\'')];
    for (open, close) in quoted {
        if let Some(rest) = text.strip_prefix(open) {
            return rest.split(close).next().unwrap_or_default().to_owned();
        }
    }
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_in_many_ways() {
        let sql = "CREATE TABLE \"bhobk\" (id INTEGER PRIMARY KEY, [vkey], `vmove` INTEGER DEFAULT (1, 2),\n\
                   \"vscore, old\" INT, vwin, PRIMARY KEY (id))";
        assert_eq!(columns(sql), ["id", "vkey", "vmove", "vscore, old", "vwin", "PRIMARY"]);
        assert_eq!(columns(""), [""]);
    }

    #[test]
    fn numbers_have_all_lengths() {
        for (bytes, expected) in [(&[0x7F][..], (0x7F, 1)), (&[0x81, 0x00], (0x80, 2)), (&[0xFF; 9], (u64::MAX, 9))] {
            assert_eq!(varint(bytes, 0), Some(expected));
        }
        assert_eq!(varint(&[0x81], 0), None);
        assert_eq!([integer(&[0xFF]), integer(&[0x01, 0x00]), integer(&[0x80, 0, 0])], [-1, 256, -8_388_608]);
        // NULL, one, 1.5, a text of two letters.
        let payload = [5, 0, 9, 7, 17, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, b'a', b'b'];
        let expected = [Value::Null, Value::Integer(1), Value::Real(1.5), Value::Text(b"ab")];
        assert_eq!(values(&payload).collect::<Vec<_>>(), expected);
        assert_eq!(values(&payload[..14]).count(), 3);
    }
}
