"""A TCP proxy that cuts connections at random: between requests, inside one, inside a reply, after
one, or holds a reply back.

What it carries is TLS, so it knows bytes and turns, no requests: a turn is what the client sends
until the server answers. The first turns of a connection are its handshake; they are cut too.
"""
import collections
import random
import select
import socket
import threading
import time

FATES = ("before the request", "inside the request", "before the reply", "inside the reply",
         "after the reply", "held back")
HANDSHAKE_TURNS = 2  # the second one may hold the first request


class CuttingProxy:
    """Listens on `port` and carries to `target`. `share` of the turns is cut, `stream_share` of the
    pieces that come unasked, and the first `streams_cut` of those whatever chance says; `held`
    seconds is how long a reply is held back; `piece` bytes of the server are carried at once."""

    def __init__(self, target, seed, share=0.3, stream_share=0.1, streams_cut=0, held=1.5,
                 piece=1 << 14):
        self.target, self.share, self.stream_share, self.held = target, share, stream_share, held
        self.streams_cut, self.piece = streams_cut, piece
        self.random, self.lock = random.Random(seed), threading.Lock()
        self.counts, self.turns = collections.Counter(), 0
        self.due = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def close(self):
        self.listener.close()

    def fate(self, turn):
        with self.lock:
            self.turns += 1
            if self.random.random() >= self.share:
                return None, 0.5
            if turn < HANDSHAKE_TURNS:
                self.counts["handshake"] += 1
                return self.random.choice(FATES[:-1]), self.random.random()
            found = FATES[-1]  # seldom: it costs the client its whole patience
            if self.random.random() >= 0.0125:
                # each comes in turn, in another order
                self.due = self.due or self.random.sample(FATES[:-1], len(FATES) - 1)
                found = self.due.pop()
            self.counts[found] += 1
            return found, self.random.random()

    def carry(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target), 5)
        except OSError:
            return client.close()
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            turn = 0
            while self.one_turn(client, server, turn):
                turn += 1
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def one_turn(self, client, server, turn):
        """False when the connection is over."""
        if not self.until_asked(client, server):
            return False
        fate, where = self.fate(turn)
        asked = client.recv(1 << 16)
        if not asked or fate == "before the request":
            return False
        if fate == "inside the request":
            server.sendall(asked[:int(len(asked) * where)])
            time.sleep(0.002)
            return False
        server.sendall(asked)
        while not (answered := self.wait(client, server)):
            more = client.recv(1 << 16)  # the client has not finished
            if not more:
                return False
            server.sendall(more)
        reply = server.recv(self.piece)
        if not reply or fate == "before the reply":
            return False
        if fate == "held back":
            time.sleep(self.held)
            return False
        if fate == "inside the reply":
            client.sendall(reply[:int(len(reply) * where)])
            return False
        client.sendall(reply)
        while fate and select.select([server], [], [], 0.005)[0]:  # the rest of the reply
            rest = server.recv(1 << 16)
            if not rest:
                return False
            client.sendall(rest)
        return fate is None

    def until_asked(self, client, server):
        """Carries the rest of a long reply, or a stream; streams are cut now and then too."""
        while True:
            ready, _, _ = select.select([client, server], [], [])
            if client in ready:
                return True
            more = server.recv(self.piece)
            if not more:
                return False
            with self.lock:
                if (self.counts["inside a stream"] < self.streams_cut
                        or self.random.random() < self.stream_share):
                    self.counts["inside a stream"] += 1
                    client.sendall(more[:int(len(more) * self.random.random())])
                    return False
            client.sendall(more)

    @staticmethod
    def wait(client, server):
        ready, _, _ = select.select([client, server], [], [], 30)
        return server in ready
