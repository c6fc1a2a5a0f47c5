/* The search of search.py, for bots that think long and reports with many thousand searches.
 *
 * Functions and fields have the names and effects of search.py; the comments there give the
 * reasons. Chance has another generator here, so one seed finds different results in C and in
 * Python. Python makes all data computed once for a position (deals, mats, stages of rounds):
 * the structures up to `task` are the structures of fast_search.py. `try_out` is left out.
 *
 * As the number of a node or a position, 0 stands for "none": the root is node 0, which follows
 * no node, and positions are counted from 1.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The first 31 bits of SHA-256 of this file: a program that loads the library first checks that
 * the library was made from the source beside it. */
#ifndef SOURCE
#define SOURCE 0
#endif

enum {
    CARDS = 18,
    PLACES = 3, /* a pass is the last */
    NOWHERE = 2,
    MOVES = 11,     /* five cards at two places, or none */
    WAYS = 4,       /* in which two seats may have one of two places free */
    DECISIONS = 18, /* of a set: three rounds, two seats, two cards and a pass */
    LAST_ROUND = 2,
    OVER = -1, /* instead of the seat to move */
    PAIR = 30, /* bits of one seat's packed tokens */
    WHISK = 1,
};

struct mat {
    uint64_t token;
    uint32_t matching;
    uint32_t beaten[CARDS]; /* by each card, in the order of bits */
};

struct stage {
    int32_t seat;
    int32_t free[2];           /* whether this seat may lay a card there */
    int32_t following[PLACES]; /* the stage after each move */
    int32_t ways;
    int32_t open_counts[WAYS];
    int32_t open[WAYS][4];
};

struct deal {
    uint32_t hands[2];
    uint32_t laid[4];
};

struct choice {
    int32_t place;
    uint32_t card;
    int32_t visits;
    double total;
};

struct task {
    uint64_t tokens[2];
    struct mat mats[6];
    const struct stage *stages;
    const struct deal *deals;
    int32_t deal_count;
    int32_t number;           /* of the round, 0..2 */
    int32_t stage;            /* of the root */
    int32_t within, at_end;   /* which verdicts hold after a round, and after the last */
    int32_t first_stages[36]; /* of a round, by six times the cards of seat 0 plus those of 1 */
    double exploration, matching;
};

typedef double judge(int32_t verdicts, uint64_t pair);

/* ---- What one search remembers ---------------------------------------------------------------- */

struct position {
    int32_t count;
    int8_t moves;
    int8_t untried_count;
    int8_t untried[MOVES];
    int8_t places[MOVES];
    uint32_t cards[MOVES];
    int32_t visits[MOVES];
    double totals[MOVES];
};

struct node {
    int32_t number;
    int32_t stage;
    int32_t following[PLACES];
};

/* The value found by a node and a key: a dictionary of each node, all in one table. */
struct entry {
    uint64_t key;
    int32_t node;
    int32_t value;
};

struct map {
    struct entry *entries;
    uint64_t mask;
};

struct search {
    const struct task *task;
    judge *asked;
    uint64_t random;
    double *reach;
    struct node *nodes;
    struct position *listed;
    int32_t node_count, position_count;
    struct map positions, rounds;
    struct remembered *verdicts;
};

/* The cards and tokens of one iteration. */
struct table {
    uint32_t hands[2];
    uint32_t laid[4];
    uint64_t tokens[2];
};

struct step {
    struct position *position;
    int32_t at;
    int32_t seat;
};

struct path {
    struct step steps[DECISIONS];
    int32_t count;
};

/* ---- Chance, by SplitMix64 (Steele, Lea, Flood 2014) ------------------------------------------ */

static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
}

static double random_part(struct search *search)
{
    search->random += 0x9e3779b97f4a7c15;
    return (double)(mixed(search->random) >> 11) * 0x1p-53;
}

static int32_t below(struct search *search, int32_t count)
{
    return (int32_t)(random_part(search) * count);
}

/* ---- Verdicts --------------------------------------------------------------------------------- */

/* Python is asked about a pair of tokens once, or again if another pair has taken its place
 * here. */
