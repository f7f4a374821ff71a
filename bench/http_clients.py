"""The players of `bench http`: one process, many connections, no thread; as light as a client can be, because it runs
on the machine it measures. `prepare` makes people; `play` plays Theos for some seconds, says when it is warm and then
what it saw; `commits` measures the disk.

Each client is two people at one table after another. What they may answer they know from the replies to their own
answers; where a question's options are private and came with the other's answer, they read the game first.
"""

import os
import selectors
import socket
import sys
import time
from random import Random
from typing import Any

import msgspec


class Shape(msgspec.Struct, rename={"kind": "is"}):
    kind: str
    options: list[str] = []
    lo: int = 1
    hi: int = 1
    total: int = 0
    floors: dict[str, int] = {}
    caps: dict[str, int] = {}
    things: dict[str, list[str]] = {}
    required: list[str] = []


class Ask(msgspec.Struct):
    id: str
    chooser: int
    shape: Shape | None = None


class Effect(msgspec.Struct):
    e: str
    id: str = ""
    chooser: int = -1
    shape: Shape | None = None


class Event(msgspec.Struct):
    stream: str
    seq: int
    effects: list[Effect]


class View(msgspec.Struct):
    open: list[Ask]


class Game(msgspec.Struct):
    phase: str
    waits_for: list[int]
    table: View | None


class Preview(msgspec.Struct):
    complete: bool
    next: Any = None


event_of = msgspec.json.Decoder(Event).decode
game_of = msgspec.json.Decoder(Game).decode
preview_of = msgspec.json.Decoder(Preview).decode


def fitting(shape: Shape, rng: Random) -> Any:
    if shape.kind == "pick":
        return rng.sample(shape.options, shape.lo if shape.lo == shape.hi else rng.randint(shape.lo, shape.hi))
    if shape.kind == "number":
        return shape.lo
    from games.bots.random import fitting as any_fitting

    return any_fitting(msgspec.to_builtins(shape), rng)


