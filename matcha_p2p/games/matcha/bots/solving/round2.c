/* Round 2 of a set solved, if all cards of round 1 were turned up, for round2.py. At the end of
 * this file: the solver of sequence_form.py for round 3, for fast_form.py.
 *
 * CFR+ solves round 2. The worth of an end of round 2 is the value of round 3, which both seats
 * play by its own solution with all deals equally likely. The solver runs once for each seat: in
 * a part of all games the opponent plays by habit, and not by the plan that the opponent learns.
 * Both plans are kept. If asked, the solver also judges each move: the worth to a seat that goes
 * on as well as possible, in both rounds, against the opponent's plan and the solution of round
 * 3.
 *
 * States are not merged. The state of a seat is its type and its laying. The type is the hand
 * and the cards laid unseen before (`kind` lists the types). The laying says from which slots of
 * the hand the cards laid in this round came.
 *
 * The types of a seat are the innermost dimension of all arrays, so that compilers turn loops
 * over types into vectors. The dimension before is the laying, or the move where a seat decides.
 * The vectors that every processor has are as quick as wider vectors: arrays are short. Sums are
 * taken in one order, and no product is joined with a sum (-ffp-contract=off), so that all builds
 * find the same bits.
 *
 * Cards are numbered 0..7, and in round 3 anew from 0. Sets of cards are bits.
 *
 * Source: Tammelin and others, Solving heads-up limit Texas hold'em, IJCAI 2015 (CFR+); Johanson
 * and others, Accelerating best response calculation in large extensive games, IJCAI 2011 (all
 * states at once, along the public tree); Johanson, Zinkevich, Bowling, Computing robust
 * counter-strategies, NIPS 2007 (habits in a part of all games).
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first 31 bits of SHA-256 of this file: a program that loads the library first checks that
 * the library was made from the source beside it. */
#ifndef SOURCE
#define SOURCE 0
#endif

enum {
    CARDS = 8,      /* that nobody has turned up as round 2 begins */
    HELD = 3,       /* of these by each seat */
    NOTHING = 8,    /* instead of a card */
    TYPES = 168,    /* of the largest kind: two of eight cards held, and one laid unseen */
    STATES = 336,   /* types and layings; six layings of 56 types make as many */
    CHOICES = 840,  /* types and moves at one node: five moves of 168 types, or nine of 56 */
    MOVES = 9,      /* at one node, of all layings together */
    NODES = 84,     /* public points of a round, 49 of them its ends */
    SLOTS = 3,
    PLACES = 3,     /* the pass is the last */
    NOWHERE = 2,
    CONTENTS = 4,   /* bit 0: a card on the number mat; bit 1: on the suit mat */
    OUTCOMES = 25,  /* of both mats: five of the number mat times five of the suit mat */
    OVER = -1,      /* instead of the seat to move */
};
static const float GOES_ON = -1; /* instead of a verdict */
static const float UNKNOWN = -1; /* instead of a value: the other seat never comes there */
static const float UNREACHED = 1e-3f; /* so few of the other's hands are none */

/* The input from round2.py. A stage is a public point of a round, as in search.c. */
struct stage {
    int32_t seat;
    int32_t free[2];           /* whether this seat may lay a card there */
    int32_t following[PLACES]; /* the stage after each move */
    int32_t unused[21];
};

struct task {
    const struct stage *stages;
    int32_t first_stages[36]; /* of a round, by six times the cards of seat 0 plus those of 1 */
    int32_t iterations[2];    /* in round 2, and in round 3 after each of its ends */
    uint8_t outcomes[4][CARDS + 1][CARDS + 1]; /* of the mats of both rounds: by the cards there */
    float within[OUTCOMES];                    /* the verdict after round 2, 0..1 for seat 0 */
    float at_end[OUTCOMES][OUTCOMES];          /* and after round 3 */
    float part;               /* of all games in which the other seat plays by habit, 0..1 */
    const float *habits;      /* a plan of both seats */
    const float *tendency[2]; /* by hand, how much more often a seat has that then; 1 on average */
};

/* ---- Types and layings ------------------------------------------------------------------------ */

struct kind {
    int32_t held, types;
    uint8_t hands[TYPES], lones[TYPES];
    uint8_t slots[TYPES][SLOTS]; /* the cards of each hand, rising */
    int16_t firsts[1 << CARDS];  /* by hand the first of its types */
};

static int32_t size(uint32_t cards)
{
    return __builtin_popcount(cards);
}

static void list_types(struct kind *kind, int32_t cards, int32_t held, int32_t lone)
{
    kind->held = held;
    kind->types = 0;
    for (uint32_t hand = 0; hand < 1u << cards; hand++) {
        kind->firsts[hand] = (int16_t)kind->types;
        for (uint32_t rest = 0; size(hand) == held && rest < 1u << cards; rest++)
            if (size(rest) == lone && !(hand & rest)) {
                int32_t type = kind->types++, slot = 0;
                kind->hands[type] = (uint8_t)hand;
                kind->lones[type] = (uint8_t)rest;
                for (uint32_t left = hand; left; left &= left - 1)
                    kind->slots[type][slot++] = (uint8_t)__builtin_ctz(left);
            }
    }
}

static int32_t type_of(const struct kind *kind, uint32_t hand, uint32_t lone)
{
    int32_t type = kind->firsts[hand];
    while (kind->lones[type] != lone)
        type++;
    return type;
}

static int32_t layings(int32_t held, int32_t content)
{
    return content == 0 ? 1 : content == 3 ? held * (held - 1) : held;
}

/* Return the slot of the card at a place, or -1. */
static int32_t slot_at(int32_t held, int32_t content, int32_t laying, int32_t place)
{
    if (!(content >> place & 1))
        return -1;
    if (content != 3)
        return laying;
    int32_t number = laying / (held - 1), suit = laying % (held - 1);
    return place ? suit + (suit >= number) : number;
}

/* Return the laying once a card is laid at a place as well, or -1 if the card already lies. */
static int32_t laid_too(int32_t held, int32_t content, int32_t laying, int32_t place, int32_t slot)
{
    if (!content)
        return slot;
    if (slot == laying)
        return -1;
    int32_t number = place ? laying : slot, suit = place ? slot : laying;
    return number * (held - 1) + suit - (suit > number);
}

