/* Chuhe: rules and endgame tablebases of Xiangqi (Chinese chess). MIT OR Apache-2.0.
 *
 * Texts are UTF-8 and end with a zero byte. Functions that can fail return CHUHE_ERROR or NULL, and chuhe_last_error says why,
 * for each thread by itself. Tables may be used by many threads at once, a game by one at a time.
 *
 * This file is made from tools/capi/src by cbindgen; a test holds it. */

#ifndef CHUHE_H
#define CHUHE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Returned by functions that fail; `chuhe_last_error` says why.
#define CHUHE_ERROR -1

// The game goes on, the position is in no table, or a move was played.
#define CHUHE_NONE 0

// A draw.
#define CHUHE_DRAW 1

// Tables: the side to move wins. Verdicts: Red has won.
#define CHUHE_WIN 2

// Tables: the side to move loses. Verdicts: Red has lost.
#define CHUHE_LOSS 3

// Tables: the outcome depends on the rules of repetition.
#define CHUHE_OPEN 4

// A game: a position with the moves that led to it.
typedef struct chuhe_game chuhe_game;

// Endgame tablebases; never changed, so that many threads may use them.
typedef struct chuhe_tables chuhe_tables;

// A move in coordinates, such as `h2e2`, with its zero byte.
typedef struct chuhe_move {
  // The text.
  char text[5];
} chuhe_move;

// A verdict on a game.
typedef struct chuhe_verdict {
  // `CHUHE_NONE` while the game goes on, `CHUHE_DRAW`, `CHUHE_WIN` or `CHUHE_LOSS` as seen from Red.
  int result;
  // Number of plies of the loop that decides; 0 if the game does not end by repetition.
  size_t loop_plies;
} chuhe_verdict;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the message of the last error on this thread, or an empty text. It is valid until the thread's next error.
const char *chuhe_last_error(void);

// Starts a game from a FEN, or from the start position if `fen` is NULL. Returns NULL after an error.
//
// # Safety
// `fen` is NULL or a text that ends with a zero byte.
struct chuhe_game *chuhe_game_new(const char *fen);

// Frees a game; NULL is nothing.
//
// # Safety
// `game` is NULL or comes from `chuhe_game_new` and has not been freed.
void chuhe_game_free(struct chuhe_game *game);

// Plays a move in coordinates (`h2e2`), WXF (`C2=5`) or Chinese notation. Returns CHUHE_NONE or CHUHE_ERROR.
//
// # Safety
// `game` is a living game that no other thread uses, `mv` a text that ends with a zero byte.
int chuhe_game_play(struct chuhe_game *game,
                    const char *mv);

// Takes the last move back. Returns CHUHE_NONE or CHUHE_ERROR.
//
// # Safety
// `game` is a living game that no other thread uses.
int chuhe_game_undo(struct chuhe_game *game);

// Returns 1 if Red is to move, 0 if Black is, or CHUHE_ERROR.
//
// # Safety
// `game` is a living game.
int chuhe_game_red_to_move(const struct chuhe_game *game);

// Writes the FEN of the current position into `out`, cut to `capacity` bytes with the zero byte, and returns its whole length.
// 128 bytes are enough. Returns 0 after an error.
//
// # Safety
// `game` is a living game; `out` has room for `capacity` bytes, or is NULL if that is 0.
size_t chuhe_game_fen(const struct chuhe_game *game,
                      char *out,
                      size_t capacity);

// Writes as many legal moves as fit into `out` and returns how many there are; 128 places are always enough. Returns 0 after an
// error too: `chuhe_game_judge` tells a mate.
//
// # Safety
// `game` is a living game; `out` has room for `capacity` moves, or is NULL if that is 0.
size_t chuhe_game_legal_moves(const struct chuhe_game *game,
                              struct chuhe_move *out,
                              size_t capacity);

// Judges the game by these rules: asian, league, pikafish, chinese, checkban or noban. Fills `verdict`, writes the verdict in
// one line into `out`, cut to `capacity` bytes, and returns the result, or CHUHE_ERROR. `verdict` and `out` may be NULL.
//
// # Safety
// `game` is a living game, `rules` a text that ends with a zero byte, `verdict` NULL or a place for one; `out` has room for
// `capacity` bytes, or is NULL if that is 0.
int chuhe_game_judge(const struct chuhe_game *game,
                     const char *rules,
                     struct chuhe_verdict *verdict,
                     char *out,
                     size_t capacity);

// Opens the tablebases that are built in, which takes some milliseconds and 2 MB.
struct chuhe_tables *chuhe_tables_embedded(void);

// Opens the tablebases of folders separated by semicolons, and those that are built in. Returns NULL if a folder or a file
// cannot be used.
//
// # Safety
// `folders` is a text that ends with a zero byte.
struct chuhe_tables *chuhe_tables_open(const char *folders);

// Frees tablebases; NULL is nothing.
//
// # Safety
// `tables` is NULL or comes from `chuhe_tables_embedded` or `chuhe_tables_open`, has not been freed, and no thread uses it.
void chuhe_tables_free(struct chuhe_tables *tables);

// Returns the outcome for the side to move: CHUHE_WIN, CHUHE_DRAW, CHUHE_LOSS, CHUHE_OPEN, CHUHE_NONE if no table has the
// position, or CHUHE_ERROR.
//
// # Safety
// `tables` and `game` are living objects.
int chuhe_tables_outcome(const struct chuhe_tables *tables,
                         const struct chuhe_game *game);

// Returns the plies to the end of the game or the next capture in a won or lost position, or CHUHE_ERROR if they are unknown.
//
// # Safety
// `tables` and `game` are living objects.
int chuhe_tables_distance(const struct chuhe_tables *tables,
                          const struct chuhe_game *game);

// Writes as many of the moves that keep the outcome as fit into `out`, the fastest wins and longest defences first, and
// returns how many there are; 0 if no table has the position, or after an error.
//
// # Safety
// `tables` and `game` are living objects; `out` has room for `capacity` moves, or is NULL if that is 0.
size_t chuhe_tables_best_moves(const struct chuhe_tables *tables,
                               const struct chuhe_game *game,
                               struct chuhe_move *out,
                               size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CHUHE_H */