enum { REMEMBERED = 1 << 14 };
struct remembered {
    uint64_t pair;
    int32_t verdicts; /* 0 where nothing is remembered: Python counts them from 1 */
    double verdict;
};

static double verdict_on(const struct search *search, int32_t verdicts, uint64_t pair)
{
    struct remembered *known =
        &search->verdicts[mixed(pair + mixed((uint64_t)verdicts)) % REMEMBERED];
    if (known->pair != pair || known->verdicts != verdicts)
        *known = (struct remembered){pair, verdicts, search->asked(verdicts, pair)};
    return known->verdict;
}

static bool goes_on(double verdict)
{
    return verdict < 0;
}

/* ---- Cards and mats --------------------------------------------------------------------------- */

/* Of two zeros only the first is named, because the zeros are alike. */
static uint32_t named(uint32_t cards)
{
    return cards >> 16 & 1 ? cards & ~(1u << 17) : cards;
}

static uint32_t lowest(uint32_t cards)
{
    return cards & -cards;
}

/* Return one of the named cards, counted from the lowest. */
static uint32_t card_at(uint32_t cards, int32_t at)
{
    while (at--)
        cards &= cards - 1;
    return lowest(cards);
}

static int32_t size(uint32_t cards)
{
    return __builtin_popcount(cards);
}

static int32_t index_of(uint32_t card)
{
    return __builtin_ctz(card);
}

static void award(const struct mat *mat, uint32_t first, uint32_t second, uint64_t tokens[2])
{
    bool matches[2] = {first & mat->matching, second & mat->matching};
    if (first && second) {
        if (!matches[0] && !matches[1])
            return;
        bool wins = matches[0] && (!matches[1] || second & mat->beaten[index_of(first)]);
        bool consoled = !matches[0] || !matches[1];
        tokens[!wins] += mat->token;
        tokens[wins] += consoled ? WHISK : 0;
    } else if (first || second) {
        tokens[second != 0] += mat->token;
    }
}

/* Hand out the tokens of a round, and return the verdict on the tokens. */
static double resolve(const struct search *search, int32_t number, struct table *table)
{
    const struct task *task = search->task;
    for (int32_t place = 0; place < NOWHERE; place++)
        award(&task->mats[2 * number + place], table->laid[place], table->laid[2 + place],
              table->tokens);
    return verdict_on(search, number == LAST_ROUND ? task->at_end : task->within,
                      table->tokens[0] << PAIR | table->tokens[1]);
}

static void clear_mats(struct table *table)
{
    for (int32_t at = 0; at < 4; at++)
        table->laid[at] = 0;
}

/* ---- The tree --------------------------------------------------------------------------------- */

/* Return the place of the value of a key, with 0 there until the value is written. */
static int32_t *value_of(struct map *map, int32_t node, uint64_t key)
{
    uint64_t at = mixed(key + mixed((uint64_t)node));
    struct entry *entry = &map->entries[at & map->mask];
    while (entry->value && (entry->node != node || entry->key != key))
        entry = &map->entries[++at & map->mask];
    entry->node = node;
    entry->key = key;
    return &entry->value;
}

static int32_t new_node(struct search *search, int32_t number, int32_t stage)
{
    search->nodes[search->node_count] = (struct node){.number = number, .stage = stage};
    return search->node_count++;
}

static const struct stage *stage_of(const struct search *search, int32_t node)
{
    return &search->task->stages[search->nodes[node].stage];
}

static int32_t node_after(struct search *search, int32_t at, int32_t place)
{
    struct node *node = &search->nodes[at];
    if (!node->following[place])
        node->following[place] =
            new_node(search, node->number, stage_of(search, at)->following[place]);
    return node->following[place];
}