class Client:
    """Two people, a connection for both or for each, and a state machine: what was asked for last, and what to do with
    the answer. One request is under way at a time."""

    def __init__(
        self, number: int, address: tuple[str, int], tokens: list[str], rulebook: str, connections: int
    ) -> None:
        self.rng, self.tokens, self.rulebook, self.number = Random(number), tokens, rulebook, number
        self.sockets = [socket.create_connection(address) for _ in range(connections)]
        for one in self.sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.host = f"{address[0]}:{address[1]}"
        self.answers = self.reads = self.games = 0
        self.latencies: list[float] = []
        self.commands = 0
        self.buffer = b""
        self.new_game()

    # -- what it says -----------------------------------------------------------------------------------------------

    def send(self, method: str, path: str, seat: int, body: Any, then: Any) -> None:
        data = b"" if body is None else msgspec.json.encode(body)
        head = (
            f"{method} /api/v1{path} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {self.tokens[seat]}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        self.then, self.began = then, time.perf_counter()
        self.sockets[seat % len(self.sockets)].sendall(head.encode() + data)

    def command(self) -> str:
        self.commands += 1
        return f"b{os.getpid()}-{self.number}-{self.commands}"

    def new_game(self) -> None:
        self.asks: dict[str, Ask] = {}
        body = {"command_id": self.command(), "rulebook": self.rulebook, "seats": 2, "join": {"seat": 0}}
        self.send("POST", "/games", 0, body, self.made)

    def made(self, status: int, data: bytes) -> None:
        self.game = event_of(data).stream
        body = {"command_id": self.command(), "seat": 1, "ready": True}
        self.send("POST", f"/games/{self.game}/join", 1, body, self.joined)

    def joined(self, status: int, data: bytes) -> None:
        self.look(0)

    def look(self, seat: int) -> None:
        self.reads += 1
        self.looking = seat
        self.send("GET", f"/games/{self.game}", seat, None, self.seen)

    def seen(self, status: int, data: bytes) -> None:
        game = game_of(data)
        if game.phase != "play" or game.table is None:
            self.games += 1
            self.new_game()
            return
        self.asks = {ask.id: ask if ask.shape else self.asks.get(ask.id, ask) for ask in game.table.open}
        self.go_on()

    def go_on(self) -> None:
        """Answer what can be answered; if only private questions are left, look at them."""
        for ask in self.asks.values():
            if ask.shape:
                self.asked, self.path = ask, [fitting(ask.shape, self.rng)]
                self.answer()
                return
        if self.asks:
            self.look(next(iter(self.asks.values())).chooser)
        else:
            self.look(0)  # over, most likely

    def answer(self) -> None:
        body = {"command_id": self.command(), "decision": self.asked.id, "path": self.path}
        self.send("POST", f"/games/{self.game}/answers", self.asked.chooser, body, self.answered)

    def answered(self, status: int, data: bytes) -> None:
        if status != 201:
            if (
                b'"code":"stale"' in data or b'"code":"over"' in data
            ):  # the house passed at once, where nothing can be done
                self.look(self.asked.chooser)
                return
            if b'"code":"incomplete"' not in data:
                raise RuntimeError(f"{status}: {data[:400]!r}")
            body = {"decision": self.asked.id, "path": self.path}
            self.reads += 1
            self.send("POST", f"/games/{self.game}/preview", self.asked.chooser, body, self.previewed)
            return
        self.latencies.append(time.perf_counter() - self.began)
        self.answers += 1
        self.asks.pop(self.asked.id, None)
        for effect in event_of(data).effects:
            if effect.e == "ask":
                self.asks[effect.id] = Ask(effect.id, effect.chooser, effect.shape)
            elif effect.e in ("close", "end"):
                self.asks = {} if effect.e == "end" else self.asks
        self.go_on()

    def previewed(self, status: int, data: bytes) -> None:
        part = preview_of(data)
        if not part.complete:
            self.path.append(fitting(msgspec.convert(part.next["shape"], Shape), self.rng))
        self.answer()

    # -- what it hears ----------------------------------------------------------------------------------------------

    def hear(self, connection: socket.socket) -> bool:
        """Take what is there; True when it was a whole answer, and the next request is out."""
        got = connection.recv(1 << 18)
        if not got:
            raise ConnectionError("the server hung up")
        self.buffer += got
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        lower = head.lower()
        at = lower.index(b"content-length:") + 15
        length = int(lower[at : lower.find(b"\r", at) if b"\r" in lower[at:] else len(lower)])
        if len(rest) < length:
            return False
        self.buffer = rest[length:]
        self.then(int(head[9:12]), rest[:length])
        return True


def play(
    address: tuple[str, int], tokens: list[str], clients: int, seconds: float, rulebook: str, connections: int
) -> dict[str, Any]:
    crowd = [Client(n, address, tokens[2 * n : 2 * n + 2], rulebook, connections) for n in range(clients)]
    with selectors.DefaultSelector() as selector:
        for client in crowd:
            for one in client.sockets:
                selector.register(one, selectors.EVENT_READ, client)
        go_on(selector, min(3.0, seconds))
        print("warm", flush=True)
        for client in crowd:
            client.answers = client.reads = client.games = 0
            client.latencies.clear()
        started, cpu = time.perf_counter(), time.process_time()
        go_on(selector, seconds)
        took, cpu = time.perf_counter() - started, time.process_time() - cpu
    latencies = sorted(one for client in crowd for one in client.latencies)
    return {
        "answers": len(latencies),
        "answers_per_s": len(latencies) / took,
        "p50_ms": 1000 * latencies[len(latencies) // 2],
        "p99_ms": 1000 * latencies[int(len(latencies) * 0.99)],
        "reads_per_answer": sum(client.reads for client in crowd) / len(latencies),
        "games": sum(client.games for client in crowd),
        "client_cpu": cpu / took,
    }


def go_on(selector: selectors.BaseSelector, seconds: float) -> None:
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        for key, _ in selector.select(1.0):
            key.data.hear(key.fileobj)


def prepare(people: int) -> list[str]:
    """People with tokens, in the database of the environment."""
    import django

    django.setup()
    from accounts.models import User
    from accounts.services import mint_token

    tokens = []
    for number in range(people):
        person = User(name=f"bench{os.getpid()}x{number}")
        person.set_unusable_password()
        person.save()
        tokens.append(mint_token(person, "bench", ["games:read", "games:play"]).secret)
    return tokens


def commits(seconds: float) -> float:
    """Durable commits of one row, one after the other, per second: what this disk allows a single writer right now."""
    import django

    django.setup()
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_commit (row text)")
        count, ends = 0, time.perf_counter() + seconds
        while time.perf_counter() < ends:
            cursor.execute("INSERT INTO bench_commit VALUES (%s)", ["x" * 1000])
            count += 1
        cursor.execute("DROP TABLE bench_commit")
    return count / seconds


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        sys.stdout.write(msgspec.json.encode(prepare(int(sys.argv[2]))).decode())
    elif sys.argv[1] == "commits":
        sys.stdout.write(msgspec.json.encode(commits(float(sys.argv[2]))).decode())
    else:
        host, port, clients, seconds, rulebook, connections = sys.argv[2:8]
        tokens = msgspec.json.decode(sys.stdin.read())
        result = play((host, int(port)), tokens, int(clients), float(seconds), rulebook, int(connections))
        sys.stdout.write(msgspec.json.encode(result).decode())
