"""Locks: exclusive between threads, open to their own thread, free after a fork."""

import os
import threading

import pytest

from charter.locks import Lock


def try_from_another_thread(lock: Lock) -> threading.Event:
    """Return an event that is set once another thread has had the lock."""
    had = threading.Event()

    def take() -> None:
        with lock:
            had.set()

    threading.Thread(target=take, daemon=True).start()
    return had


def test_a_lock_keeps_other_threads_out_and_lets_its_own_in() -> None:
    lock = Lock()
    with lock, lock:
        had = try_from_another_thread(lock)
        assert not had.wait(0.05)
    assert had.wait(10)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork beside threads is what is tried
def test_a_lock_that_another_thread_held_at_a_fork_is_free_in_the_child() -> None:
    lock, taken, done = Lock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            taken.set()
            done.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(10)
    child = os.fork()
    if not child:
        os._exit(0 if try_from_another_thread(lock).wait(10) else 1)
    done.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
