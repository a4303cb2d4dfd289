//! Description of the machine on which a match is played.

use std::env::consts::{ARCH, OS};
use std::{fs, thread};

/// Returns processor, processor threads and system, such as `AMD EPYC 7763, 8 threads, linux x86_64`.
pub(crate) fn description() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| processor(&info));
    let threads = thread::available_parallelism().ok().map(|threads| match threads.get() {
        1 => "1 thread".to_owned(),
        more => format!("{more} threads"),
    });
    let parts: Vec<String> = [processor, threads, Some(format!("{OS} {ARCH}"))].into_iter().flatten().collect();
    parts.join(", ")
}

/// Returns the name of the first processor in the text of `/proc/cpuinfo`.
fn processor(info: &str) -> Option<String> {
    let named = info.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.trim() == "model name")?;
    let words: Vec<&str> = named.1.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named_once() {
        let info =
            "processor\t: 0\nmodel name\t: Some CPU  @ 3 GHz\n\nprocessor\t: 1\nmodel name\t: Some CPU  @ 3 GHz\n";
        assert_eq!(processor(info).as_deref(), Some("Some CPU @ 3 GHz"));
        assert_eq!((processor("processor : 0\n"), processor("model name :\n")), (None, None));
    }

    #[test]
    fn the_system_is_always_named() {
        assert!(description().ends_with(&format!("{OS} {ARCH}")), "{}", description());
    }
}