/* ---- A round as a game ------------------------------------------------------------------------ */

struct move {
    int32_t laying, place; /* NOWHERE to pass */
    int32_t after;         /* the laying then */
};

/* A public point of a round. moves: of the seat to move, by laying, place and slot, the pass of
 * each laying last. regrets, total: by move and type. */
struct node {
    int32_t seat;
    int32_t content[2];
    int32_t following[PLACES]; /* the node after each move */
    int32_t layings, move_count;
    struct move moves[MOVES];
    float *regrets, *total;
    const float *habit; /* how likely each move is made by habit, or NULL */
    float *plan;        /* how likely each move is made, once that is known */
    float *values;      /* what each move is worth, 0..1, or UNKNOWN; NULL if nobody asks */
    float *reach[2];    /* at an end, how likely each seat comes there, by its plan; or NULL */
    float *worth[2];    /* there, what that is worth at best to each seat, times the other's */
};

/* The possible types of one seat, and their worth. met: how many types of the opponent each type
 * may meet. meets: the types met, by number and own type. met_as: by number and own type, the
 * number of the own type among the types that the opponent's type meets. payoffs: by content of
 * the seat and of the opponent; by laying of the opponent, number of the type met, own laying
 * and own type. */
struct side {
    struct kind kind;
    int32_t met;
    int32_t *meets, *met_as;
    float *payoffs[CONTENTS][CONTENTS];
};

struct round {
    struct side sides[2];
    struct node nodes[NODES];
    int32_t node_count;
};

static void list_moves(struct node *node, int32_t held, const int32_t free[2])
{
    int32_t content = node->content[node->seat];
    node->layings = layings(held, content);
    for (int32_t laying = 0; laying < node->layings; laying++) {
        for (int32_t place = 0; place < NOWHERE; place++)
            for (int32_t slot = 0; free[place] && slot < held; slot++) {
                int32_t after = laid_too(held, content, laying, place, slot);
                if (after >= 0)
                    node->moves[node->move_count++] = (struct move){laying, place, after};
            }
        node->moves[node->move_count++] = (struct move){laying, NOWHERE, laying};
    }
}

static int32_t grow(struct round *round, const struct stage *stages, int32_t at, int32_t first,
                    int32_t second)
{
    int32_t number = round->node_count++;
    struct node *node = &round->nodes[number];
    *node = (struct node){.seat = stages[at].seat, .content = {first, second}};
    if (node->seat == OVER)
        return number;
    list_moves(node, round->sides[node->seat].kind.held, stages[at].free);
    for (int32_t place = 0; place < PLACES; place++)
        if (place == NOWHERE || stages[at].free[place]) {
            int32_t more = place == NOWHERE ? 0 : 1 << place;
            node->following[place] = grow(round, stages, stages[at].following[place],
                                          node->seat ? first : first | more,
                                          node->seat ? second | more : second);
        }
    return number;
}

static size_t choices_at(const struct round *round, const struct node *node)
{
    return (size_t)(node->move_count * round->sides[node->seat].kind.types);
}

static int32_t states_at(const struct side *side, int32_t content)
{
    return layings(side->kind.held, content) * side->kind.types;
}

static bool can_meet(const struct kind *kind, int32_t type, const struct kind *other, int32_t met)
{
    return !((kind->hands[type] | kind->lones[type]) & (other->hands[met] | other->lones[met]));
}

static bool allocate(struct round *round)
{
    bool done = true;
    for (int32_t seat = 0; seat < 2; seat++) {
        struct side *own = &round->sides[seat];
        const struct kind *kind = &own->kind, *other = &round->sides[1 - seat].kind;
        own->met = 0;
        for (int32_t type = 0; type < other->types; type++)
            own->met += can_meet(kind, 0, other, type);
        own->meets = malloc((size_t)(own->met * kind->types) * sizeof *own->meets);
        own->met_as = malloc((size_t)(own->met * kind->types) * sizeof *own->met_as);
        done = done && own->meets && own->met_as;
    }
    for (int32_t at = 0; at < round->node_count; at++) {
        struct node *node = &round->nodes[at];
        if (node->seat == OVER) {
            for (int32_t seat = 0; seat < 2; seat++) {
                struct side *own = &round->sides[seat];
                float **payoffs = &own->payoffs[node->content[seat]][node->content[1 - seat]];
                int32_t count = own->met * states_at(own, node->content[seat]) *
                                layings(round->sides[1 - seat].kind.held, node->content[1 - seat]);
                if (!*payoffs)
                    *payoffs = malloc((size_t)count * sizeof **payoffs);
                done = done && *payoffs;
            }
        } else {
            node->regrets = malloc(choices_at(round, node) * sizeof(float));
            node->total = malloc(choices_at(round, node) * sizeof(float));
            done = done && node->regrets && node->total;
        }
    }
    return done;
}

static void list_meetings(struct round *round)
{
    struct side *first = &round->sides[0], *second = &round->sides[1];
    int32_t counts[TYPES] = {0};
    for (int32_t one = 0; one < first->kind.types; one++)
        for (int32_t other = 0, count = 0; other < second->kind.types; other++)
            if (can_meet(&first->kind, one, &second->kind, other)) {
                int32_t at = count * first->kind.types + one;
                int32_t back = counts[other] * second->kind.types + other;
                first->meets[at] = other;
                first->met_as[at] = counts[other]++;
                second->meets[back] = one;
                second->met_as[back] = count++;
            }
}

static void release(struct round *round)
{
    for (int32_t seat = 0; seat < 2; seat++) {
        free(round->sides[seat].meets);
        free(round->sides[seat].met_as);
        for (int32_t own = 0; own < CONTENTS; own++)
            for (int32_t other = 0; other < CONTENTS; other++)
                free(round->sides[seat].payoffs[own][other]);
    }
    for (int32_t at = 0; at < round->node_count; at++) {
        free(round->nodes[at].regrets);
        free(round->nodes[at].total);
        for (int32_t seat = 0; seat < 2; seat++) {
            free(round->nodes[at].reach[seat]);
            free(round->nodes[at].worth[seat]);
        }
    }
    free(round);
}

/* Return a round in which the seats hold and have laid unseen the given numbers of cards, or
 * NULL without memory. */
