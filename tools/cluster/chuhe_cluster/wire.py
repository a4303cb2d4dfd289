"""Requests of the workers and answers of the head: an object of JSON and bytes, over a connection with a key.

A worker outlives its head: it asks again until the head is back.
"""

import json
import os
import random
import socket
import threading
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener, answer_challenge, deliver_challenge

# Seconds until a question without an answer is asked again.
ANSWER = 60

# Seconds between two attempts to reach the head.
AGAIN = 0.3


class Lost(Exception):
    """The head has not come back."""


def _pack(fields, lines):
    return json.dumps(fields).encode() + b"\n" + lines


def _unpack(message):
    first, _, lines = message.partition(b"\n")
    return json.loads(first), lines


class Link:
    """Connection of a worker with the head."""

    def __init__(self, address, key, patience, **always):
        self.address, self.key, self.patience, self.always = tuple(address), key, patience, always
        self.connection = None

    def call(self, question, lines=b"", **fields):
        """Answer of the head: its fields and its bytes. Waits for a head that is away."""
        message = _pack({"question": question, **self.always, **fields}, lines)
        give_up = time.monotonic() + self.patience
        while True:
            try:
                return self._ask(message)
            except AuthenticationError:
                raise
            except (OSError, EOFError):
                self.close()
            if time.monotonic() > give_up:
                raise Lost(f"no head at {self.address[0]}:{self.address[1]} for {self.patience:.0f} s")
            # Not all workers at the same moment.
            time.sleep(AGAIN * (0.5 + random.random()))

    def _ask(self, message):
        if self.connection is None:
            self.connection = Client(self.address, authkey=self.key)
        self.connection.send_bytes(message)
        if not self.connection.poll(ANSWER):
            raise TimeoutError
        return _unpack(self.connection.recv_bytes())

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Server:
    """Answers the questions of workers, each in a thread of its own, by `answer(fields, lines)`."""

    def __init__(self, address, key, answer):
        self.key, self.answer = key, answer
        self.listener = Listener(tuple(address), family="AF_INET", backlog=1024)
        self.address = self.listener.address
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection = self.listener.accept()
            except OSError:
                # Closed, or a client that has gone.
                if self.listener._listener is None:
                    return
                continue
            except AttributeError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            try:
                with socket.socket(fileno=os.dup(connection.fileno())) as same:
                    same.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                deliver_challenge(connection, self.key)
                answer_challenge(connection, self.key)
                while True:
                    connection.send_bytes(_pack(*self.answer(*_unpack(connection.recv_bytes()))))
            except (OSError, EOFError, AuthenticationError):
                pass

    def close(self):
        self.listener.close()
