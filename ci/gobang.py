"""The second engine, chuhe-gobang, before judges and opponents that are not ours.

    judge       bans and fives of random and constructed positions, by the package renju and by us
    games       games at a fixed time a move, under the eyes of the package renju: losses on time, illegal moves
    stop        how long it takes from STOP to BESTMOVE
    gomokubench games against the strongest level of the package gomokubench
    threads     two threads against one
    versus      against another build, which --other names
"""

import argparse
import math
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from renju import BoardStatus, RenjuBoard, WinReason

SIDE = 15
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
# Bits of Gomocup's rule, and what the judge calls it.
RULES = {"free": (0, "freestyle"), "renju": (4, "renju")}
# Written by the example openings of the crate, for free rules.
OPENINGS = "tools/gobang/openings.txt"


def text(cell):
    return f"{cell[0]:X}{cell[1] + 1:X}"


def read_cell(text):
    return int(text[0], 16), int(text[1], 16) - 1


def on_board(row, column):
    return 0 <= row < SIDE and 0 <= column < SIDE


# Positions for the judges.


def scattered(chance):
    """Stones near each other, in any order."""
    size = chance.randint(6, SIDE)
    top, left = chance.randint(0, SIDE - size), chance.randint(0, SIDE - size)
    area = [(top + row, left + column) for row in range(size) for column in range(size)]
    count = chance.randint(6, min(70, len(area) - 1))
    cells = chance.sample(area, count + 1)
    return cells[:-1], cells[-1]


def constructed(chance):
    """Lines through one cell that are likely to be threes, fours and longer; further lines through a neighbour."""
    point = (chance.randint(0, SIDE - 1), chance.randint(0, SIDE - 1))
    black, white = set(), set()
    centres = [point] + [(point[0] + chance.randint(-3, 3), point[1] + chance.randint(-3, 3)) for _ in range(2)]
    for number, centre in enumerate(centres[: chance.choice([1, 1, 2, 3])]):
        for down, right in chance.sample(DIRECTIONS, chance.randint(2, 4) if number == 0 else 1):
            density = chance.choice([0.3, 0.45, 0.6])
            for steps in range(-5, 6):
                cell = (centre[0] + down * steps, centre[1] + right * steps)
                if not on_board(*cell) or cell == point or cell in black | white:
                    continue
                if chance.random() < density:
                    black.add(cell)
                elif chance.random() < 0.12:
                    white.add(cell)
    others = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    others = [cell for cell in others if cell != point and cell not in black | white]
    chance.shuffle(others)
    black, white = list(black), list(white)
    while len(black) != len(white):
        (white if len(white) < len(black) else black).append(others.pop())
    stones = [cell for pair in zip(black, white) for cell in pair]
    return stones, point


def verdict_of_renju(stones, point):
    board = RenjuBoard(rule="renju")
    # Only the last stone is judged: what was before is set as it is.
    board.moves = [list(stone) for stone in stones]
    board._update_status_after_move(*point)
    if board.reason == WinReason.FIVE_IN_A_ROW and board.status in (BoardStatus.BLACK_WIN, BoardStatus.WHITE_WIN):
        return "five"
    banned = (WinReason.OVERLINE, WinReason.DOUBLE_FOUR, WinReason.DOUBLE_THREE)
    return "banned" if board.reason in banned else "-"


def judge(arguments):
    chance = random.Random(arguments.seed)
    makers = [scattered, constructed, constructed]
    positions = [makers[index % 3](chance) for index in range(arguments.positions)]
    lines = "".join("".join(map(text, stones)) + " " + text(point) + "\n" for stones, point in positions)
    ours = subprocess.run([arguments.judge], input=lines, capture_output=True, text=True, check=True).stdout.split()
    assert len(ours) == len(positions)
    counts, wrong = {}, 0
    for (stones, point), our in zip(positions, ours):
        their = verdict_of_renju(stones, point)
        counts[their] = counts.get(their, 0) + 1
        if our != their:
            wrong += 1
            if wrong <= 10:
                print(f"{''.join(map(text, stones))} {text(point)}: renju says {their}, we say {our}")
    print(f"judge: {len(positions)} positions, {counts}, {wrong} disagreements")
    return wrong == 0 and all(counts.get(word, 0) * 100 >= len(positions) for word in ("five", "banned", "-"))


