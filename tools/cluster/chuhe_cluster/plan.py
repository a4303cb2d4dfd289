"""Arithmetic over the words of a match: its games, its pieces, and the processors that a piece takes."""

import re

# Rounds of a test without -rounds, as in the arena.
ROUNDS_OF_A_TEST = 1_000_000

# Pairs of a piece: the most that a lost machine costs, and the distance that a test looks ahead.
PAIRS = 4

# Options of engines that set the number of threads.
THREADS = {"option.threads", "option.cores"}


def number_of_games(words):
    """Number of games of a match."""

    def value(name, default):
        at = [index for index, word in enumerate(words) if word.lstrip("-") == name]
        return int(words[at[-1] + 1]) if at else default

    engines = sum(word.lstrip("-") == "engine" for word in words)
    pairs = zip((word.lstrip("-") for word in words), (word.lower() for word in words[1:]))
    is_gauntlet = ("tournament", "gauntlet") in pairs
    encounters = engines - 1 if is_gauntlet else engines * (engines - 1) // 2
    is_test = any(word.lstrip("-") == "sprt" for word in words)
    rounds = value("rounds", ROUNDS_OF_A_TEST if is_test else 1)
    return rounds * value("games", 2) * encounters


def number_of_pieces(words):
    """Number of pieces of a match."""
    return max(1, -(-_pairs(number_of_games(words)) // PAIRS))


def _pairs(games):
    return -(-games // 2)


def piece_of(game, games, pieces):
    """Piece in which a game is played, as `-shard` counts them."""
    return (game - 1) // 2 * pieces // _pairs(games) + 1


def games_of(piece, games, pieces):
    """Numbers of the games of a piece, as `-shard` counts them."""
    first, end = (-(-edge * _pairs(games) // pieces) for edge in (piece - 1, piece))
    return range(2 * first + 1, min(2 * end, games) + 1)


def has_clocks(words):
    """Whether an engine plays with a clock or a time for each move."""
    return any(value.startswith(("tc=", "st=")) for word, values in groups(words) if word in ("engine", "each") for value in values)


def groups(words):
    """Every word with a dash and the values after it."""
    found = []
    for word in words:
        if re.match("--?[A-Za-z]", word):
            found.append((word.lstrip("-"), []))
        elif found:
            found[-1][1].append(word)
    return found


def threads_of_a_game(words):
    """Most threads that think at the same time in one game, as the arena counts them: those of both sides if an engine
    ponders."""

    def last(values, names):
        pairs = (value.partition("=") for value in values)
        known = [(is_pair, value) for key, is_pair, value in pairs if key.lower() in names]
        return known[-1] if known else None

    def threads(values, each):
        _, number = last(values, THREADS) or last(each, THREADS) or ("", "")
        return max(1, int(number)) if number.isdecimal() else 1

    def ponders(values, each):
        is_pair, value = last(values, {"ponder"}) or last(each, {"ponder"}) or ("=", "off")
        return not is_pair or value in {"on", "true", "yes", "1"}

    all_groups = groups(words)
    each = [value for word, values in all_groups if word == "each" for value in values]
    engines = [values for word, values in all_groups if word == "engine"]
    at_once = 2 if any(ponders(values, each) for values in engines) else 1
    return sum(sorted((threads(values, each) for values in engines), reverse=True)[:at_once])


def processors(words, most):
    """Number of processors, of the `most` of a node, that a piece takes: one for each thread of its games that thinks."""
    given = [int(value) for word, values in groups(words) if word == "concurrency" for value in values[:1]]
    games = given[-1] if given else 1
    if games > most:
        raise ValueError(f"-concurrency {games}: no node has so many processors")
    wanted = games * threads_of_a_game(words)
    if wanted > most and not {"-force", "--force"} & set(words):
        raise ValueError(
            f"{games} games at the same time have up to {wanted} threads that think, and no node has so many processors; "
            "use -force to play all the same"
        )
    return min(wanted, most)
