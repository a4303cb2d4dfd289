//! The counterpart of `src/sync.rs` on loom. Loom's own channels support neither disconnection nor timeouts, so this module
//! defines others: a wait with a timeout ends as soon as the queue is empty, and loom decides when that is.

pub(crate) use loom::sync::Arc;
pub(crate) use loom::sync::atomic::{AtomicBool, Ordering};
pub(crate) use loom::thread;

pub mod mpsc {
    use std::collections::VecDeque;
    use std::fmt;
    use std::time::Duration;

    pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError};

    use loom::sync::{Arc, Condvar, Mutex, MutexGuard};

    struct Queue<T> {
        messages: VecDeque<T>,
        senders: usize,
        is_heard: bool,
    }

    struct Shared<T> {
        queue: Mutex<Queue<T>>,
        changed: Condvar,
    }

    impl<T> Shared<T> {
        fn queue(&self) -> MutexGuard<'_, Queue<T>> {
            self.queue.lock().unwrap()
        }
    }

    pub struct Sender<T>(Arc<Shared<T>>);

    pub struct Receiver<T>(Arc<Shared<T>>);

    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let queue = Mutex::new(Queue { messages: VecDeque::new(), senders: 1, is_heard: true });
        let shared = Arc::new(Shared { queue, changed: Condvar::new() });
        (Sender(Arc::clone(&shared)), Receiver(shared))
    }

    impl<T> fmt::Debug for Sender<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Sender")
        }
    }

    impl<T> Sender<T> {
        pub fn send(&self, message: T) -> Result<(), SendError<T>> {
            let mut queue = self.0.queue();
            if !queue.is_heard {
                return Err(SendError(message));
            }
            queue.messages.push_back(message);
            drop(queue);
            self.0.changed.notify_one();
            Ok(())
        }
    }

    impl<T> Clone for Sender<T> {
        fn clone(&self) -> Self {
            self.0.queue().senders += 1;
            Self(Arc::clone(&self.0))
        }
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {
            self.0.queue().senders -= 1;
            self.0.changed.notify_one();
        }
    }

    impl<T> Receiver<T> {
        pub fn recv(&self) -> Result<T, RecvError> {
            let mut queue = self.0.queue();
            loop {
                if let Some(message) = queue.messages.pop_front() {
                    return Ok(message);
                }
                if queue.senders == 0 {
                    return Err(RecvError);
                }
                queue = self.0.changed.wait(queue).unwrap();
            }
        }

        pub fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
            let mut queue = self.0.queue();
            match queue.messages.pop_front() {
                Some(message) => Ok(message),
                None if queue.senders == 0 => Err(RecvTimeoutError::Disconnected),
                None => Err(RecvTimeoutError::Timeout),
            }
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            let mut queue = self.0.queue();
            queue.is_heard = false;
            let unheard = std::mem::take(&mut queue.messages);
            drop(queue);
            drop(unheard);
        }
    }
}