/* Return the node after the round; each way to turn cards up has its own node. */
static int32_t next_round(struct search *search, int32_t node, const struct table *table)
{
    uint64_t seen = 0;
    for (int32_t place = 0; place < NOWHERE; place++) {
        uint32_t first = table->laid[place], second = table->laid[2 + place];
        seen <<= 10;
        if (first && second)
            seen |= (uint64_t)(index_of(first) + 1) << 5 | (uint64_t)(index_of(second) + 1);
    }
    int32_t *following = value_of(&search->rounds, node, seen);
    if (!*following) {
        int32_t held = 6 * size(table->hands[0]) + size(table->hands[1]);
        *following = new_node(search, search->nodes[node].number + 1,
                              search->task->first_stages[held]);
    }
    return *following;
}

static void add_move(struct position *position, int32_t place, uint32_t card)
{
    int8_t at = position->moves++;
    position->untried[position->untried_count++] = at;
    position->places[at] = (int8_t)place;
    position->cards[at] = card;
}

static int32_t new_position(struct search *search, const struct stage *stage, uint32_t hand)
{
    struct position *position = &search->listed[++search->position_count];
    for (int32_t place = 0; place < NOWHERE; place++)
        if (stage->free[place])
            for (uint32_t left = named(hand); left; left ^= lowest(left))
                add_move(position, place, lowest(left));
    add_move(position, NOWHERE, 0);
    return search->position_count;
}

/* Return the place of the seat's position in the list; states that look alike to the seat are
 * one position. */
static int32_t *position_at(struct search *search, int32_t node, const struct table *table)
{
    int32_t seat = stage_of(search, node)->seat;
    uint64_t number_card = table->laid[2 * seat], suit_card = table->laid[2 * seat + 1];
    uint64_t key = table->hands[seat] | number_card << CARDS | suit_card << 2 * CARDS;
    return value_of(&search->positions, node, key);
}

static int32_t untried(struct search *search, struct position *position)
{
    int32_t chosen = below(search, position->untried_count--);
    int32_t at = position->untried[chosen];
    position->untried[chosen] = position->untried[position->untried_count];
    return at;
}

static int32_t best(const struct search *search, const struct position *position)
{
    double factor = sqrt(log(position->count)), most = -INFINITY;
    int32_t found = 0;
    for (int32_t at = 0; at < position->moves; at++) {
        int32_t visits = position->visits[at];
        double bound = position->totals[at] / visits + factor * search->reach[visits];
        if (bound > most) {
            most = bound;
            found = at;
        }
    }
    return found;
}

static int32_t pick(struct search *search, struct position *position)
{
    position->count++;
    return position->untried_count ? untried(search, position) : best(search, position);
}

static void note(const struct path *path, double verdict)
{
    for (const struct step *step = path->steps; step < path->steps + path->count; step++) {
        step->position->visits[step->at]++;
        step->position->totals[step->at] += step->seat ? 1 - verdict : verdict;
    }
}

/* ---- An iteration ----------------------------------------------------------------------------- */

/* Return a card that a playout lays at a mat, or 0 for no card. */
static uint32_t card_for(struct search *search, const struct mat *mat, uint32_t hand)
{
    uint32_t good = named(hand & mat->matching);
    if (good && random_part(search) < search->task->matching)
        return card_at(good, below(search, size(good)));
    uint32_t cards = named(hand);
    int32_t at = below(search, size(cards) + 1);
    return at < size(cards) ? card_at(cards, at) : 0;
}

static void lay(struct search *search, int32_t number, int32_t at, struct table *table)
{
    uint32_t *hand = &table->hands[at / 2];
    if (*hand) {
        table->laid[at] = card_for(search, &search->task->mats[2 * number + at % 2], *hand);
        *hand ^= table->laid[at];
    }
}

/* Play the set to its end by simple chance; return the verdict. */
static double play_out(struct search *search, int32_t node, struct table *table)
{
    const struct stage *stage = stage_of(search, node);
    int32_t number = search->nodes[node].number;
    int32_t way = stage->ways == 1 ? 0 : below(search, stage->ways);
    for (int32_t at = 0; at < stage->open_counts[way]; at++)
        lay(search, number, stage->open[way][at], table);
    double verdict = resolve(search, number, table);
    while (goes_on(verdict)) {
        clear_mats(table);
        number++;
        for (int32_t at = 0; at < 4; at++)
            lay(search, number, at, table);
        verdict = resolve(search, number, table);
    }
    return verdict;
}

