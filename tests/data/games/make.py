#!/usr/bin/env python3
"""Makes the game files of this folder, one or two short games in each format, from the layouts that the readers describe."""

import pathlib
import struct

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
MOVES = "h2e2 h9g7 h0g2 i9h9"


def index(square):
    return (9 - int(square[1])) * 9 + ord(square[0]) - ord("a")


def halves(square):
    return 16 * (ord(square[0]) - ord("a")) + 9 - int(square[1])


def name(text, size):
    return text.encode("utf-16-le").ljust(size, b"\0")


def cbr(result, kind=2):
    """A record: h2e2, then h9g7 with a remark or b9c7 instead."""
    title, red, black, end, side, squares, nodes = {
        1: (52, 948, 1172, 1820, 1856, 1864, 1958),
        2: (180, 1076, 1300, 2076, 2112, 2120, 2214),
    }[kind]
    number = halves if kind == 1 else index
    record = bytearray(nodes)
    record[:16] = b"CCBridge Record\0"
    record[19] = kind
    record[title : title + 128] = name("测试", 128)
    record[red : red + 64], record[black : black + 64] = name("红方", 64), name("黑方", 64)
    record[end], record[side] = result, 1
    board = "".join("." * int(c) if c.isdigit() else c for c in START.replace("/", ""))
    for place, letter in enumerate(board):
        if letter != ".":
            record[squares + place] = "RNBAKCP".index(letter.upper()) + 1 + (0x10 if letter.isupper() else 0x20)
    record[nodes - 4 :] = b"\xff" * 4
    for flags, move, remark in ((0, "a9a9", ""), (0, "h2e2", ""), (7, "h9g7", "常见"), (1, "b9c7", "")):
        record += bytes((flags, 0, number(move[:2]), number(move[2:])))
        if flags & 4:
            text = remark.encode("utf-16-le")
            record += struct.pack("<I", len(text)) + text
    return bytes(record)


def cbl(records):
    slots = 128
    library = bytearray(66624 + 276 * slots)
    library[:16] = b"CCBridgeLibrary\0"
    library[52:56] = b"\xff\xff\xff\x7f"
    library[60:64] = struct.pack("<I", slots)
    library[64:576] = name("测试", 512)
    for record in records:
        library += record + bytes(-len(record) % 4096)
    return bytes(library)


def che(moves, pieces):
    """A game; pieces are numbers from 0 for Black and from 16 for Red: king, advisors, elephants, horses, rooks, cannons, pawns."""
    numbers = [1, len(moves.split())]
    for ply, (move, piece) in enumerate(zip(moves.split(), pieces), 1):
        squares = [int(move[1]), ord(move[0]) - 97, int(move[3]), ord(move[2]) - 97]
        numbers += [piece, 32, ply % 2, *squares, 0, ply, 0]
    return (" ".join(map(str, numbers)) + " ").encode()


def mxq():
    texts = ["弈天", "2008-06-01", "甲-胜-乙", "2300", "2250", "", "", "", "", "", "评注", ""]
    texts = [text.encode("gb18030") for text in texts]
    for move in MOVES.split():
        square = [f"{ord(move[at]) - 97}{chr(65 + int(move[at + 1]))}" for at in (0, 2)]
        texts.append("-".join(square).encode())
    return b"".join(bytes((len(text),)) + text for text in [*texts, b"Ends"])


BIG5 = """[Game "Chinese Chess"]
[Red "許銀川"]
[Black "呂欽"]
[Result "1-0"]

1. 炮二平五 馬８進７ 2. 馬二進三 車９平８ 1-0
"""

RANKS = """[Variant "Xiangqi"]
[White "a"]
[Black "b"]
[Result "1/2-1/2"]

1. h3e3 {+0.31/20 1.2s} h10g8 {-0.25/19 1.1s} 2. h1g3 i10h10 1/2-1/2
"""

PIKAFISH = """[Event "engines"]
[Red "Pikafish"]
[Black "b"]
[Result "0-1"]

1. h2e2 {+0.31/20 1.2s} h9g7 {-0.25/19 1.1s} 2. h0g2 i9h9 0-1
"""

CLOUD = """# Answers of chessdb.cn (action queryall), each after its position.
startpos ; move:h2e2,score:1,rank:2,note:! (44-03),winrate:50.08|move:c3c4,score:0,rank:2,note:! (44-01),winrate:50.00|\
move:a0a1,score:-90,rank:0,note:? (44-44),winrate:40.10|move:i3i4,score:??,rank:0,note:? (??-??)
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b ; \
move:h9g7,score:-1,rank:2,note:! (43-02)|move:b9c7,score:-6,rank:1,note:* (43-05)
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CC6/9/RNBAKABNR b ; unknown
"""


def main():
    folder = pathlib.Path(__file__).parent
    files = {
        "small.cbr": cbr(2),
        "first.cbr": cbr(2, kind=1),
        "small.cbl": cbl([cbr(1), cbr(3)]),
        "small.che": che(MOVES, (26, 6, 22, 8)),
        "taken.che": che("h2e2 h9g7 e2e6 d9e8 e6e9", (26, 6, 26, 1, 26)),
        "small.mxq": mxq(),
        "big5.pgn": BIG5.encode("big5"),
        "ranks.pgn": RANKS.encode(),
        "pikafish.pgn": PIKAFISH.encode(),
        "chessdb.txt": CLOUD.encode(),
    }
    for file, contents in files.items():
        (folder / file).write_bytes(contents)


main()
