//! Work on many files with all processors, with results in their order.

use std::thread;

use anyhow::{Result, anyhow};

/// Calls `work` for each item on `threads` threads, and `take` with the results in the order of the items.
///
/// At most `threads` results are in memory.
///
/// # Errors
/// The first error of `work` or `take`.
pub fn in_order<Item: Sync, Output: Send>(
    items: &[Item],
    threads: usize,
    work: impl Fn(&Item) -> Result<Output> + Sync,
    mut take: impl FnMut(Output) -> Result<()>,
) -> Result<()> {
    for batch in items.chunks(threads.max(1)) {
        let results: Vec<Result<Output>> = thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> = batch.iter().map(|item| scope.spawn(move || work(item))).collect();
            let end = |thread: thread::ScopedJoinHandle<Result<Output>>| {
                thread.join().map_err(|_| anyhow!("a thread panicked"))
            };
            running.into_iter().map(|thread| end(thread).flatten()).collect()
        });
        for result in results {
            take(result?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;

    #[test]
    fn results_come_in_order_up_to_the_first_error() {
        for threads in [0, 1, 3, 20] {
            let mut taken = vec![];
            let items: Vec<u32> = (0..10).collect();
            let double = |item: &u32| Ok(2 * item);
            let mut take = |output| {
                taken.push(output);
                Ok(())
            };
            in_order(&items, threads, double, &mut take).unwrap();
            assert_eq!(taken, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
            taken.clear();
            let fail = |item: &u32| {
                ensure!(*item != 4 && *item != 7, "item {item}");
                Ok(*item)
            };
            let take = |output| {
                taken.push(output);
                Ok(())
            };
            let error = in_order(&items, threads, fail, take).unwrap_err();
            assert_eq!((error.to_string().as_str(), taken.as_slice()), ("item 4", &[0, 1, 2, 3][..]));
        }
    }
}
