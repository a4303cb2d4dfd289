"""Drives engines that speak UCCI, each in a process of its own.

>>> import chuhe
>>> with chuhe.ucci.popen("chuhe") as engine:  # doctest: +SKIP
...     engine.set_option("threads", 2)
...     print(engine.search(chuhe.Position(), depth=10).best)
"""

import queue
import subprocess
import threading
import time as clocks
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._native import Error, Position

__all__ = ["EngineDied", "Info", "Option", "Reply", "UcciEngine", "popen"]


class EngineDied(Error):
    """The engine has ended, or did not answer in time."""


@dataclass
class Option:
    """An option that the engine announces."""

    name: str
    kind: str
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    choices: List[str] = field(default_factory=list)


@dataclass
class Info:
    """A line ``info``: depth in plies, score in the engine's unit (UCCI: hundredths of a horse), time in milliseconds."""

    depth: Optional[int] = None
    score: Optional[int] = None
    nodes: Optional[int] = None
    time: Optional[int] = None
    nps: Optional[int] = None
    multipv: int = 1
    moves: List[str] = field(default_factory=list)


@dataclass
class Reply:
    """The answer to ``go``."""

    best: Optional[str]
    ponder: Optional[str] = None
    draw: bool = False
    resign: bool = False
    infos: List[Info] = field(default_factory=list)


def popen(command: Union[str, Sequence[str]], *, timeout: float = 10.0, **keywords: Any) -> "UcciEngine":
    """Starts an engine and greets it. ``timeout`` is in seconds, for each answer but that to ``go``."""
    return UcciEngine([command] if isinstance(command, str) else list(command), timeout=timeout, **keywords)


class UcciEngine:
    """An engine in a process, which ends with the object."""

    #: Most lines that wait to be read; an engine that floods is slowed down by its pipe.
    MOST_LINES = 10_000

    def __init__(self, command: List[str], *, timeout: float = 10.0, **keywords: Any) -> None:
        self.timeout = timeout
        self.id: Dict[str, str] = {}
        self.options: Dict[str, Option] = {}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                **keywords,
            )
        except OSError as fault:
            raise EngineDied(f"{command[0]} does not start: {fault}") from fault
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue(self.MOST_LINES)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._greet()
        except BaseException:
            self._process.kill()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise Error("a command is one line")
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as fault:
            raise EngineDied("the engine has ended") from fault

    def _next(self, deadline: Optional[float]) -> str:
        wait = None if deadline is None else max(0.0, deadline - clocks.monotonic())
        try:
            line = self._lines.get(timeout=wait)
        except queue.Empty:
            raise EngineDied(f"no answer within {self.timeout} s") from None
        if line is None:
            self._lines.put(None)
            raise EngineDied("the engine has ended")
        return line

    def _deadline(self) -> float:
        return clocks.monotonic() + self.timeout

    def _greet(self) -> None:
        self._send("ucci")
        deadline = self._deadline()
        while (line := self._next(deadline)) != "ucciok":
            words = line.split(None, 2)
            if words[:1] == ["id"] and len(words) == 3:
                self.id[words[1]] = words[2]
            elif words[:1] == ["option"]:
                option = _option(line)
                if option is not None:
                    self.options[option.name] = option

    def wait_until_ready(self) -> None:
        """Waits until the engine has carried out all commands."""
        self._send("isready")
        deadline = self._deadline()
        while self._next(deadline) != "readyok":
            pass

    def set_option(self, name: str, value: Any = None) -> None:
        """Sets an option; one without a value is a button."""
        if name not in self.options:
            raise Error(f"{self.id.get('name', 'the engine')} has no option {name!r}")
        if isinstance(value, bool):
            value = "true" if value else "false"
        self._send(f"setoption {name}" if value is None else f"setoption {name} {value}")

    def search(
        self,
        position: Position,
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        movetime: Optional[int] = None,
        clock: Optional[Tuple[int, int]] = None,
        banmoves: Sequence[str] = (),
        draw_offered: bool = False,
    ) -> Reply:
        """Searches and returns the answer. Times are milliseconds; ``clock`` is the time left and the increment."""
        limits = ["draw"] if draw_offered else []
        if depth is not None:
            limits += ["depth", str(depth)]
        elif nodes is not None:
            limits += ["nodes", str(nodes)]
        elif movetime is not None:
            limits += ["time", str(movetime)]
        elif clock is not None:
            limits += ["time", str(clock[0]), "increment", str(clock[1])]
        else:
            raise Error("a search needs a limit: depth, nodes, movetime or clock")
        if "usemillisec" in self.options:
            self.set_option("usemillisec", True)
        moves = position.moves
        self._send(f"position fen {position.start_fen}" + (" moves " + " ".join(moves) if moves else ""))
        if banmoves:
            self._send("banmoves " + " ".join(position.parse(mv) for mv in banmoves))
        self._send("go " + " ".join(limits))
        infos: List[Info] = []
        try:
            return self._answer(infos)
        except KeyboardInterrupt:
            self.stop()
            self._answer(infos)
            raise

    def _answer(self, infos: List[Info]) -> Reply:
        while True:
            words = self._next(None).split()
            if words[:1] == ["info"]:
                infos.append(_info(words))
            elif words[:1] == ["nobestmove"]:
                return Reply(None, infos=infos)
            elif words[:1] == ["bestmove"] and len(words) > 1:
                ponder = words[words.index("ponder") + 1] if "ponder" in words[:-1] else None
                return Reply(words[1], ponder, "draw" in words, "resign" in words, infos)

    def stop(self) -> None:
        """Demands the answer to the search now."""
        self._send("stop")

    def close(self) -> None:
        """Ends the engine: politely, and after two seconds by force."""
        try:
            self._send("quit")
            self._process.wait(2)
        except (EngineDied, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> "UcciEngine":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.close()


def _option(line: str) -> Optional[Option]:
    """``option usemillisec type check default true``, and with ``min``, ``max`` and ``var``."""
    head, found, rest = line[len("option "):].partition(" type ")
    if not found:
        return None
    words = rest.split()
    option = Option(head.strip(), words[0] if words else "string")
    key = None
    values: Dict[str, List[List[str]]] = {}
    for word in words[1:]:
        if word in ("default", "min", "max", "var"):
            key = word
            values.setdefault(key, []).append([])
        elif key is not None:
            values[key][-1].append(word)
    text = {key: [" ".join(part) for part in parts] for key, parts in values.items()}
    option.default = text.get("default", [None])[0]
    option.choices = text.get("var", [])
    for bound in ("min", "max"):
        if bound in text and text[bound][0].lstrip("-").isdigit():
            setattr(option, bound, int(text[bound][0]))
    return option


def _info(words: List[str]) -> Info:
    info = Info()
    for index, word in enumerate(words[:-1]):
        value = words[index + 1]
        if word in ("depth", "score", "nodes", "time", "nps", "multipv") and value.lstrip("-").isdigit():
            setattr(info, word, int(value))
        elif word == "pv":
            info.moves = words[index + 1 :]
            break
    return info