# Games.


class Engine:
    """A process that speaks Gomocup's protocol."""

    def __init__(self, command, rule, turn):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.turn = turn
        self.say(f"INFO rule {rule}")
        self.say(f"INFO timeout_turn {turn}")
        self.restart()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self):
        while True:
            line = self.process.stdout.readline()
            assert line, "the engine is gone"
            if not line.startswith(("MESSAGE", "DEBUG")):
                return line.strip()

    def restart(self):
        self.say(f"START {SIDE}")
        assert self.hear() == "OK"

    def move(self, stones):
        """The answer to these stones, and the milliseconds that it took."""
        lines = ["BOARD"]
        for index, (row, column) in enumerate(stones):
            ours = index % 2 == len(stones) % 2
            lines.append(f"{column},{row},{1 if ours else 2}")
        begun = time.monotonic()
        self.say("\n".join(lines + ["DONE"]))
        answer = self.hear()
        taken = (time.monotonic() - begun) * 1000
        try:
            column, row = map(int, answer.split(","))
        except ValueError:
            return None, taken
        return (row, column), taken

    def end(self):
        self.say("END")
        self.process.wait(timeout=10)


def opening(chance, rule):
    """A few stones near the middle that nobody has won with."""
    while True:
        cells = [(row, column) for row in range(4, 11) for column in range(4, 11)]
        stones = chance.sample(cells, chance.choice([2, 3, 4, 5]))
        board = RenjuBoard(moves=stones, rule=RULES[rule][1])
        if board.status == BoardStatus.ONGOING:
            return stones


def play(black, white, stones, rule, record):
    """Plays a game on from these stones; gives 1, 0 or -1 for black."""
    board = RenjuBoard(moves=stones, rule=RULES[rule][1])
    stones = list(stones)
    players = [black, white]
    while board.status == BoardStatus.ONGOING and len(stones) < SIDE * SIDE:
        mover = len(stones) % 2
        cell, taken = players[mover].move(stones)
        record["taken"].append(taken)
        if cell is None or cell in stones or not on_board(*cell):
            record["illegal"].append((list(stones), cell))
            return -1 if mover == 0 else 1
        stones.append(cell)
        board.play_move(*cell)
        if mover == 0 and board.status == BoardStatus.WHITE_WIN:
            record["illegal"].append((list(stones), f"{board.reason}"))
    record["moves"] += len(stones)
    return {BoardStatus.BLACK_WIN: 1, BoardStatus.WHITE_WIN: -1}.get(board.status, 0)


def undecided_openings():
    """Those of the list, which either colour can win by free rules: where one of them wins anyway, a pair of games says nothing."""
    with open(OPENINGS) as lines:
        return [[read_cell(pair) for pair in re.findall("..", line)] for line in lines]