static struct round *new_round(const struct task *task, int32_t cards, const int32_t held[2],
                               const int32_t lone[2])
{
    struct round *round = calloc(1, sizeof *round);
    if (!round)
        return NULL;
    for (int32_t seat = 0; seat < 2; seat++)
        list_types(&round->sides[seat].kind, cards, held[seat], lone[seat]);
    grow(round, task->stages, task->first_stages[6 * held[0] + held[1]], 0, 0);
    if (!allocate(round)) {
        release(round);
        return NULL;
    }
    list_meetings(round);
    return round;
}

/* ---- CFR+ ------------------------------------------------------------------------------------- */

/* Write the probability of each move: in proportion to its weight, or equal if all weights are
 * 0. */
static void normalise(float *restrict plan, const float *restrict weights,
                      const struct node *node, int32_t types)
{
    float sums[STATES] = {0};
    int32_t counts[MOVES] = {0};
    for (int32_t at = 0; at < node->move_count; at++) {
        float *sum = sums + node->moves[at].laying * types;
        counts[node->moves[at].laying]++;
        for (int32_t type = 0; type < types; type++)
            sum[type] += weights[at * types + type];
    }
    for (int32_t at = 0; at < node->move_count; at++) {
        const float *sum = sums + node->moves[at].laying * types;
        const float even = 1 / (float)counts[node->moves[at].laying];
        for (int32_t type = 0; type < types; type++)
            plan[at * types + type] = sum[type] > 0 ? weights[at * types + type] / sum[type]
                                                    : even;
    }
}

/* Write the worth of each state of a seat at an end, times the opponent's chance to come there. */
static void worth_at(const struct round *round, const struct node *node, int32_t seat,
                     const float *restrict other, float *restrict worth)
{
    const struct side *own = &round->sides[seat];
    const int32_t types = own->kind.types, others = round->sides[1 - seat].kind.types;
    const int32_t content = node->content[seat], theirs = node->content[1 - seat];
    const int32_t ways = layings(own->kind.held, content);
    const float *payoffs = own->payoffs[content][theirs];
    memset(worth, 0, (size_t)(ways * types) * sizeof *worth);
    for (int32_t laid = 0; laid < layings(round->sides[1 - seat].kind.held, theirs); laid++)
        for (int32_t met = 0; met < own->met; met++) {
            const int32_t *meets = own->meets + met * types;
            float chances[TYPES];
            for (int32_t type = 0; type < types; type++)
                chances[type] = other[laid * others + meets[type]];
            for (int32_t way = 0; way < ways; way++, payoffs += types)
                for (int32_t type = 0; type < types; type++)
                    worth[way * types + type] += payoffs[type] * chances[type];
        }
}

/* Write how likely the states of the seat to move come to a place by a plan. */
static void lead(float *restrict after, const float *restrict reach,
                 const float *restrict plan, const struct node *node, int32_t place,
                 int32_t types)
{
    for (int32_t at = 0; at < node->move_count; at++)
        if (node->moves[at].place == place) {
            const float *before = reach + node->moves[at].laying * types;
            float *then = after + node->moves[at].after * types;
            for (int32_t type = 0; type < types; type++)
                then[type] = before[type] * plan[at * types + type];
        }
}

/* Note the regrets of a seat at a node, and write the worth of its states there. values: by
 * move. reach: of this seat. weight: of this turn in the average. */
static void regret(struct node *node, const float *restrict plan,
                   const float *restrict values, const float *restrict reach,
                   float weight, float *restrict worth, int32_t types)
{
    float *restrict regrets = node->regrets, *restrict total = node->total;
    memset(worth, 0, (size_t)(node->layings * types) * sizeof *worth);
    for (int32_t at = 0; at < node->move_count; at++) {
        float *mean = worth + node->moves[at].laying * types;
        for (int32_t type = 0; type < types; type++)
            mean[type] += plan[at * types + type] * values[at * types + type];
    }
    for (int32_t at = 0; at < node->move_count; at++) {
        const float *mean = worth + node->moves[at].laying * types;
        const float *chances = reach + node->moves[at].laying * types;
        for (int32_t type = 0; type < types; type++) {
            int32_t choice = at * types + type;
            float sum = regrets[choice] + (values[choice] - mean[type]);
            regrets[choice] = sum > 0 ? sum : 0;
            total[choice] += weight * chances[type] * plan[choice];
        }
    }
}

static void gather(float *values, const float *worth, const struct node *node, int32_t place,
                   int32_t types)
{
    for (int32_t at = 0; at < node->move_count; at++)
        if (node->moves[at].place == place)
            memcpy(values + at * types, worth + node->moves[at].after * types,
                   (size_t)types * sizeof *values);
}

static void add(float *restrict sum, const float *restrict worth, int32_t count)
{
    for (int32_t state = 0; state < count; state++)
        sum[state] += worth[state];
}

/* The chances of the states of both seats to come to a node: by their plans, and for an opponent
 * with habits, also by the habits, times the part of games with habits. */
struct reach {
    const float *plan[2];
    const float *habit; /* or NULL */
    float part;
};

/* Write the opponent's chance to come to an end, with its habits. */
static void mix(float *restrict both, const float *restrict plan,
                const float *restrict habit, float part, int32_t count)
{
    for (int32_t state = 0; state < count; state++)
        both[state] = (1 - part) * plan[state] + part * habit[state];
}

/* Let a seat learn below a node, and write the worth of its states there. */
static void learn(struct round *round, int32_t number, int32_t seat, const struct reach *reach,
                  float weight, float *worth)
{
    struct node *node = &round->nodes[number];
    if (node->seat == OVER) {
        const float *other = reach->plan[1 - seat];
        float both[STATES];
        if (reach->habit) {
            mix(both, other, reach->habit, reach->part,
                states_at(&round->sides[1 - seat], node->content[1 - seat]));
            other = both;
        }
        worth_at(round, node, seat, other, worth);
        return;
    }
    const int32_t types = round->sides[node->seat].kind.types;
    const int32_t states = states_at(&round->sides[seat], node->content[seat]);
    float plan[CHOICES], values[CHOICES], after[STATES], by_habit[STATES], found[STATES];
    normalise(plan, node->regrets, node, types);
    if (node->seat != seat)
        memset(worth, 0, (size_t)states * sizeof *worth);
    for (int32_t place = 0; place < PLACES; place++)
        if (node->following[place]) {
            struct reach then = *reach;
            lead(after, reach->plan[node->seat], plan, node, place, types);
            then.plan[node->seat] = after;
            if (reach->habit && node->seat != seat) {
                lead(by_habit, reach->habit, node->habit, node, place, types);
                then.habit = by_habit;
            }
            learn(round, node->following[place], seat, &then, weight, found);
            if (node->seat == seat)
                gather(values, found, node, place, types);
            else
                add(worth, found, states);
        }
    if (node->seat == seat)
        regret(node, plan, values, reach->plan[seat], weight, worth, types);
}

