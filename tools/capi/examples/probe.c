/* Plays a won ending out by the tablebases, judges a loop, and counts the leaves of two plies on two threads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "chuhe.h"

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, chuhe_last_error());
    return 1;
}

static int play_out(void) {
    chuhe_tables *tables = chuhe_tables_embedded();
    chuhe_game *game = chuhe_game_new("4k4/9/9/9/9/9/9/R8/9/3K5 w");
    if (!tables || !game) return failed("open");
    printf("outcome %d, distance %d\n", chuhe_tables_outcome(tables, game), chuhe_tables_distance(tables, game));
    for (int ply = 0; ply < 60 && chuhe_game_judge(game, "asian", NULL, NULL, 0) == CHUHE_NONE; ply++) {
        chuhe_move best; /* The first one is the fastest win, or the longest defence. */
        if (chuhe_tables_best_moves(tables, game, &best, 1) == 0) return failed("best moves");
        if (chuhe_game_play(game, best.text) == CHUHE_ERROR) return failed(best.text);
    }
    char line[256];
    chuhe_verdict verdict;
    chuhe_game_judge(game, "asian", &verdict, line, sizeof line);
    printf("%s\n", line);
    chuhe_game_free(game);
    chuhe_tables_free(tables);
    return verdict.result != CHUHE_WIN;
}

static int judge_a_loop(void) {
    static const char *const loop[] = {"f0e0", "e8f8", "e0f0", "f8e8"};
    chuhe_game *game = chuhe_game_new("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w");
    if (!game) return failed("game");
    for (int ply = 0; ply < 8; ply++)
        if (chuhe_game_play(game, loop[ply % 4]) == CHUHE_ERROR) return failed(loop[ply % 4]);
    char line[256];
    chuhe_verdict verdict;
    int result = chuhe_game_judge(game, "asian", &verdict, line, sizeof line);
    printf("%s (%zu plies)\n", line, verdict.loop_plies);
    chuhe_game_free(game);
    return result != CHUHE_LOSS;
}

static void *count_leaves(void *leaves) {
    chuhe_game *game = chuhe_game_new(NULL);
    chuhe_move moves[128];
    size_t count = chuhe_game_legal_moves(game, moves, 128);
    for (size_t index = 0; index < count; index++) {
        chuhe_game_play(game, moves[index].text);
        *(size_t *)leaves += chuhe_game_legal_moves(game, NULL, 0);
        chuhe_game_undo(game);
    }
    chuhe_game_free(game);
    return NULL;
}

static int count_on_threads(void) {
    pthread_t threads[2];
    size_t leaves[2] = {0, 0};
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, count_leaves, &leaves[index]);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    printf("%zu and %zu leaves\n", leaves[0], leaves[1]);
    return leaves[0] != 1920 || leaves[1] != 1920;
}

static int refuse_nonsense(void) {
    chuhe_game *game = chuhe_game_new(NULL);
    int wrong = chuhe_game_new("nonsense") != NULL || strlen(chuhe_last_error()) == 0;
    wrong |= chuhe_game_play(game, "h2h8") != CHUHE_ERROR || chuhe_game_play(NULL, "h2e2") != CHUHE_ERROR;
    wrong |= chuhe_game_play(game, "\xff\xfe") != CHUHE_ERROR || chuhe_game_undo(game) != CHUHE_ERROR;
    wrong |= chuhe_game_judge(game, "mine", NULL, NULL, 0) != CHUHE_ERROR || chuhe_tables_open("/nowhere") != NULL;
    char fen[8];
    wrong |= chuhe_game_fen(game, fen, sizeof fen) < 50 || strlen(fen) != 7;
    printf("%s\n", chuhe_last_error());
    chuhe_game_free(game);
    chuhe_game_free(NULL);
    chuhe_tables_free(NULL);
    return wrong;
}

int main(void) {
    return play_out() || judge_a_loop() || count_on_threads() || refuse_nonsense();
}
