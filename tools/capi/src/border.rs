//! The border to C: texts in and out, faults, panics.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Result of a function behind the border: the message says what is wrong.
pub(crate) type Checked<T> = Result<T, String>;

/// Runs a function of the interface; after an error or a panic it returns `failed`, and the message is kept for the caller.
pub(crate) fn checked<T>(failed: T, work: impl FnOnce() -> Checked<T>) -> T {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_text(&*panic)));
    done.unwrap_or_else(|message| {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        LAST_ERROR.with(|last| *last.borrow_mut() = message);
        failed
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("internal error: {}", text.unwrap_or("unknown"))
}

/// Returns the message of the last error on this thread, or an empty text. It is valid until the thread's next error.
#[unsafe(no_mangle)]
pub extern "C" fn chuhe_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// Reads a text.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero byte and does not change meanwhile.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Checked<&'a str> {
    if text.is_null() {
        return Err(format!("{what} is NULL"));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| format!("{what} is not UTF-8"))
}

/// Borrows an object of the caller.
///
/// # Safety
/// `object` is null or points to a living object that does not change meanwhile.
pub(crate) unsafe fn object<'a, T>(object: *const T, what: &str) -> Checked<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { object.as_ref() }.ok_or_else(|| format!("{what} is NULL"))
}

/// Borrows an object of the caller to change it.
///
/// # Safety
/// `object` is null or points to a living object without other users meanwhile.
pub(crate) unsafe fn object_mut<'a, T>(object: *mut T, what: &str) -> Checked<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { object.as_mut() }.ok_or_else(|| format!("{what} is NULL"))
}

/// Gives an object to the caller.
pub(crate) fn give<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Takes an object back and frees it; null is nothing.
///
/// # Safety
/// `object` is null or comes from [`give`] and has not been taken back.
pub(crate) unsafe fn take_back<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(object) });
    }
}

/// Copies as many of `values` as fit into the caller's array, and returns how many there are.
///
/// # Safety
/// `out` points to `capacity` places, or is null if `capacity` is zero.
pub(crate) unsafe fn copy_out<T: Copy>(values: &[T], out: *mut T, capacity: usize) -> Checked<usize> {
    let copied = values.len().min(capacity);
    if copied > 0 {
        if out.is_null() {
            return Err("the array is NULL".to_owned());
        }
        // SAFETY: the caller's promise: there is room for `copied` values, which are not in the caller's memory.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), out, copied) };
    }
    Ok(values.len())
}

/// Copies a text with its zero byte into the caller's array, cut to its size, and returns its whole length without that byte.
///
/// # Safety
/// As [`copy_out`].
pub(crate) unsafe fn text_out(text: &str, out: *mut c_char, capacity: usize) -> Checked<usize> {
    let mut cut = text.len().min(capacity.saturating_sub(1));
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let bytes: Vec<c_char> = text.as_bytes()[..cut].iter().map(|&byte| byte as c_char).chain([0]).collect();
    // SAFETY: the caller's promise.
    unsafe { copy_out(&bytes, out, capacity) }?;
    Ok(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_error() -> String {
        // SAFETY: the text ends with a zero byte and lives until the next error.
        unsafe { CStr::from_ptr(chuhe_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(checked(-1, || panic!("no {}", "way")), -1);
        assert_eq!(last_error(), "internal error: no way");
        assert_eq!(checked(-1, || panic!("plain")), -1);
        assert_eq!(last_error(), "internal error: plain");
        assert_eq!(checked(-1, || std::panic::panic_any(7)), -1);
        assert_eq!(last_error(), "internal error: unknown");
        assert_eq!(checked(-1, || Ok(3)), 3);
    }

    /// A panic out of an `extern "C"` function would end the process, so every one of them works inside `checked`.
    #[test]
    fn every_function_of_the_interface_is_checked() {
        let mut functions = 0;
        for source in [include_str!("game.rs"), include_str!("tables.rs")] {
            for body in source.split("#[unsafe(no_mangle)]").skip(1) {
                let body = body.split_once(" {\n").unwrap().1;
                assert!(body.trim_start().starts_with("checked("), "{body}");
                functions += 1;
            }
        }
        assert!(functions > 10);
    }

    #[test]
    fn errors_are_those_of_the_thread() {
        checked((), || Err("here".to_owned()));
        std::thread::spawn(|| {
            assert_eq!(last_error(), "");
            checked((), || Err("there\0".to_owned()));
            assert_eq!(last_error(), "there ");
        })
        .join()
        .unwrap();
        assert_eq!(last_error(), "here");
    }
}