static const float *certain(float chances[TYPES])
{
    for (int32_t type = 0; type < TYPES; type++)
        chances[type] = 1;
    return chances;
}

/* Find the plan of one seat. If neither seat has habits, task is NULL: find both plans. */
static void solve(struct round *round, int32_t iterations, const struct task *task, int32_t own)
{
    for (int32_t at = 0; at < round->node_count; at++) {
        struct node *node = &round->nodes[at];
        if (node->seat != OVER) {
            memset(node->regrets, 0, choices_at(round, node) * sizeof(float));
            memset(node->total, 0, choices_at(round, node) * sizeof(float));
        }
    }
    float all[TYPES], worth[STATES];
    struct reach reach = {.plan = {certain(all), all}};
    for (int32_t turn = 1; turn <= iterations; turn++)
        for (int32_t seat = 0; seat < 2; seat++) {
            reach.habit = task && seat == own ? task->tendency[1 - own] : NULL;
            reach.part = task ? task->part : 0;
            /* Squares as weights: half the loss of the weights of CFR+. */
            learn(round, 0, seat, &reach, (float)(turn * turn), worth);
        }
}

/* Keep the average of a seat's moves as its plan. */
static void keep_plan(struct round *round, int32_t seat)
{
    for (int32_t at = 0; at < round->node_count; at++) {
        struct node *node = &round->nodes[at];
        if (node->seat == seat)
            normalise(node->plan, node->total, node, round->sides[seat].kind.types);
    }
}

/* ---- Values ----------------------------------------------------------------------------------- */

/* Write the chance of each type of a seat to meet the opponent at a node. other: the opponent's
 * chance to come there. */
static void meet(const struct round *round, const struct node *node, int32_t seat,
                 const float *other, float *chances)
{
    const struct side *own = &round->sides[seat];
    const int32_t types = own->kind.types, others = round->sides[1 - seat].kind.types;
    const int32_t laid = layings(round->sides[1 - seat].kind.held, node->content[1 - seat]);
    memset(chances, 0, (size_t)types * sizeof *chances);
    for (int32_t laying = 0; laying < laid; laying++)
        for (int32_t at = 0; at < own->met * types; at++)
            chances[at % types] += other[laying * others + own->meets[at]];
}

/* Write the worth of a seat's moves below a node, if the seat goes on as well as possible
 * against the opponent's plan, and the worth of its states there, times the opponent's chance to
 * come there. other: the opponent's chance. */
static void respond(struct round *round, int32_t number, int32_t seat, const float *other,
                    float *worth)
{
    struct node *node = &round->nodes[number];
    const int32_t states = states_at(&round->sides[seat], node->content[seat]);
    if (node->seat == OVER) {
        if (node->worth[seat])
            memcpy(worth, node->worth[seat], (size_t)states * sizeof *worth);
        else
            worth_at(round, node, seat, other, worth);
        return;
    }
    const int32_t types = round->sides[node->seat].kind.types;
    float gains[CHOICES], after[STATES], found[STATES], chances[TYPES];
    memset(worth, 0, (size_t)states * sizeof *worth);
    for (int32_t place = 0; place < PLACES; place++)
        if (node->following[place]) {
            if (node->seat != seat)
                lead(after, other, node->plan, node, place, types);
            respond(round, node->following[place], seat, node->seat == seat ? other : after,
                    found);
            if (node->seat == seat)
                gather(gains, found, node, place, types);
            else
                add(worth, found, states);
        }
    if (node->seat != seat)
        return;
    if (node->values)
        meet(round, node, seat, other, chances);
    for (int32_t at = node->move_count; at--;) /* the pass of each laying first */
        for (int32_t type = 0; type < types; type++) {
            float gain = gains[at * types + type];
            float *most = &worth[node->moves[at].laying * types + type];
            if (node->moves[at].place == NOWHERE || gain > *most)
                *most = gain;
            if (node->values)
                node->values[at * types + type] =
                    chances[type] > UNREACHED ? 0.5f + gain / chances[type] : UNKNOWN;
        }
}

/* Add the value of each pair of types below a node to seat 0, if both seats play by their
 * averages: by the number of the type met and the own type. */
static void add_values(const struct round *round, int32_t number, const float *reach[2],
                       float *values)
{
    const struct node *node = &round->nodes[number];
    if (node->seat == OVER) {
        const struct side *own = &round->sides[0];
        const int32_t types = own->kind.types, others = round->sides[1].kind.types;
        const float *payoffs = own->payoffs[node->content[0]][node->content[1]];
        for (int32_t laid = 0; laid < layings(round->sides[1].kind.held, node->content[1]); laid++)
            for (int32_t met = 0; met < own->met; met++)
                for (int32_t way = 0; way < layings(own->kind.held, node->content[0]); way++)
                    for (int32_t type = 0; type < types; type++)
                        values[met * types + type] +=
                            *payoffs++ * reach[0][way * types + type] *
                            reach[1][laid * others + own->meets[met * types + type]];
        return;
    }
    const int32_t types = round->sides[node->seat].kind.types;
    float plan[CHOICES], after[STATES];
    normalise(plan, node->total, node, types);
    for (int32_t place = 0; place < PLACES; place++)
        if (node->following[place]) {
            const float *then[2] = {reach[0], reach[1]};
            lead(after, reach[node->seat], plan, node, place, types);
            then[node->seat] = after;
            add_values(round, node->following[place], then, values);
        }
}

/* ---- What ends are worth ---------------------------------------------------------------------- */

