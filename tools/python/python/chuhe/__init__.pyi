from os import PathLike
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple, Union

from . import ucci as ucci

START_FEN: str
__version__: str

class Error(ValueError): ...

class Score:
    cp: Optional[int]
    mate: Optional[int]
    ban: Optional[int]

class Verdict:
    loser: Optional[str]
    reason: str
    loop: List[str]
    text: str

class Position:
    def __init__(self, fen: str = ..., moves: Sequence[str] = ...) -> None: ...
    fen: str
    start_fen: str
    moves: List[str]
    turn: str
    key: int
    in_check: bool
    legal_moves: List[str]
    def is_legal(self, mv: str) -> bool: ...
    def parse(self, mv: str) -> str: ...
    def wxf(self, mv: str) -> str: ...
    def chinese(self, mv: str) -> str: ...
    def play(self, mv: str) -> str: ...
    def undo(self) -> str: ...
    def copy(self) -> "Position": ...
    def piece_at(self, square: str) -> Optional[str]: ...
    def perft(self, depth: int) -> int: ...
    def evaluate(self) -> int: ...
    def judge(self, rules: str = ...) -> Optional[Verdict]: ...
    def svg(
        self,
        *,
        pieces: str = ...,
        coordinates: str = ...,
        arrows: Sequence[str] = ...,
        flipped: bool = ...,
    ) -> str: ...

def judge(fen: str, moves: Sequence[str] = ..., rules: str = ...) -> Optional[Verdict]: ...

class Line:
    multipv: int
    depth: int
    seldepth: int
    score: Score
    bound: str
    moves: List[str]
    wdl: Optional[Tuple[int, int, int]]
    nodes: int
    time: int

class SearchResult:
    best: Optional[str]
    ponder: Optional[str]
    lines: List[Line]
    nodes: int
    time: int
    hashfull: int
    tbhits: int
    from_book: bool
    closing: Optional[str]
    messages: List[str]
    score: Optional[Score]
    depth: int

class Engine:
    def __init__(self, threads: int = ..., hash: int = ..., options: Optional[Mapping[str, Any]] = ...) -> None: ...
    def set_option(self, name: str, value: Any) -> None: ...
    def new_game(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> "Engine": ...
    def __exit__(self, kind: Any, value: Any, trace: Any) -> None: ...
    def search(
        self,
        position: Position,
        *,
        depth: Optional[int] = ...,
        nodes: Optional[int] = ...,
        movetime: Optional[int] = ...,
        mate: Optional[int] = ...,
        clock: Optional[Tuple[int, int]] = ...,
        infinite: bool = ...,
        multipv: int = ...,
        banmoves: Sequence[str] = ...,
        searchmoves: Sequence[str] = ...,
        draw_offered: bool = ...,
        on_line: Optional[Callable[[Line], Any]] = ...,
    ) -> SearchResult: ...

class BookMove:
    move: str
    weight: int
    score: Optional[Score]
    depth: Optional[int]

class Book:
    def __init__(self, paths: Optional[str] = ...) -> None: ...
    def moves(self, position: Position) -> List[BookMove]: ...
    def __len__(self) -> int: ...

class Tablebase:
    def __init__(self, folders: Optional[str] = ...) -> None: ...
    materials: List[str]
    def outcome(self, position: Position) -> Optional[str]: ...
    def distance(self, position: Position) -> Optional[int]: ...
    def best_moves(self, position: Position) -> List[str]: ...

class Game:
    start_fen: str
    moves: List[str]
    result: Optional[str]
    ratings: Tuple[int, int]
    variations: List[Tuple[int, List[str]]]
    def position(self) -> Position: ...
    def __len__(self) -> int: ...

def read_games(path: Union[str, "PathLike[str]"], *, skip_faulty: bool = ...) -> List[Game]: ...