/* Let the seat to move decide, note the decision on the path, and return the next node. */
static int32_t decide(struct search *search, int32_t node, struct table *table,
                      struct position *position, struct path *path)
{
    int32_t seat = stage_of(search, node)->seat, at = pick(search, position);
    path->steps[path->count++] = (struct step){position, at, seat};
    if (position->cards[at]) {
        table->laid[2 * seat + position->places[at]] = position->cards[at];
        table->hands[seat] ^= position->cards[at];
    }
    return node_after(search, node, position->places[at]);
}

static struct table dealt(struct search *search)
{
    const struct deal *deal = &search->task->deals[below(search, search->task->deal_count)];
    const uint64_t *tokens = search->task->tokens;
    return (struct table){{deal->hands[0], deal->hands[1]},
                          {deal->laid[0], deal->laid[1], deal->laid[2], deal->laid[3]},
                          {tokens[0], tokens[1]}};
}

/* Walk down from the root, add a position, play on, and note the outcome. */
static void iterate(struct search *search)
{
    struct table table = dealt(search);
    struct path path = {.count = 0};
    double verdict = -1;
    int32_t node = 0;
    for (bool known = true; known;) {
        int32_t *listed = position_at(search, node, &table);
        known = *listed != 0;
        if (!known)
            *listed = new_position(search, stage_of(search, node),
                                   table.hands[stage_of(search, node)->seat]);
        node = decide(search, node, &table, &search->listed[*listed], &path);
        if (stage_of(search, node)->seat == OVER) {
            verdict = resolve(search, search->nodes[node].number, &table);
            if (!goes_on(verdict))
                break;
            node = next_round(search, node, &table);
            clear_mats(&table);
        }
    }
    note(&path, goes_on(verdict) ? play_out(search, node, &table) : verdict);
}

/* ---- The whole -------------------------------------------------------------------------------- */

static struct map new_map(int32_t values)
{
    uint64_t slots = 1;
    while (slots < 2 * (uint64_t)values)
        slots *= 2;
    return (struct map){calloc(slots, sizeof(struct entry)), slots - 1};
}

static bool prepare(struct search *search, int32_t iterations)
{
    /* An iteration adds a position and at most two new moves, each of which may end a round. */
    size_t most = (size_t)iterations + 1;
    search->nodes = calloc(4 * most, sizeof *search->nodes);
    search->listed = calloc(most, sizeof *search->listed);
    search->reach = calloc(most, sizeof *search->reach);
    search->positions = new_map(iterations + 1);
    search->rounds = new_map(2 * iterations + 1);
    search->verdicts = calloc(REMEMBERED, sizeof *search->verdicts);
    if (!search->nodes || !search->listed || !search->reach || !search->positions.entries ||
        !search->rounds.entries || !search->verdicts)
        return false;
    for (int32_t visits = 1; visits <= iterations; visits++)
        search->reach[visits] = search->task->exploration / sqrt(visits);
    new_node(search, search->task->number, search->task->stage);
    return true;
}

static void forget(struct search *search)
{
    free(search->nodes);
    free(search->listed);
    free(search->reach);
    free(search->positions.entries);
    free(search->rounds.entries);
    free(search->verdicts);
}

/* Return the hash of the source of this library. */
int32_t search_source(void)
{
    return SOURCE;
}

/* Search, and write the findings about each move at the root; return how many moves exist, or 0
 * without memory. */
int32_t search_run(const struct task *task, judge *asked, uint64_t seed, int32_t iterations,
                   struct choice choices[MOVES])
{
    struct search search = {.task = task, .asked = asked, .random = seed};
    int32_t moves = 0;
    if (prepare(&search, iterations)) {
        for (int32_t done = 0; done < iterations; done++)
            iterate(&search);
        const struct position *root = &search.listed[1]; /* all deals look alike there */
        for (moves = 0; moves < root->moves; moves++)
            choices[moves] = (struct choice){root->places[moves], root->cards[moves],
                                             root->visits[moves], root->totals[moves]};
    }
    forget(&search);
    return moves;
}