/* An end of a round: the cards laid by both seats, and their types. */
struct end {
    int32_t content[2], laying[2], type[2];
};

/* Return the card of a seat at a place, or NOTHING. */
static int32_t card_at(const struct round *round, const struct end *end, int32_t seat,
                       int32_t place)
{
    const struct kind *kind = &round->sides[seat].kind;
    int32_t slot = slot_at(kind->held, end->content[seat], end->laying[seat], place);
    return slot < 0 ? NOTHING : kind->slots[end->type[seat]][slot];
}

/* The worth of an end to seat 0, 0..1. */
typedef float worth_of(void *about, const struct round *round, const struct end *end);

/* Write the payoffs of both seats with the given contents: the worth above half a game. */
static void fill(struct round *round, int32_t first, int32_t second, worth_of *worth, void *about)
{
    struct side *one = &round->sides[0], *other = &round->sides[1];
    const int32_t types[2] = {one->kind.types, other->kind.types};
    const int32_t ways[2] = {layings(one->kind.held, first), layings(other->kind.held, second)};
    struct end end = {.content = {first, second}};
    float *payoff = one->payoffs[first][second];
    for (end.laying[1] = 0; end.laying[1] < ways[1]; end.laying[1]++)
        for (int32_t met = 0; met < one->met; met++)
            for (end.laying[0] = 0; end.laying[0] < ways[0]; end.laying[0]++)
                for (end.type[0] = 0; end.type[0] < types[0]; end.type[0]++) {
                    end.type[1] = one->meets[met * types[0] + end.type[0]];
                    *payoff++ = worth(about, round, &end) - 0.5f;
                }
    payoff = other->payoffs[second][first];
    for (int32_t laid = 0; laid < ways[0]; laid++)
        for (int32_t met = 0; met < other->met; met++)
            for (int32_t own = 0; own < ways[1]; own++)
                for (int32_t type = 0; type < types[1]; type++) {
                    int32_t at = met * types[1] + type;
                    int32_t row = (own * one->met + other->met_as[at]) * ways[0] + laid;
                    *payoff++ = -one->payoffs[first][second][row * types[0] + other->meets[at]];
                }
}

static int32_t outcome_of(const struct task *task, int32_t number, const int32_t cards[2][2])
{
    return 5 * task->outcomes[2 * number][cards[0][0]][cards[1][0]] +
           task->outcomes[2 * number + 1][cards[0][1]][cards[1][1]];
}

/* ---- Round 3 ---------------------------------------------------------------------------------- */

/* verdicts: on the outcomes of round 3. cards: at the beginning of round 3, by their numbers in
 * round 2. */
struct last {
    const struct task *task;
    const float *verdicts;
    uint8_t cards[CARDS + 1];
};

static float worth_last(void *about, const struct round *round, const struct end *end)
{
    const struct last *last = about;
    int32_t cards[2][2];
    for (int32_t seat = 0; seat < 2; seat++)
        for (int32_t place = 0; place < NOWHERE; place++)
            cards[seat][place] = last->cards[card_at(round, end, seat, place)];
    return last->verdicts[outcome_of(last->task, 1, cards)];
}

/* Solve round 3. rest: the cards not turned up. before: the outcome of round 2. */
static void solve_last(struct round *round, const struct task *task, uint32_t rest, int32_t before)
{
    const struct side *own = &round->sides[0];
    struct last last = {.task = task, .verdicts = task->at_end[before]};
    for (uint8_t card = 0, known = 0; card < CARDS; card++)
        if (rest >> card & 1)
            last.cards[known++] = card;
    last.cards[NOTHING] = NOTHING;
    for (int32_t first = 0; first < CONTENTS; first++)
        for (int32_t second = 0; second < CONTENTS; second++)
            if (own->payoffs[first][second])
                fill(round, first, second, worth_last, &last);
    solve(round, task->iterations[1], NULL, 0);
}

/* Solve round 3, and return the worth of each pair of types to seat 0, or NULL without memory.
 * rest: the cards not turned up. before: the outcome of round 2. */
static float *values_of(struct round *round, const struct task *task, uint32_t rest,
                        int32_t before)
{
    const struct side *own = &round->sides[0];
    const int32_t types = own->kind.types, others = round->sides[1].kind.types;
    solve_last(round, task, rest, before);
    float all[TYPES], *values = calloc((size_t)(types * others), sizeof *values);
    float *listed = calloc((size_t)(types * own->met), sizeof *listed);
    if (values && listed) {
        const float *reach[2] = {certain(all), all};
        add_values(round, 0, reach, listed);
        for (int32_t at = 0; at < types * own->met; at++)
            values[at % types * others + own->meets[at]] = 0.5f + listed[at];
    }
    free(listed);
    return values;
}

/* ---- Round 2 ---------------------------------------------------------------------------------- */

/* The results of the ends of round 2 with some contents. round: round 3 after the ends, solved
 * anew for each outcome. alike: the last cards, all equal in round 3. values: by the cards not
 * turned up and the outcome; NULL until asked for. */
struct following {
    const struct task *task;
    struct round *round;
    uint32_t alike;
    float *values[1 << CARDS][OUTCOMES];
    bool failed;
};

/* Call cards as round 3 does. */
static uint32_t renamed(uint32_t cards, uint32_t rest)
{
    uint32_t found = 0;
    for (uint32_t bit = 1; rest; rest &= rest - 1, bit <<= 1)
        if (cards & rest & -rest)
            found |= bit;
    return found;
}

static bool are_alike(const struct task *task, int32_t one, int32_t other)
{
    for (int32_t mat = 2; mat < 4; mat++)
        for (int32_t card = 0; card <= CARDS; card++)
            if (task->outcomes[mat][one][card] != task->outcomes[mat][other][card] ||
                task->outcomes[mat][card][one] != task->outcomes[mat][card][other])
                return false;
    return true;
}

static uint32_t last_alike(const struct task *task)
{
    uint32_t found = 1u << (CARDS - 1);
    for (int32_t card = CARDS - 2; card >= 0 && are_alike(task, card, CARDS - 1); card--)
        found |= 1u << card;
    return found;
}

/* Return cards with the same round 3, except for names that renamed() does not keep. */
static uint32_t same_as(uint32_t rest, uint32_t alike)
{
    uint32_t found = rest & ~alike, first = alike & -alike;
    for (int32_t more = size(rest & alike); more--; first <<= 1)
        found |= first;
    return found;
}