def series(first, second, rule, seed, games, turn, openings):
    """Pairs of games with both colours from each opening of a list, or from random ones; gives wins, losses and draws of the first."""
    chance = random.Random(seed)
    record = {"taken": [], "illegal": [], "moves": 0, "scores": []}
    engines = [Engine(command, RULES[rule][0], turn) for command in (first, second)]
    results = [0, 0, 0]
    for game in range(games):
        if game % 2 == 0:
            stones = openings[game // 2 % len(openings)] if openings else opening(chance, rule)
        for engine in engines:
            engine.restart()
        black, white = engines if game % 2 == 0 else engines[::-1]
        result = play(black, white, stones, rule, record) * (1 if game % 2 == 0 else -1)
        results[{1: 0, -1: 1, 0: 2}[result]] += 1
        record["scores"].append((result + 1) / 2)
    for engine in engines:
        engine.end()
    return results, record


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def parallel(arguments, first, second, rule, games, openings=()):
    shares = [games // arguments.jobs + (job < games % arguments.jobs) for job in range(arguments.jobs)]
    # Each in a process of its own: a referee that thinks must not keep another one from hearing its engine.
    with ProcessPoolExecutor(arguments.jobs) as pool:
        seeds = [arguments.seed * 1000 + job for job in range(arguments.jobs)]
        jobs = [
            pool.submit(series, first, second, rule, seed, share, arguments.turn, openings[job :: arguments.jobs])
            for job, (seed, share) in enumerate(zip(seeds, shares))
        ]
        done = [job.result() for job in jobs]
    results = [sum(part) for part in zip(*(results for results, _ in done))]
    taken = [value for _, record in done for value in record["taken"]]
    illegal = [what for _, record in done for what in record["illegal"]]
    scores = [record["scores"] for _, record in done]
    pairs = [sum(pair) / 2 for series in scores for pair in zip(series[::2], series[1::2])]
    return results, taken, illegal, pairs


def games(arguments):
    fine = True
    for rule in RULES:
        command = [arguments.engine, "--threads", str(arguments.threads)]
        results, taken, illegal, _ = parallel(arguments, command, command, rule, arguments.games // 2)
        late = [value for value in taken if value > arguments.turn]
        print(
            f"games: {rule}: {sum(results)} games, {len(taken)} moves of {arguments.turn} ms: {len(late)} late, "
            f"{len(illegal)} illegal; p50 {percentile(taken, 0.5):.1f} ms, p99 {percentile(taken, 0.99):.1f} ms, "
            f"most {max(taken):.1f} ms; begun {results[0]} - {results[1]} - {results[2]}"
        )
        for what in illegal[:5]:
            print(f"games: illegal: {what}")
        fine = fine and not late and not illegal
    return fine


def elo(share):
    share = min(max(share, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / share - 1)


def report(name, results, units):
    """The error is that of the mean of units: pairs of games with one opening, which decides many of them, or single games."""
    wins, losses, draws = results
    count = sum(results)
    mean = (wins + draws / 2) / count
    variance = sum((unit - mean) ** 2 for unit in units) / len(units)
    error = 1.96 * math.sqrt(variance / len(units))
    print(
        f"{name}: {count} games, {wins} - {losses} - {draws}, {100 * mean:.1f} %; "
        f"Elo {elo(mean):+.0f}, between {elo(mean - error):+.0f} and {elo(mean + error):+.0f}"
    )
    return mean, mean - error


def match(arguments, first, second):
    openings = undecided_openings() if arguments.rule == "free" else ()
    return parallel(arguments, first, second, arguments.rule, arguments.games, openings)


def threads(arguments):
    engine = arguments.engine
    results, _, illegal, pairs = match(arguments, [engine, "--threads", "2"], [engine])
    _, least = report(f"threads: {arguments.rule}: two against one", results, pairs)
    return least > 0.5 and not illegal


def versus(arguments):
    results, _, illegal, pairs = match(arguments, [arguments.engine], [arguments.other])
    report(f"versus: {arguments.rule}", results, pairs)
    return not illegal


def stop(arguments):
    chance = random.Random(arguments.seed)
    process = subprocess.Popen([arguments.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()

    say("AGI")
    say("SETOPTION PONDER OFF")
    taken = []
    for _ in range(arguments.games):
        stones = opening(chance, "renju")
        say("POSITION MOVES " + "".join(map(text, stones)))
        say("GO INFINITE")
        time.sleep(chance.uniform(0, 0.1))
        begun = time.monotonic()
        say("STOP")
        line = ""
        while not line.startswith("BESTMOVE"):
            line = process.stdout.readline()
            assert line, "the engine is gone"
        taken.append((time.monotonic() - begun) * 1000)
    say("QUIT")
    process.wait(timeout=10)
    p99 = percentile(taken, 0.99)
    print(f"stop: {len(taken)} searches, p50 {percentile(taken, 0.5):.2f} ms, p99 {p99:.2f} ms, most {max(taken):.2f} ms")
    return p99 <= 20


def slices():
    """All lines of a board of which five fit, as slices of its cells row by row."""
    for index in range(SIDE):
        yield slice(index * SIDE, (index + 1) * SIDE)
        yield slice(index, None, SIDE)
    for length in range(5, SIDE + 1):
        over = SIDE - length
        down, up = SIDE + 1, SIDE - 1
        for first, step in {(over, down), (over * SIDE, down), (length - 1, up), (over * SIDE + up, up)}:
            yield slice(first, first + step * (length - 1) + 1, step)


def remember_lines(checked=200):
    """What gomokubench says of a line is kept, for it asks again and again: its answers come many times as fast. The first ones
    are compared with its own."""
    import numpy
    from libs import board, eval_fn

    lines, values = list(slices()), {}
    line_value, slow_value, slow_count = eval_fn.evaluate_line, eval_fn.evaluate_color, board.BoardState.check_pattern
    left = {"value": checked, "count": checked}

    def same(what, fast, slow):
        if left[what] > 0:
            left[what] -= 1
            assert fast == slow(), what
        return fast

    def value(line, color, current):
        key = (line, color, current)
        if key not in values:
            values[key] = line_value(numpy.frombuffer(line, dtype=numpy.int8), color, current)
        return values[key]

    def evaluate_color(state, color, current_color):
        cells, current = state.values.astype(numpy.int8).tobytes(), color == current_color
        fast = sum(value(cells[line], color, current) for line in lines) * color
        return same("value", fast, lambda: slow_value(state, color, current_color))

    def check_pattern(state, pattern):
        cells, wanted = state.values.astype(numpy.int8).tobytes(), pattern.astype(numpy.int8).tobytes()
        fast = sum(wanted in cells[line] for line in lines)
        return same("count", fast, lambda: slow_count(state, pattern))

    eval_fn.evaluate_color, board.BoardState.check_pattern = evaluate_color, check_pattern


def gomokubench_games(arguments, numbers):
    """The results of the games with these numbers; in the even ones we begin."""
    from libs import piece
    from libs.ai import get_best_move, resolve_ai_settings
    from libs.board import BoardState

    remember_lines()
    settings = resolve_ai_settings(level=arguments.level)
    results = [0, 0, 0]
    engine = Engine([arguments.engine], 0, arguments.turn)
    for game in numbers:
        engine.restart()
        ours = game % 2
        stones, state = [], BoardState(SIDE)
        while not state.is_terminal():
            mover = len(stones) % 2
            if mover == ours:
                cell, _ = engine.move(stones)
                assert cell is not None and cell not in stones, f"illegal: {cell}"
            else:
                is_black = mover == 0
                cell, _ = get_best_move(
                    state, settings["depth"], is_black, settings["candidate_count"], settings["random_top_n"]
                )
                cell = tuple(int(value) for value in cell)
            stones.append(cell)
            state = state.next(cell)
        won = state.check_five_in_a_row()[1]
        winner = {piece.BLACK: 0, piece.WHITE: 1}.get(won)
        results[2 if winner is None else 0 if winner == ours else 1] += 1
        if arguments.verbose:
            print(f"gomokubench: game {game + 1}: {''.join(map(text, stones))} {results}", flush=True)
    engine.end()
    return results


def gomokubench(arguments):
    jobs, games = range(arguments.jobs), range(arguments.games)
    shares = [[game for game in games if game // 2 % arguments.jobs == job] for job in jobs]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(gomokubench_games, [arguments] * arguments.jobs, shares))
    results = [sum(part) for part in zip(*done)]
    scores = [1] * results[0] + [0] * results[1] + [0.5] * results[2]
    mean, _ = report(f"gomokubench ({arguments.level})", results, scores)
    return mean >= 0.95


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["judge", "games", "stop", "gomokubench", "threads", "versus"])
    parser.add_argument("--engine", default="target/release/chuhe-gobang")
    parser.add_argument("--other", default="target/release/chuhe-gobang", help="the opponent in versus")
    parser.add_argument("--rule", default="free", choices=list(RULES), help="of versus and threads")
    parser.add_argument("--judge", default="target/release/examples/judge")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=0, help="how many games, or searches that are stopped")
    parser.add_argument("--turn", type=int, default=50, help="milliseconds a move")
    parser.add_argument("--threads", type=int, default=1, help="of each engine in games")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--level", default="hard", help="of gomokubench")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    defaults = {"games": 1000, "stop": 1000, "gomokubench": 100, "threads": 400, "versus": 400, "judge": 0}
    arguments.games = arguments.games or defaults[arguments.what]
    doing = {"judge": judge, "games": games, "stop": stop, "gomokubench": gomokubench, "threads": threads}
    doing["versus"] = versus
    if not doing[arguments.what](arguments):
        sys.exit(f"{arguments.what}: FAILED")


if __name__ == "__main__":
    main()
