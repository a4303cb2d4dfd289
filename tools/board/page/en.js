/* All texts of the page in English. */

export const ENGLISH = {
  "view-play": "Play", "view-analyse": "Analyse", "view-watch": "Watch",
  "settings": "Settings", "language": "Language", "keys": "Keys", "close": "Close", "cancel": "Cancel", "stop": "Stop", "begin": "Start", "on": "On", "off": "Off",
  "red": "Red", "black": "Black", "random": "Random", "you": "You", "player": "Player", "draw": "Draw",
  "board": "Board", "flip": "Turn the board", "go-first": "First position", "go-back": "One move back", "go-on": "One move on", "go-last": "Last position", "replay": "Play the moves",
  "type-a-move": "Type a move", "move-hint": "h2e2, 炮二平五", "no-moves": "No moves yet.", "empty": "empty",
  "taken-up": "{piece}: {squares}", "spoken-move": "{side}: {move}, {piece} to {square}{takes}", "spoken-takes": ", takes the {piece}",
  "piece-K": "red king", "piece-A": "red advisor", "piece-B": "red elephant", "piece-N": "red horse", "piece-R": "red rook", "piece-C": "red cannon", "piece-P": "red pawn",
  "piece-k": "black king", "piece-a": "black advisor", "piece-b": "black elephant", "piece-n": "black horse", "piece-r": "black rook", "piece-c": "black cannon", "piece-p": "black pawn",
  "seconds": "{n} s", "minutes": "{n} min", "plies": "{n} moves",

  "notation": "Moves", "notation-iccs": "Coordinates", "notation-chinese": "Chinese", "notation-wxf": "WXF", "pieces": "Pieces", "pieces-character": "帥 車 馬", "pieces-letter": "Letters",
  "board-wood": "Wood", "board-paper": "Paper", "theme": "Colours", "theme-auto": "System", "theme-light": "Light", "theme-dark": "Dark", "sounds": "Sounds", "arrows": "Arrows", "motion": "Moving pieces",

  "new-game": "New game", "opponent": "Opponent", "at-a-level": "At a level", "full-strength": "Full strength", "elo": "{n} Elo", "time": "Time", "time-movetime": "Seconds for a move", "time-clock": "Clock for both sides", "time-depth": "Depth", "time-nodes": "Nodes",
  "seconds-a-move": "Seconds", "minutes-a-game": "Minutes", "increment": "Seconds added", "depth": "Depth", "nodes": "Nodes", "your-colour": "Your colour", "from": "From", "initial-position": "Initial position", "shown-position": "Shown position",
  "rules": "Repetition", "rules-asian": "Asian rules", "rules-league": "Computer league", "rules-pikafish": "Pikafish", "rules-chinese": "Chinese rules", "rules-checkban": "Only perpetual check is banned", "rules-noban": "Every repetition is a draw",
  "takeback": "Take back", "hint": "Hint", "offer-draw": "Offer a draw", "resign": "Resign", "move-now": "Move now", "accept-draw": "Accept the draw", "analyse-game": "Analyse this game",
  "your-move": "Your move: {side}.", "in-check": "You are in check.", "engine-thinks": "{engine} is thinking.", "thinks": "Thinking, depth {depth}.", "browsing": "You are looking at an earlier position.", "waiting-for-connection": "Waiting for the connection.",
  "draw-will-be-offered": "The draw is offered with your next move.", "engine-offers-draw": "{engine} offers a draw. A move declines it.", "draw-declined": "{engine} declines the draw.", "hint-says": "Hint: {move} ({score})",
  "loses-by-repetition": "Moves marked in red repeat the position and lose ({rules}).", "rules-in-force": "Rules of repetition: {rules}",
  "ended-red": "Red wins: {reason}.", "ended-black": "Black wins: {reason}.", "ended-drawn": "Draw: {reason}.",
  "reason-mate": "checkmate", "reason-stalemate": "no legal move", "reason-repetition": "repetition", "reason-move_limit": "move limit", "reason-no_attackers": "no piece can attack", "reason-resignation": "resignation", "reason-agreement": "agreement", "reason-time": "time is up", "reason-engine_failed": "the engine failed",
  "loop-repeats": "This loop decides the game:", "loop-victims": "Chased: {squares}", "loop-ending": "{rules}: {ending}.",
  "conduct-idle": "neither checks nor chases", "conduct-attack": "attacks, but no chase as the rules mean it", "conduct-chase": "chases a piece with every move", "conduct-chase_of_pinned_rook": "chases a pinned rook with every move", "conduct-check": "checks with every move",
  "loop-perpetual-check": "perpetual check loses", "loop-perpetual-chase-of-a-pinned-rook": "the perpetual chase of a pinned rook loses", "loop-perpetual-chase": "perpetual chase loses", "loop-perpetual-attack": "perpetual attack loses", "loop-mutual-perpetual-check": "both check, a draw", "loop-mutual-perpetual-chase": "both chase, a draw", "loop-mutual-perpetual-attack": "both attack, a draw", "loop-repetition": "the repetition is a draw",

  "engine": "Engine", "engine-on": "Engine on or off", "lines": "Lines", "threads": "Threads", "hash": "Hash, MiB", "add-engine": "Another engine beside it", "remove-engine": "Remove this engine", "engine-facts": "depth {depth}{seldepth} · {nodes} nodes · {nps}/s · {time} s",
  "wdl-win": "Red wins {share}", "wdl-draw": "Draw {share}", "wdl-loss": "Black wins {share}", "value-bar": "Red expects {share}", "analysis-idle": "The analysis has ended by itself after an hour.",
  "comment": "Comment", "comment-hint": "Comment on this move", "promote": "Promote", "delete-from-here": "Delete from here",
  "book-and-tables": "Book and tablebases", "not-known": "Neither the book nor the tablebases know this position.", "column-move": "Move", "column-share": "Share", "column-weight": "Weight", "column-value": "Value", "column-result": "Result", "column-plies": "Plies", "column-accuracy": "Accuracy",
  "tablebase-win": "win", "tablebase-loss": "loss", "tablebase-open": "it depends on the rules of repetition", "tablebase-unknown": "unknown", "tablebase-draw": "draw", "tablebase-plies": "{n} plies to the end",
  "review": "The whole game", "review-begin": "Analyse all moves", "review-time": "For a move", "review-100": "0.1 s", "review-500": "0.5 s", "review-2000": "2 s", "review-10000": "10 s", "review-starts": "Starting.", "review-goes-on": "Going on with position {done} of {total}.", "review-progress": "{done} of {total}, {time} to go",
  "inaccuracy": "inaccuracy", "mistake": "mistake", "blunder": "blunder", "inaccuracies": "Inaccuracies", "mistakes": "Mistakes", "blunders": "Blunders", "curve": "Red's expectation, move by move",

  "matches-of-the-arena": "Arena matches", "engine-against-engine": "Engine against engine", "journal": "Match", "refresh": "Look again", "no-journals": "No journals. Start the program with the folder of a match: --journals FOLDER.", "no-journals-yet": "There is no journal in the folder yet (a file NAME.journal). The page opens the first one by itself.", "follow-live": "Follow the match", "under-way": "under way",
  "game-says": "Game {n}: {how}", "games-played": "{n}{total} games",
  "ending-Mate": "mate", "ending-Stalemate": "no legal move", "ending-Repetition": "repetition", "ending-MoveLimit": "move limit", "ending-NoAttackers": "no attackers", "ending-Resignation": "resignation", "ending-Agreement": "agreement", "ending-DrawAdjudication": "called a draw", "ending-WinAdjudication": "called a win", "ending-MaxMoves": "too many moves", "ending-TimeLoss": "time", "ending-Crash": "crash", "ending-Killed": "killed", "ending-Hang": "no answer", "ending-IllegalMove": "illegal move", "ending-BannedMove": "banned move", "ending-NoHandshake": "no handshake", "ending-ProtocolViolation": "protocol", "ending-Interrupted": "stopped",

  "set-up": "Set up a position", "set-up-help": "Choose a piece and tap squares, or drag pieces. A piece dropped beside the board is removed.", "eraser": "Remove pieces", "red-moves": "Red moves", "black-moves": "Black moves", "fen": "FEN", "clear": "Clear", "analyse-it": "Analyse", "play-it": "Play",
  "position-good": "The position can be played.", "position-bad": "This cannot be played: {why}",

  "load": "Load a game", "load-help": "PGN, XQF, CBR, CBL, CHE, MXQ, DhtmlXQ, lists of moves, 炮二平五, FEN, a journal, or a link with a game. Files can also be dropped on the page.", "paste-hint": "Paste a game or a position", "read-it": "Read", "choose-file": "Choose a file", "choose": "Choose", "games-found": "{n} games", "loaded": "Loaded. Moves: {n}.",
  "save": "Save and share", "game-as-pgn": "Game (PGN)", "position-as-fen": "Position (FEN)", "picture": "Picture of the board", "link": "Link with the game", "download": "Save", "copy": "Copy", "svg": "SVG", "png": "PNG", "copied": "Copied.", "copy-yourself": "The browser refuses to copy: the text is selected.", "saved": "Saved: {name}.",

  "engines": "Engines", "engines-help": "Programs on this computer that speak UCCI or UCI. Chuhe itself is built in.", "no-engines": "No other engines yet.", "add-an-engine": "Add an engine", "save-engines": "Save", "engines-saved": "The engines are saved.", "engines-file": "Kept in {file}", "engine-name": "Name", "command": "Command", "arguments": "Arguments", "folder": "Folder", "engine-options": "Options", "options-hint": "Hash = 64", "protocol": "Protocol", "protocol-auto": "Find out", "protocol-ucci": "UCCI", "protocol-uci": "UCI", "test-engine": "Test", "testing": "Testing.", "engine-answers": "{name} answers: {protocol}, {ms} ms.", "engine-fails": "The engine does not answer as it should.",

  "key-steps": "one move back or on", "key-ends": "first or last position", "key-siblings": "other variation", "key-space": "hint or move now; engine on or off; play the moves", "key-undo": "take back", "key-flip": "turn the board", "key-load": "load", "key-save": "save", "key-views": "play, analyse, watch", "key-board": "to the board: arrows move a cursor, Enter takes up and puts down", "key-help": "this list",

  "connection-lost-wait": "The connection is lost. Trying again. If the program has ended, start it again and open the address that it prints.",
  "too-many-pages": "Too many pages of this board are open. Close one of them.", "other-start": "The program has been started anew. Open the address that it has printed.",
  "error-connection_lost": "The connection is lost.", "error-bad_message": "The server did not understand a request.", "error-unknown_type": "The server does not know this request.", "error-bad_position": "This position cannot be used.", "error-bad_move": "That is not a legal move here.", "error-bad_engine": "This engine cannot be used.", "error-engine_failed": "The engine failed.", "error-too_many": "Too many at once.", "error-too_large": "That is too large.", "error-busy": "The engine is busy.", "error-not_found": "Not found.", "error-io": "A file cannot be read or written.", "error-unreadable": "No game or position was found in it.", "error-cancelled": "Cancelled.",
};