static float worth_following(void *about, const struct round *round, const struct end *end)
{
    struct following *following = about;
    int32_t cards[2][2], contested = end->content[0] & end->content[1];
    uint32_t laid[2] = {0, 0}, shown = 0;
    for (int32_t seat = 0; seat < 2; seat++)
        for (int32_t place = 0; place < NOWHERE; place++) {
            cards[seat][place] = card_at(round, end, seat, place);
            uint32_t bit = 1u << cards[seat][place] & ((1u << CARDS) - 1);
            laid[seat] |= bit;
            shown |= contested >> place & 1 ? bit : 0;
        }
    int32_t outcome = outcome_of(following->task, 0, cards);
    if (following->task->within[outcome] != GOES_ON)
        return following->task->within[outcome];
    uint32_t rest = ((1u << CARDS) - 1) & ~shown;
    uint32_t same = same_as(rest, following->alike);
    float **values = &following->values[same][outcome];
    if (!*values)
        *values = values_of(following->round, following->task, same, outcome);
    following->failed = following->failed || !*values;
    if (following->failed)
        return 0;
    int32_t types[2];
    for (int32_t seat = 0; seat < 2; seat++) {
        uint32_t hand = round->sides[seat].kind.hands[end->type[seat]] & ~laid[seat];
        types[seat] = type_of(&following->round->sides[seat].kind, renamed(hand, rest),
                              renamed(laid[seat] & ~shown, rest));
    }
    return (*values)[types[0] * following->round->sides[1].kind.types + types[1]];
}

/* Return a round 3 after ends of round 2 with some contents, or NULL without memory. */
static struct round *new_last(const struct task *task, int32_t first, int32_t second)
{
    int32_t contested = size((uint32_t)(first & second));
    int32_t laid[2] = {size((uint32_t)first), size((uint32_t)second)};
    int32_t held[2] = {HELD - laid[0], HELD - laid[1]};
    int32_t lone[2] = {laid[0] - contested, laid[1] - contested};
    return new_round(task, CARDS - 2 * contested, held, lone);
}

/* Write the worth of the ends of round 2 with some contents. */
static bool fill_following(struct round *round, const struct task *task, int32_t first,
                           int32_t second)
{
    struct following *following = calloc(1, sizeof *following);
    if (!following)
        return false;
    following->task = task;
    following->alike = last_alike(task);
    following->round = new_last(task, first, second);
    following->failed = !following->round;
    if (!following->failed)
        fill(round, first, second, worth_following, following);
    for (int32_t rest = 0; rest < 1 << CARDS; rest++)
        for (int32_t outcome = 0; outcome < OUTCOMES; outcome++)
            free(following->values[rest][outcome]);
    if (following->round)
        release(following->round);
    bool done = !following->failed;
    free(following);
    return done;
}

/* ---- Where results are written ---------------------------------------------------------------- */

static size_t choices_of(const struct round *round)
{
    size_t count = 0;
    for (int32_t at = 0; at < round->node_count; at++)
        if (round->nodes[at].seat != OVER)
            count += choices_at(round, &round->nodes[at]);
    return count;
}

/* Let the nodes write their results into arrays: by public point of the round where a seat is to
 * move, first the moves that lead there and then the moves that follow, move and type. habits
 * and values may be NULL. */
static void place_results(struct round *round, const float *habits, float *plan, float *values)
{
    size_t count = 0;
    for (int32_t at = 0; at < round->node_count; at++) {
        struct node *node = &round->nodes[at];
        if (node->seat == OVER)
            continue;
        node->habit = habits ? habits + count : NULL;
        node->plan = plan + count;
        node->values = values ? values + count : NULL;
        count += choices_at(round, node);
    }
}

/* ---- The best that ends of round 2 lead to ----------------------------------------------------- */

/* Keep the chances of both seats to come to each end below a node; return false without memory. */
static bool keep_reach(struct round *round, int32_t number, const float *reach[2])
{
    struct node *node = &round->nodes[number];
    if (node->seat == OVER) {
        for (int32_t seat = 0; seat < 2; seat++) {
            size_t states = (size_t)states_at(&round->sides[seat], node->content[seat]);
            node->reach[seat] = malloc(states * sizeof(float));
            node->worth[seat] = calloc(states, sizeof(float));
            if (!node->reach[seat] || !node->worth[seat])
                return false;
            memcpy(node->reach[seat], reach[seat], states * sizeof(float));
        }
        return true;
    }
    float after[STATES];
    for (int32_t place = 0; place < PLACES; place++)
        if (node->following[place]) {
            const float *then[2] = {reach[0], reach[1]};
            lead(after, reach[node->seat], node->plan, node, place,
                 round->sides[node->seat].kind.types);
            then[node->seat] = after;
            if (!keep_reach(round, node->following[place], then))
                return false;
        }
    return true;
}

/* Cards turned up at the end of round 2, by seat and place; NOTHING for no card. */
struct shown {
    uint32_t cards[2][2];
    uint32_t all;
};

/* Return the type of round 3 that a state of a seat becomes, or -1 if the state shows other
 * cards. */
static int32_t type_after(const struct round *round, const struct round *last,
                          const struct node *node, int32_t seat, int32_t state,
                          const struct shown *shown)
{
    const struct kind *kind = &round->sides[seat].kind;
    struct end end = {.content = {node->content[0], node->content[1]}};
    end.type[seat] = state % kind->types;
    end.laying[seat] = state / kind->types;
    uint32_t hand = kind->hands[end.type[seat]], laid = 0, own = 0;
    for (int32_t place = 0; place < NOWHERE; place++) {
        uint32_t card = (uint32_t)card_at(round, &end, seat, place);
        laid |= card == NOTHING ? 0 : 1u << card;
        if (shown->cards[seat][place] != NOTHING) {
            if (shown->cards[seat][place] != card)
                return -1;
            own |= 1u << card;
        }
    }
    if (hand & shown->all & ~own)
        return -1;
    uint32_t rest = ((1u << CARDS) - 1) & ~shown->all;
    return type_of(&last->sides[seat].kind, renamed(hand & ~laid, rest),
                   renamed(laid & ~own, rest));
}

/* Add the best worth of an end to a seat, if these cards were turned up. last: round 3 after the
 * end, solved, or decided by a verdict. */
static void add_best(struct round *round, struct round *last, struct node *node, int32_t seat,
                     const struct shown *shown, float verdict)
{
    const int32_t states[2] = {states_at(&round->sides[0], node->content[0]),
                               states_at(&round->sides[1], node->content[1])};
    float other[TYPES] = {0}, worth[STATES];
    for (int32_t state = 0; state < states[1 - seat]; state++) {
        int32_t type = type_after(round, last, node, 1 - seat, state, shown);
        if (type >= 0)
            other[type] += node->reach[1 - seat][state];
    }
    if (verdict == GOES_ON) {
        respond(last, 0, seat, other, worth);
    } else {
        meet(last, &last->nodes[0], seat, other, worth);
        for (int32_t type = 0; type < last->sides[seat].kind.types; type++)
            worth[type] *= seat ? 0.5f - verdict : verdict - 0.5f;
    }
    for (int32_t state = 0; state < states[seat]; state++) {
        int32_t type = type_after(round, last, node, seat, state, shown);
        if (type >= 0)
            node->worth[seat][state] += worth[type];
    }
}

enum { WAYS = 1 << 12 }; /* to turn cards up: three bits for each seat and place */

/* Find the cards of a way. Return false for an impossible way: a card turned up twice, or a card
 * where only one seat has laid a card. */
static bool find_shown(int32_t way, int32_t contested, struct shown *shown)
{
    *shown = (struct shown){{{NOTHING, NOTHING}, {NOTHING, NOTHING}}, 0};
    for (int32_t at = 0; at < 4; at++, way >>= 3) {
        uint32_t bit = 1u << (way & 7);
        if (!(contested >> at % 2 & 1)) {
            if (way & 7)
                return false;
        } else if (shown->all & bit) {
            return false;
        } else {
            shown->cards[at / 2][at % 2] = (uint32_t)way & 7;
            shown->all |= bit;
        }
    }
    return true;
}

static int32_t outcome_after(const struct task *task, int32_t first, int32_t second,
                             const struct shown *shown)
{
    const int32_t content[2] = {first, second};
    int32_t cards[2][2];
    for (int32_t seat = 0; seat < 2; seat++)
        for (int32_t place = 0; place < NOWHERE; place++) {
            bool alone = content[seat] >> place & 1 && !(first & second & 1 << place);
            /* A card that lies alone takes the same token, whichever card it is. */
            cards[seat][place] = alone ? 0 : (int32_t)shown->cards[seat][place];
        }
    return outcome_of(task, 0, cards);
}

/* Add the best worth of ends of round 2 with some contents to both seats, for turned-up cards
 * that lead to the same round 3. keys: by way, the round 3. */
static void add_alike(struct round *round, struct round *last, int32_t first, int32_t second,
                      const int32_t keys[], int32_t way, float verdict)
{
    struct shown shown;
    for (int32_t like = way; like < WAYS; like++)
        if (keys[like] == keys[way] && find_shown(like, first & second, &shown))
            for (int32_t at = 0; at < round->node_count; at++) {
                struct node *node = &round->nodes[at];
                if (node->seat == OVER && node->content[0] == first && node->content[1] == second)
                    for (int32_t seat = 0; seat < 2; seat++)
                        add_best(round, last, node, seat, &shown, verdict);
            }
}

/* Write the best worth of ends of round 2 with some contents to both seats. */
static bool judge_ends(struct round *round, const struct task *task, int32_t first, int32_t second)
{
    struct round *last = new_last(task, first, second);
    int32_t *keys = calloc(WAYS, sizeof *keys);
    float *plan = last ? malloc(choices_of(last) * sizeof *plan) : NULL;
    bool done = last && keys && plan;
    if (done) {
        place_results(last, NULL, plan, NULL);
        uint32_t alike = last_alike(task);
        struct shown shown;
        for (int32_t way = 0; way < WAYS; way++)
            if (find_shown(way, first & second, &shown)) {
                uint32_t rest = same_as(((1u << CARDS) - 1) & ~shown.all, alike);
                keys[way] = 1 + OUTCOMES * (int32_t)rest +
                            outcome_after(task, first, second, &shown);
            }
        for (int32_t way = 0; way < WAYS; way++) {
            bool known = !keys[way];
            for (int32_t before = 0; before < way && !known; before++)
                known = keys[before] == keys[way];
            if (known)
                continue;
            int32_t outcome = (keys[way] - 1) % OUTCOMES;
            float verdict = task->within[outcome];
            if (verdict == GOES_ON) {
                solve_last(last, task, (uint32_t)((keys[way] - 1) / OUTCOMES), outcome);
                keep_plan(last, 0);
                keep_plan(last, 1);
            }
            add_alike(round, last, first, second, keys, way, verdict);
        }
    }
    free(keys);
    free(plan);
    if (last)
        release(last);
    return done;
}

/* Write the best worth of each move to a seat, against the opponent's plan. */
static bool judge(struct round *round, const struct task *task)
{
    float all[TYPES], worth[STATES];
    const float *reach[2] = {certain(all), all};
    bool done = keep_reach(round, 0, reach);
    for (int32_t first = 0; first < CONTENTS; first++)
        for (int32_t second = 0; second < CONTENTS; second++)
            if (round->sides[0].payoffs[first][second])
                done = done && judge_ends(round, task, first, second);
    for (int32_t seat = 0; seat < 2 && done; seat++)
        respond(round, 0, seat, all, worth);
    return done;
}

/* ---- The whole -------------------------------------------------------------------------------- */

/* Return the hash of the source of this library. */
int32_t round2_source(void)
{
    return SOURCE;
}

/* Solve round 2, and write the probability of each move of a seat; if values is not NULL, also
 * write the worth of the move to the seat. Return how many numbers each array has, or 0 without
 * memory or room. */
int32_t round2_plan(const struct task *task, float *plan, float *values, int32_t room)
{
    const int32_t held[2] = {HELD, HELD}, lone[2] = {0, 0};
    struct round *round = new_round(task, CARDS, held, lone);
    if (!round)
        return 0;
    size_t count = choices_of(round);
    bool done = count <= (size_t)room;
    for (int32_t first = 0; first < CONTENTS; first++)
        for (int32_t second = 0; second < CONTENTS; second++)
            if (round->sides[0].payoffs[first][second])
                done = done && fill_following(round, task, first, second);
    if (done) {
        place_results(round, task->habits, plan, values);
        for (int32_t seat = 0; seat < 2; seat++) {
            solve(round, task->iterations[0], task, seat);
            keep_plan(round, seat);
        }
        done = !values || judge(round, task);
    }
    release(round);
    return done ? (int32_t)count : 0;
}

/* ---- Round 3 in sequence form ----------------------------------------------------------------- */

/* As in sequence_form.py, function by function. */

struct decisions {
    int32_t count, first, choices;
    const int32_t *parents;
};

/* payoffs: the gain of seat 0 and loss of seat 1 where two sequences meet. meeting: the two
 * sequences, by seat. */
struct form {
    int32_t sequences[2], blocks[2], payoff_count;
    const struct decisions *decisions[2];
    const int32_t *meeting[2];
    const double *payoffs;
};

/* The results of a seat's learning, by sequence. */
struct learner {
    double *chosen, *regrets, *plan, *total, *gains;
};

static void gain_from(const struct form *form, int32_t seat, const double *other, double *gains)
{
    memset(gains, 0, (size_t)form->sequences[seat] * sizeof *gains);
    for (int32_t at = 0; at < form->payoff_count; at++) {
        double gain = form->payoffs[at] * other[form->meeting[1 - seat][at]];
        gains[form->meeting[seat][at]] += seat ? -gain : gain;
    }
}

static void follow(const struct form *form, int32_t seat, struct learner *learner)
{
    learner->plan[0] = 1;
    for (int32_t at = 0; at < form->blocks[seat]; at++) {
        const struct decisions *block = &form->decisions[seat][at];
        for (int32_t led = 0; led < block->count * block->choices; led++)
            learner->plan[block->first + led] =
                learner->plan[block->parents[led % block->count]] *
                learner->chosen[block->first + led];
    }
}

/* Update the regrets of one decision, and return its gain now. */
static double improve(const struct decisions *block, int32_t at, struct learner *learner)
{
    double value = 0, sum = 0;
    const int32_t end = block->first + block->count * block->choices;
    for (int32_t led = block->first + at; led < end; led += block->count)
        value += learner->chosen[led] * learner->gains[led];
    for (int32_t led = block->first + at; led < end; led += block->count) {
        double instant = learner->gains[led] - value, regret = learner->regrets[led] + instant;
        learner->regrets[led] = regret > 0 ? regret : 0;
        double predicted = learner->regrets[led] + instant;
        learner->chosen[led] = predicted > 0 ? predicted : 0;
        sum += learner->chosen[led];
    }
    for (int32_t led = block->first + at; led < end; led += block->count)
        learner->chosen[led] = sum > 0 ? learner->chosen[led] / sum : 1.0 / block->choices;
    return value;
}

static double best_at(const struct decisions *block, int32_t at, const double *gains)
{
    double most = gains[block->first + at];
    for (int32_t choice = 1; choice < block->choices; choice++) {
        double gain = gains[block->first + choice * block->count + at];
        most = gain > most ? gain : most;
    }
    return most;
}

static void turn(const struct form *form, int32_t seat, struct learner learners[2], double weight)
{
    struct learner *own = &learners[seat];
    gain_from(form, seat, learners[1 - seat].plan, own->gains);
    for (int32_t at = form->blocks[seat]; at--;) {
        const struct decisions *block = &form->decisions[seat][at];
        for (int32_t each = 0; each < block->count; each++)
            own->gains[block->parents[each]] += improve(block, each, own);
    }
    follow(form, seat, own);
    for (int32_t led = 0; led < form->sequences[seat]; led++)
        own->total[led] += weight * own->plan[led];
}

/* Return the most that a seat gains against the opponent's average. */
static double best_response(const struct form *form, int32_t seat, struct learner learners[2])
{
    const double *other = learners[1 - seat].total;
    double *gains = learners[seat].gains;
    gain_from(form, seat, other, gains);
    for (int32_t at = form->blocks[seat]; at--;) {
        const struct decisions *block = &form->decisions[seat][at];
        for (int32_t each = 0; each < block->count; each++)
            gains[block->parents[each]] += best_at(block, each, gains);
    }
    return gains[0] / other[0];
}

static void begin(const struct form *form, int32_t seat, struct learner *learner)
{
    for (int32_t at = 0; at < form->blocks[seat]; at++) {
        const struct decisions *block = &form->decisions[seat][at];
        for (int32_t led = 0; led < block->count * block->choices; led++)
            learner->chosen[block->first + led] = 1.0 / block->choices;
    }
    follow(form, seat, learner);
}

/* Solve a game, and write the plans of both seats, not scaled. Return the number of iterations,
 * or 0 without memory. enough: now and then the solver compares the gain of best responses with
 * it, and stops if the gain is no larger. */
int32_t round3_solve(const struct form *form, int32_t iterations, int32_t look, double enough,
                     double *first, double *second)
{
    enum { ARRAYS = 4 };
    int32_t both = form->sequences[0] + form->sequences[1], number = 0;
    double *numbers = calloc((size_t)both * ARRAYS, sizeof *numbers), *next = numbers;
    if (!numbers)
        return 0;
    struct learner learners[2] = {{.total = first}, {.total = second}};
    for (int32_t seat = 0; seat < 2; seat++) {
        size_t size = (size_t)form->sequences[seat];
        learners[seat].chosen = next;
        learners[seat].regrets = next + size;
        learners[seat].plan = next + 2 * size;
        learners[seat].gains = next + 3 * size;
        next += ARRAYS * size;
        memset(learners[seat].total, 0, size * sizeof *next);
        begin(form, seat, &learners[seat]);
    }
    bool good = false;
    while (number < iterations && !good) {
        number++;
        for (int32_t seat = 0; seat < 2; seat++)
            turn(form, seat, learners, (double)number * number);
        if (enough > 0 && number % look == 0 && number < iterations)
            good = best_response(form, 0, learners) + best_response(form, 1, learners) <= enough;
    }
    free(numbers);
    return number;
}
