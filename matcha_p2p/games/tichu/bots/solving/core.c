/* The hand solver of hand.py, the gifts of gifts.py, the deals of dealing.py, and the rest of a
 * round played out as in endings.py and policy.py.
 *
 * Functions and fields have the names and effects of those files; the comments there give the
 * reasons. For each hand and each position the answers are the same as in Python, down to the
 * order of the parts. The structures with fields of fixed width are the structures of core.py.
 *
 * A hand is a set of faces: bit 13 * suit + number - 2, then the four special cards.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The first 31 bits of SHA-256 of this file: a program that loads the library first checks that
 * the library was made from the source beside it. */
#ifndef SOURCE
#define SOURCE 0
#endif

enum {
    HAND = 14,
    FACES = 56,
    MAH_JONG = 52,
    DOG = 53,
    PHOENIX = 54,
    DRAGON = 55,
    LOWEST = 2,
    ACE = 14,
    NUMBERS = ACE + 2, /* the last has no cards: runs end there */
    SHORTEST = 5,
    LEAD = 1000,
    MANY = 1000000000,
    DRAGON_ALONE = 2 * (ACE + 1), /* its strength */
    FEW = 3,
    RICH = 20,
    DOUBLE = 200,
    ALL = 100,
    NOBODY = -1,
    NO_ANSWER = -(1 << 30),
    HALF = 620, /* a deal with so much more doubt is half as likely */
    LOW = 6,
    GIVEN = 220, /* of doubt less for each low card of the partner */
    MOST_POINTS = 1000, /* more than any trick or call counts */
};

/* As the members of Shape, from 1. */
enum { NOTHING, DOG_ALONE, SINGLE, PAIR, TRIPLE, FULL_HOUSE, STAIRS, STRAIGHT, FOUR, FLUSH, KINDS };

struct combination {
    uint8_t kind, size, strength;
};

struct play {
    struct combination made;
    uint8_t wild;
    uint8_t faces[HAND];
};

struct parts {
    int32_t count;
    struct play plays[HAND];
};

static const int32_t SAVED[KINDS][ACE + 1] = {
    [SINGLE] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 180, 480},
    [PAIR] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 120, 260, 520},
    [TRIPLE] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 150, 200, 300, 450, 600},
    [FULL_HOUSE] = {100, 100, 100, 100, 100, 100, 100, 150, 200, 300, 350, 400, 500, 600, 650},
    [STAIRS] = {150, 150, 150, 150, 150, 150, 150, 150, 150, 200, 250, 300, 400, 500, 600},
    [STRAIGHT] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 150, 200, 250, 350, 450, 600},
    [FOUR] = {850, 850, 850, 850, 850, 850, 850, 850, 850, 850, 850, 850, 850, 850, 850},
    [FLUSH] = {900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900},
};

/* ---- Cards ------------------------------------------------------------------------------------ */

static bool has(uint64_t hand, int face)
{
    return hand >> face & 1;
}

/* Return the cards of a number, 2 to 14. */
static uint64_t all_of(int number)
{
    const uint64_t ONE_OF_EACH_SUIT = 1 | 1ULL << 13 | 1ULL << 26 | 1ULL << 39;
    return ONE_OF_EACH_SUIT << (number - LOWEST);
}

static int size_of(uint64_t hand)
{
    return __builtin_popcountll(hand);
}

static bool is_hand(uint64_t hand)
{
    return hand >> FACES == 0 && size_of(hand) <= HAND;
}

static int number_of(int face)
{
    return face < MAH_JONG ? face % 13 + LOWEST : face == MAH_JONG;
}

static int points_of(uint64_t hand)
{
    int sum = 25 * has(hand, DRAGON) - 25 * has(hand, PHOENIX);
    for (int suit = 0; suit < 4; suit++) {
        uint64_t cards = hand >> 13 * suit;
        sum += 5 * has(cards, 5 - LOWEST) + 10 * (has(cards, 10 - LOWEST) + has(cards, 13 - LOWEST));
    }
    return sum;
}

static uint64_t cards_of(const struct play *play)
{
    uint64_t cards = 0;
    for (int at = 0; at < play->made.size; at++)
        cards |= (uint64_t)1 << play->faces[at];
    return cards;
}

static bool is_bomb(struct combination made)
{
    return made.kind == FOUR || made.kind == FLUSH;
}

static bool is_dragon(struct combination made)
{
    return made.kind == SINGLE && made.strength == DRAGON_ALONE;
}

static int rank_of_bomb(struct combination bomb)
{
    return ((bomb.kind == FLUSH) << 16) + (bomb.size << 8) + bomb.strength;
}

static bool beats(struct combination made, struct combination under)
{
    if (is_bomb(made) && is_bomb(under))
        return rank_of_bomb(made) > rank_of_bomb(under);
    if (is_bomb(made) || made.kind != under.kind || made.size != under.size)
        return is_bomb(made);
    return made.strength > under.strength && !is_dragon(under);
}

/* ---- The costs of parts ----------------------------------------------------------------------- */

static int32_t cost(int kind, int number)
{
    return LEAD - SAVED[kind][number] + (ACE - number) * (kind == SINGLE ? 6 : 3);
}

static int32_t cost_of(const struct play *part)
{
    if (part->made.size == 1)
        switch (part->faces[0]) {
        case DRAGON:
            return LEAD - 900;
        case PHOENIX:
            return LEAD - 550;
        case DOG:
            return LEAD - 300;
        }
    return cost(part->made.kind, part->made.strength / 2);
}

/* ---- The search for the best split ------------------------------------------------------------ */

struct group {
    uint8_t kind, low, length;
};

struct search {
    int8_t counts[NUMBERS];
    uint16_t flushes[NUMBERS]; /* by the lowest number, a bit for each length */
    int32_t most;
    int wild, named;
    int found_count, part_count, pair_count, triple_count;
    struct group found[HAND], parts[HAND];
    uint8_t pairs[HAND], triples[HAND];
};

static bool has_room(struct group part, int wild)
{
    return part.kind != SINGLE && part.kind != FOUR && part.low <= wild &&
           wild < part.low + part.length;
}

static void weigh(struct search *search, int32_t spent)
{
    int pairs = search->pair_count, triples = search->triple_count;
    int joined = pairs < triples ? pairs : triples;
    for (int at = 0; at < triples; at++)
        spent += cost(at < joined ? FULL_HOUSE : TRIPLE, search->triples[at]);
    for (int at = joined; at < pairs; at++)
        spent += cost(PAIR, search->pairs[at]);
    if (spent >= search->most)
        return;
    struct group parts[HAND];
    int count = search->part_count;
    memcpy(parts, search->parts, sizeof parts);
    for (int at = 0; at < triples; at++)
        parts[count++] = (struct group){TRIPLE, search->triples[at], 1};
    for (int at = 0; at < pairs; at++)
        parts[count++] = (struct group){PAIR, search->pairs[at], 1};
    bool room = !search->wild;
    for (int at = 0; at < count && !room; at++)
        room = has_room(parts[at], search->wild);
    if (!room)
        return;
    search->most = spent;
    search->named = search->wild;
    search->found_count = count;
    memcpy(search->found, parts, sizeof parts);
}

static void go(struct search *search, int number, int32_t spent);

static void runs(struct search *search, int low, int32_t spent, int kind, int copies, int shortest)
{
    int end = low;
    while (end <= ACE && search->counts[end] >= copies)
        end++;
    for (int length = end - low; length >= shortest; length--) {
        for (int number = low; number < low + length; number++)
            search->counts[number] -= copies;
        int made = kind == STRAIGHT && search->flushes[low] >> length & 1 ? FLUSH : kind;
        search->parts[search->part_count++] = (struct group){made, low, length};
        go(search, low, spent + cost(made, low + length - 1));
        search->part_count--;
        for (int number = low; number < low + length; number++)
            search->counts[number] += copies;
    }
}

/* Go on without the cards of a number: so many pairs and triples, and a part of its own. */
static void group(struct search *search, int number, int32_t spent, int pairs, int triples, int own)
{
    for (int done = 0; done < pairs; done++)
        search->pairs[search->pair_count++] = number;
    for (int done = 0; done < triples; done++)
        search->triples[search->triple_count++] = number;
    if (own)
        search->parts[search->part_count++] = (struct group){own, number, 1};
    go(search, number + 1, spent + (own ? cost(own, number) : 0));
    search->part_count -= own != NOTHING;
    search->pair_count -= pairs;
    search->triple_count -= triples;
}

static void alike(struct search *search, int number, int32_t spent)
{
    int8_t count = search->counts[number];
    search->counts[number] = 0;
    switch (count) {
    case 1:
        group(search, number, spent, 0, 0, SINGLE);
        break;
    case 2:
        group(search, number, spent, 1, 0, NOTHING);
        break;
    case 3:
        group(search, number, spent, 0, 1, NOTHING);
        group(search, number, spent, 1, 0, SINGLE);
        break;
    case 4:
        group(search, number, spent, 0, 0, FOUR);
        group(search, number, spent, 2, 0, NOTHING);
        break;
    }
    search->counts[number] = count;
}

static void go(struct search *search, int number, int32_t spent)
{
    while (number <= ACE && !search->counts[number])
        number++;
    int most = search->pair_count > search->triple_count ? search->pair_count
                                                         : search->triple_count;
    if (spent + 350 * most >= search->most)
        return;
    if (number > ACE) {
        weigh(search, spent);
        return;
    }
    runs(search, number, spent, STRAIGHT, 1, SHORTEST);
    if (search->counts[number] > 1)
        runs(search, number, spent, STAIRS, 2, 2);
    alike(search, number, spent);
}

static bool is_of_use(const int8_t counts[NUMBERS], int wild)
{
    if (counts[wild])
        return true;
    int low = wild, high = wild;
    while (counts[low - 1])
        low--;
    while (counts[high + 1])
        high++;
    return high - low + 1 >= SHORTEST;
}

static void note_flushes(struct search *search, uint64_t hand)
{
    for (int suit = 0; suit < 4; suit++) {
        int run = 0;
        for (int number = LOWEST; number <= ACE; number++) {
            run = has(hand, 13 * suit + number - LOWEST) ? run + 1 : 0;
            for (int size = SHORTEST; size <= run; size++)
                search->flushes[number - size + 1] |= 1 << size;
        }
    }
}

static void find(struct search *search, uint64_t hand)
{
    *search = (struct search){.most = MANY};
    for (int face = 0; face <= MAH_JONG; face++)
        search->counts[number_of(face)] += has(hand, face);
    note_flushes(search, hand);
    if (!has(hand, PHOENIX)) {
        go(search, 1, 0);
        return;
    }
    search->most -= LEAD - 550;
    go(search, 1, 0);
    search->most += LEAD - 550;
    for (int wild = LOWEST; wild <= ACE; wild++)
        if (is_of_use(search->counts, wild)) {
            search->counts[wild]++;
            search->wild = wild;
            go(search, 1, 0);
            search->counts[wild]--;
        }
}

/* ---- The split, as plays ---------------------------------------------------------------------- */

/* Cards of a hand, by number, ascending. */
struct sorted {
    int8_t counts[NUMBERS];
    uint8_t faces[NUMBERS][4];
};

static uint8_t taken(struct sorted *cards, int number, int suit)
{
    uint8_t *held = cards->faces[number];
    int at = 0, count = cards->counts[number];
    for (int other = 0; other < count; other++)
        if (held[other] / 13 == suit) {
            at = other;
            break;
        }
    uint8_t face = held[at];
    memmove(held + at, held + at + 1, count - at - 1);
    cards->counts[number]--;
    return face;
}

/* Return a suit that has all numbers of a straight, or NOBODY. */
static int suit_of(const struct sorted *cards, struct group part)
{
    for (int suit = 0; suit < 4; suit++) {
        bool all = true;
        for (int number = part.low; number < part.low + part.length && all; number++) {
            all = false;
            for (int at = 0; at < cards->counts[number]; at++)
                all |= cards->faces[number][at] / 13 == suit;
        }
        if (all)
            return suit;
    }
    return NOBODY;
}

static bool is_one_suit(const struct play *play)
{
    for (int at = 0; at < play->made.size; at++)
        if (play->faces[at] >= MAH_JONG || play->faces[at] / 13 != play->faces[0] / 13)
            return false;
    return true;
}

/* Return a part as a play. wild: the Phoenix's number, if it is one of the cards, or 0. */
static struct play play_of(struct sorted *cards, struct group part, int wild)
{
    static const int8_t COPIES[KINDS] = {
        [SINGLE] = 1, [PAIR] = 2, [TRIPLE] = 3, [STAIRS] = 2, [STRAIGHT] = 1, [FOUR] = 4,
        [FLUSH] = 1};
    int high = part.low + part.length - 1;
    int suit = part.kind == FLUSH && !wild ? suit_of(cards, part) : NOBODY;
    struct play play = {.made = {part.kind, 0, 2 * high}, .wild = wild};
    for (int number = part.low; number <= high; number++)
        for (int copy = number == wild; copy < COPIES[part.kind]; copy++)
            play.faces[play.made.size++] = taken(cards, number, suit);
    if (wild)
        play.faces[play.made.size++] = PHOENIX;
    if (part.kind == FLUSH && !is_one_suit(&play))
        play.made.kind = STRAIGHT;
    return play;
}

static struct play full_house(const struct play *triple, const struct play *pair)
{
    struct play play = *triple;
    play.made.kind = FULL_HOUSE;
    play.made.size = 5;
    play.wild = triple->wild ? triple->wild : pair->wild;
    memcpy(play.faces + 3, pair->faces, 2);
    return play;
}

static void add(struct parts *parts, struct play play)
{
    parts->plays[parts->count++] = play;
}

/* Put a play before all with a higher number. */
static void add_by_number(struct parts *parts, struct play play)
{
    int at = parts->count++;
    for (; at > 0 && parts->plays[at - 1].made.strength > play.made.strength; at--)
        parts->plays[at] = parts->plays[at - 1];
    parts->plays[at] = play;
}

static void add_special(struct parts *parts, uint64_t hand, bool phoenix)
{
    if (has(hand, DOG))
        add(parts, (struct play){{DOG_ALONE, 1, 0}, 0, {DOG}});
    if (phoenix)
        add(parts, (struct play){{SINGLE, 1, 3}, 0, {PHOENIX}});
    if (has(hand, DRAGON))
        add(parts, (struct play){{SINGLE, 1, DRAGON_ALONE}, 0, {DRAGON}});
}

/* Bring the groups into the order in which they take their cards: flushes, then by length. */
static void put_in_order(struct group *groups, int count)
{
    for (int from = 1; from < count; from++) {
        struct group moved = groups[from];
        int at = from, key = moved.length + (moved.kind == FLUSH ? NUMBERS : 0);
        for (; at > 0; at--) {
            struct group before = groups[at - 1];
            if (before.length + (before.kind == FLUSH ? NUMBERS : 0) >= key)
                break;
            groups[at] = before;
        }
        groups[at] = moved;
    }
}

static void lay_out(struct parts *parts, uint64_t hand, struct search *search)
{
    struct sorted cards = {.counts = {0}};
    for (int face = 0; face <= MAH_JONG; face++)
        if (has(hand, face)) {
            int number = number_of(face);
            cards.faces[number][cards.counts[number]++] = face;
        }
    int wild = search->named;
    parts->count = 0;
    add_special(parts, hand, has(hand, PHOENIX) && !wild);
    put_in_order(search->found, search->found_count);
    struct parts made[KINDS]; /* by kind of the groups */
    int order[KINDS], kinds = 0;
    for (int kind = 0; kind < KINDS; kind++)
        made[kind].count = 0;
    for (int at = 0; at < search->found_count; at++) {
        struct group part = search->found[at];
        int named = wild && has_room(part, wild) ? wild : 0;
        if (named)
            wild = 0;
        struct play play = play_of(&cards, part, named);
        if (part.kind == PAIR || part.kind == TRIPLE)
            add_by_number(&made[part.kind], play);
        else {
            if (!made[part.kind].count)
                order[kinds++] = part.kind;
            add(&made[part.kind], play);
        }
    }
    const struct parts *pairs = &made[PAIR], *triples = &made[TRIPLE];
    int joined = pairs->count < triples->count ? pairs->count : triples->count;
    for (int at = 0; at < joined; at++)
        add(parts, full_house(&triples->plays[at], &pairs->plays[at]));
    for (int at = joined; at < pairs->count; at++)
        add(parts, pairs->plays[at]);
    for (int at = joined; at < triples->count; at++)
        add(parts, triples->plays[at]);
    for (int kind = 0; kind < kinds; kind++)
        for (int at = 0; at < made[order[kind]].count; at++)
            add(parts, made[order[kind]].plays[at]);
}

static void split(struct parts *parts, uint64_t hand)
{
    struct search search;
    find(&search, hand);
    lay_out(parts, hand, &search);
}

/* Split a hand, and return the cost of all its parts. */
static int32_t costs_of(struct parts *parts, uint64_t hand)
{
    int32_t sum = 0;
    split(parts, hand);
    for (int at = 0; at < parts->count; at++)
        sum += cost_of(&parts->plays[at]);
    return sum;
}

static int32_t cost_of_hand(uint64_t hand)
{
    struct parts parts;
    return costs_of(&parts, hand);
}

/* ---- The gifts, as in gifts.py ---------------------------------------------------------------- */

static int height_of(int face)
{
    switch (face) {
    case MAH_JONG:
        return 8;
    case DOG:
        return 4;
    case PHOENIX:
        return 30;
    case DRAGON:
        return 20;
    }
    return number_of(face);
}

static uint8_t worst_of(uint64_t hand, int sign)
{
    int worst = NOBODY;
    int32_t least = 0;
    for (int face = 0; face < FACES; face++) {
        if (!has(hand, face))
            continue;
        int32_t price = cost_of_hand(hand & ~((uint64_t)1 << face)) + sign * 60 * height_of(face);
        if (worst == NOBODY || price < least) {
            worst = face;
            least = price;
        }
    }
    return worst;
}

/* ---- The policy of club ----------------------------------------------------------------------- */

struct spot {
    struct combination under; /* NOTHING at a lead */
    int from_last;
    int sizes[4];
    bool called[4];
    int points;
};

static bool is_urgent(const struct spot *spot)
{
    bool few = false;
    for (int steps = 1; steps < 4; steps += 2)
        few |= (spot->sizes[steps] && spot->sizes[steps] <= FEW) || spot->called[steps];
    return few;
}

static int order_of(const struct play *part, const struct spot *spot)
{
    struct combination made = part->made;
    if (made.kind == DOG_ALONE)
        return !spot->sizes[2] || spot->called[0] ? 100 : spot->called[2] ? -100 : 0;
    if ((made.size == spot->sizes[1] || made.size == spot->sizes[3]) && made.size <= 2)
        return 90 - made.strength;
    return made.strength - 3 * made.size;
}

/* Return the part to lead. */
static struct play lead(const struct parts *parts, const struct spot *spot)
{
    bool only_bombs = true;
    for (int at = 0; at < parts->count; at++)
        only_bombs &= is_bomb(parts->plays[at].made);
    int best = NOBODY, least = 0;
    for (int at = 0; at < parts->count; at++) {
        const struct play *part = &parts->plays[at];
        if (is_bomb(part->made) && !only_bombs)
            continue;
        int key = parts->count == 2 ? cost_of(part) : order_of(part, spot);
        if (best == NOBODY || key < least) {
            best = at;
            least = key;
        }
    }
    return parts->plays[best];
}

static bool wants(const struct play *play, int gain, int parts, const struct spot *spot)
{
    if (parts == 1 && gain > 0)
        return true;
    if (spot->from_last == 2)
        return spot->under.kind != NOTHING && !spot->called[2] && gain >= 800 &&
               spot->under.strength <= 20 && play->made.strength <= 24;
    int needed = 150;
    if (has(cards_of(play), DRAGON) && spot->points < 10)
        needed = 0;
    if (is_urgent(spot))
        needed = -1000;
    return gain + 20 * spot->points >= needed;
}

static bool wants_bomb(const struct spot *spot, int parts)
{
    if (spot->from_last == 0 || spot->from_last == 2)
        return false;
    return is_urgent(spot) || spot->points >= RICH || parts <= 2;
}

/* ---- The rest of a round ---------------------------------------------------------------------- */

struct position {
    uint64_t hands[4];
    int32_t calls[4];
    int32_t won[4]; /* points */
    int32_t out[4];
    int32_t out_count;
    int32_t pile; /* points */
    int32_t last;
    int32_t passes;
    int32_t turn; /* NOBODY at the last call */
    int32_t wish; /* 0 without a wish */
    struct combination under;
};

struct ending {
    struct position now;
    int sizes[4];
    struct parts parts[4];
};

/* Return a seat, or the first after it that is not out, or NOBODY. */
static int next_in(const struct ending *ending, int seat)
{
    for (int steps = 0; steps < 4; steps++)
        if (ending->sizes[(seat + steps) % 4])
            return (seat + steps) % 4;
    return NOBODY;
}

/* Lay cards that are no longer among the parts. */
static void lay(struct ending *ending, int seat, const struct play *play)
{
    struct position *now = &ending->now;
    uint64_t cards = cards_of(play);
    now->hands[seat] &= ~cards;
    ending->sizes[seat] -= play->made.size;
    if (!ending->sizes[seat])
        now->out[now->out_count++] = seat;
    now->pile += points_of(cards);
    now->under = play->made;
    now->last = seat;
    now->passes = 0;
    if (now->wish && cards & all_of(now->wish))
        now->wish = 0;
    if (play->made.kind == DOG_ALONE) {
        now->under.kind = NOTHING;
        now->turn = next_in(ending, (seat + 2) % 4);
    } else
        now->turn = next_in(ending, (seat + 1) % 4);
}

static void lay_part(struct ending *ending, int seat, struct play play)
{
    struct parts *parts = &ending->parts[seat];
    int count = 0;
    for (int at = 0; at < parts->count; at++)
        if (!(cards_of(&parts->plays[at]) & cards_of(&play)))
            parts->plays[count++] = parts->plays[at];
    parts->count = count;
    lay(ending, seat, &play);
}

static void pass_by(struct ending *ending, int seat)
{
    int others = 0;
    for (int other = 0; other < 4; other++)
        others += other != ending->now.last && ending->sizes[other];
    ending->now.passes++;
    ending->now.turn = ending->now.passes >= others ? NOBODY : next_in(ending, (seat + 1) % 4);
}

static struct spot spot_of(const struct ending *ending, int seat)
{
    const struct position *now = &ending->now;
    struct spot spot = {
        .under = now->under, .from_last = (now->last - seat + 4) % 4, .points = now->pile};
    for (int steps = 0; steps < 4; steps++) {
        spot.sizes[steps] = ending->sizes[(seat + steps) % 4];
        spot.called[steps] = !now->out_count && now->calls[(seat + steps) % 4] > 0;
    }
    return spot;
}

/* Lead a part, one with the wished number if there is one. */
static void begin(struct ending *ending, int seat)
{
    struct parts wished = {.count = 0};
    struct spot spot = spot_of(ending, seat);
    const struct parts *parts = &ending->parts[seat];
    for (int at = 0; at < parts->count && ending->now.wish; at++)
        if (cards_of(&parts->plays[at]) & all_of(ending->now.wish))
            add(&wished, parts->plays[at]);
    lay_part(ending, seat, lead(wished.count ? &wished : parts, &spot));
}

/* Follow with a whole part. wish: a number that the part has and a bomb may have, or 0. */
static bool follows_whole(struct ending *ending, int seat, const struct spot *spot, int wish)
{
    const struct parts *parts = &ending->parts[seat];
    struct combination under = spot->under;
    struct play best = {.wild = 0};
    int gain = -1;
    for (int at = 0; at < parts->count; at++) {
        struct play part = parts->plays[at];
        if (wish && !(cards_of(&part) & all_of(wish)))
            continue;
        if (part.made.size == 1 && part.faces[0] == PHOENIX && under.kind == SINGLE &&
            !is_dragon(under))
            part.made.strength = under.strength + 1;
        else if (!beats(part.made, under) || (is_bomb(part.made) && !wish))
            continue;
        int saved = cost_of(&part);
        if (saved > gain) {
            best = part;
            gain = saved;
        }
    }
    if (gain < 0 || !(wish || wants(&best, gain, parts->count, spot)))
        return false;
    lay_part(ending, seat, best);
    return true;
}

/* Write cards of one number, with the Phoenix if one is missing; tell whether there are enough. */
static bool takes(struct play *play, uint64_t hand, struct combination under, int number)
{
    int copies = under.size;
    *play = (struct play){.made = {under.kind, 0, 2 * number}};
    for (int face = number - LOWEST; face < MAH_JONG && play->made.size < copies; face += 13)
        if (has(hand, face))
            play->faces[play->made.size++] = face;
    if (copies > 1 && play->made.size == copies - 1 && has(hand, PHOENIX)) {
        play->faces[play->made.size++] = PHOENIX;
        play->wild = number;
    }
    return play->made.size == copies;
}

/* Follow with cards of one number out of the parts. wish: their number, or 0. */
static bool follows_broken(struct ending *ending, int seat, const struct spot *spot, int wish)
{
    struct combination under = spot->under;
    if ((under.kind != SINGLE && under.kind != PAIR && under.kind != TRIPLE) || is_dragon(under))
        return false;
    uint64_t hand = ending->now.hands[seat];
    int32_t whole = cost_of_hand(hand), most = -MANY;
    struct play best = {.wild = 0}, play;
    for (int number = LOWEST; number <= ACE; number++) {
        if (2 * number <= under.strength || (wish && number != wish) ||
            !takes(&play, hand, under, number))
            continue;
        int32_t gain = whole - cost_of_hand(hand & ~cards_of(&play));
        if (gain > most) {
            most = gain;
            best = play;
        }
    }
    if (most == -MANY || !(wish || wants(&best, most, ending->parts[seat].count, spot)))
        return false;
    split(&ending->parts[seat], hand & ~cards_of(&best));
    lay(ending, seat, &best);
    return true;
}

static void follow(struct ending *ending, int seat)
{
    struct spot spot = spot_of(ending, seat);
    int wish = ending->now.wish;
    if (wish && ending->now.hands[seat] & all_of(wish) &&
        (follows_whole(ending, seat, &spot, wish) || follows_broken(ending, seat, &spot, wish)))
        return;
    if (follows_whole(ending, seat, &spot, 0))
        return;
    if (spot.from_last != 2 && is_urgent(&spot) && follows_broken(ending, seat, &spot, 0))
        return;
    pass_by(ending, seat);
}

static void take(struct ending *ending)
{
    struct position *now = &ending->now;
    int owner = now->last;
    if (now->under.kind != NOTHING && is_dragon(now->under)) {
        int next = (owner + 1) % 4, before = (owner + 3) % 4;
        owner = ending->sizes[before] > ending->sizes[next] ? before : next;
    }
    now->won[owner] += now->pile;
    now->pile = 0;
    now->under.kind = NOTHING;
    now->passes = 0;
}

static void last_call(struct ending *ending)
{
    struct combination under = ending->now.under;
    for (int seat = 0; seat < 4 && under.kind != NOTHING; seat++) {
        const struct parts *parts = &ending->parts[seat];
        struct spot spot = spot_of(ending, seat);
        for (int at = 0; at < parts->count; at++) {
            struct combination made = parts->plays[at].made;
            if (is_bomb(made) && beats(made, under) && wants_bomb(&spot, parts->count)) {
                lay_part(ending, seat, parts->plays[at]);
                return;
            }
        }
    }
    take(ending);
    ending->now.turn = next_in(ending, ending->now.last);
}

static int sign_of(int seat)
{
    return seat % 2 ? -1 : 1;
}

static int count(struct ending *ending)
{
    struct position *now = &ending->now;
    int first = now->out[0], ahead = 0, hand = ALL;
    for (int seat = 0; seat < 4; seat++)
        ahead += sign_of(seat) * (seat == first ? now->calls[seat] : -now->calls[seat]);
    if (now->out_count == 2)
        return ahead + sign_of(first) * DOUBLE;
    take(ending);
    int last = 6 - now->out[0] - now->out[1] - now->out[2];
    for (int seat = 0; seat < 4; seat++) {
        hand -= now->won[seat];
        ahead += sign_of(seat == last ? first : seat) * now->won[seat];
    }
    return ahead - sign_of(last) * hand;
}

static bool is_decided(const int sizes[4])
{
    return !(sizes[0] || sizes[2]) || !(sizes[1] || sizes[3]);
}

static int score(struct ending *ending)
{
    while (!is_decided(ending->sizes)) {
        int seat = ending->now.turn;
        if (seat == NOBODY)
            last_call(ending);
        else if (ending->now.under.kind == NOTHING)
            begin(ending, seat);
        else
            follow(ending, seat);
    }
    return count(ending);
}

/* ---- The ways to deal, as in dealing.py ------------------------------------------------------- */

struct unseen {
    uint64_t hidden;
    uint64_t sure[4];
    uint64_t laid[4];
    int32_t missing[4];
    int32_t calls[4];
    int32_t seat;
};

/* The hidden cards that are dealt, and the seat that holds each. */
struct deck {
    uint8_t faces[FACES], owners[FACES];
    int count;
    uint64_t seed;
};

/* Return 32 bits by chance. */
static uint64_t word(struct deck *deck)
{
    deck->seed += 0x9E3779B97F4A7C15;
    uint64_t mixed = deck->seed;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return (mixed ^ mixed >> 31) >> 32;
}

/* Return a number from 0 to limit - 1. */
static int below(struct deck *deck, int limit)
{
    return word(deck) * (uint64_t)limit >> 32;
}

/* Return the rise of doubt that is accepted this time. */
static int32_t patience(struct deck *deck)
{
    int halvings = 1;
    uint64_t drawn = word(deck) | 1;
    for (; !(drawn >> 31); drawn <<= 1)
        halvings++;
    return HALF * (1024 * halvings - (int32_t)(drawn >> 21 & 1023)) >> 10;
}

static void exchange(struct deck *deck, int one, int other)
{
    uint8_t face = deck->faces[one];
    deck->faces[one] = deck->faces[other];
    deck->faces[other] = face;
}

static void shuffle(struct deck *deck, const struct unseen *unseen)
{
    int hidden = 0;
    deck->count = 0;
    for (int face = 0; face < FACES; face++)
        if (has(unseen->hidden, face))
            deck->faces[hidden++] = face;
    for (int seat = 0; seat < 4; seat++)
        for (int each = 0; each < unseen->missing[seat]; each++) {
            exchange(deck, deck->count, deck->count + below(deck, hidden - deck->count));
            deck->owners[deck->count++] = seat;
        }
}

/* Return 100,000 times the logarithm of the odds that the owner of a hand is out first. */
static int32_t log_odds(uint64_t hand)
{
    struct parts parts;
    int32_t sum = costs_of(&parts, hand);
    int32_t special = 32 * has(hand, MAH_JONG) - 156 * has(hand, DOG) + 50 * has(hand, PHOENIX);
    return 167 * (LEAD * parts.count - sum) + 1000 * (special - 38 * parts.count - 72);
}

/* Return how unlikely it is that a seat holds cards besides those known. */
static int32_t doubt(const struct unseen *unseen, int seat, uint64_t cards)
{
    uint64_t held = unseen->sure[seat] | cards, whole = held | unseen->laid[seat];
    int32_t doubted = 2 * cost_of_hand(held) - cost_of_hand(whole);
    if (seat == (unseen->seat + 2) % 4)
        for (int number = LOWEST; number <= LOW; number++)
            doubted -= GIVEN * size_of(cards & all_of(number));
    int32_t odds = unseen->calls[seat] ? log_odds(whole) : 0;
    return doubted + (odds < 0 ? -odds / 28 : 0);
}

/* Let two seats exchange a card by chance, if that makes the deal likelier, or not much less. */
static void swap(const struct unseen *unseen, struct deck *deck, uint64_t dealt[4],
                 int32_t doubts[4])
{
    int place = below(deck, deck->count), other_place = below(deck, deck->count);
    int seat = deck->owners[place], other = deck->owners[other_place];
    if (seat == other)
        return;
    uint64_t both = (uint64_t)1 << deck->faces[place] | (uint64_t)1 << deck->faces[other_place];
    int32_t here = doubt(unseen, seat, dealt[seat] ^ both);
    int32_t there = doubt(unseen, other, dealt[other] ^ both);
    if (here + there - doubts[seat] - doubts[other] > patience(deck))
        return;
    exchange(deck, place, other_place);
    dealt[seat] ^= both;
    dealt[other] ^= both;
    doubts[seat] = here;
    doubts[other] = there;
}

/* ---- The border: nothing that Python gives is trusted ----------------------------------------- */

static bool is_seat(int32_t seat)
{
    return 0 <= seat && seat < 4;
}

static bool are_points(int32_t points)
{
    return -MOST_POINTS <= points && points <= MOST_POINTS;
}

static bool is_made(struct combination made)
{
    return made.kind < KINDS && made.size <= HAND &&
           made.strength <= DRAGON_ALONE;
}

/* Tell whether exactly the seats without cards are out, each once, and the round goes on. */
static bool is_running(const struct position *position)
{
    int sizes[4], out = 0, empty = 0;
    if (position->out_count < 0 || position->out_count > 2)
        return false;
    for (int at = 0; at < position->out_count; at++) {
        if (!is_seat(position->out[at]) || out >> position->out[at] & 1)
            return false;
        out |= 1 << position->out[at];
    }
    for (int seat = 0; seat < 4; seat++) {
        sizes[seat] = size_of(position->hands[seat]);
        empty |= !sizes[seat] << seat;
    }
    return out == empty && !is_decided(sizes);
}

static bool is_position(const struct position *position)
{
    uint64_t all = 0;
    for (int seat = 0; seat < 4; seat++) {
        if (!is_hand(position->hands[seat]) || all & position->hands[seat] ||
            !are_points(position->calls[seat]) || !are_points(position->won[seat]))
            return false;
        all |= position->hands[seat];
    }
    return is_running(position) && are_points(position->pile) && is_seat(position->last) &&
           0 <= position->passes && position->passes < 4 && is_made(position->under) &&
           (!position->wish || (LOWEST <= position->wish && position->wish <= ACE)) &&
           (position->turn == NOBODY ||
            (is_seat(position->turn) && position->hands[position->turn]));
}

/* Tell whether a play has cards of a hand, each once. */
static bool is_play(const struct play *play, uint64_t hand)
{
    uint64_t cards = 0;
    if (!is_made(play->made) || !play->made.size || !play->made.kind)
        return false;
    for (int at = 0; at < play->made.size; at++) {
        if (play->faces[at] >= FACES)
            return false;
        cards |= (uint64_t)1 << play->faces[at];
    }
    return size_of(cards) == play->made.size && (cards & hand) == cards;
}

/* Tell whether the cards are all different, and there are enough for all hands. */
static bool is_unseen(const struct unseen *unseen)
{
    uint64_t all = unseen->hidden;
    int missing = 0;
    if (unseen->hidden >> FACES || !is_seat(unseen->seat))
        return false;
    for (int seat = 0; seat < 4; seat++) {
        uint64_t sure = unseen->sure[seat], laid = unseen->laid[seat];
        if (sure & laid || all & (sure | laid) || !is_hand(sure | laid) ||
            unseen->missing[seat] < 0 ||
            unseen->missing[seat] > HAND - size_of(sure) - size_of(laid))
            return false;
        all |= sure | laid;
        missing += unseen->missing[seat];
    }
    return missing <= size_of(unseen->hidden);
}

/* Return the hash of the source of this library. */
int32_t core_source(void)
{
    return SOURCE;
}

/* Write the best split of a hand; return NO_ANSWER if this is no hand. */
int32_t core_split(uint64_t hand, struct parts *parts)
{
    if (!is_hand(hand))
        return NO_ANSWER;
    split(parts, hand);
    return 0;
}

/* Return the cost of the best split of a hand, or NO_ANSWER if this is no hand. */
int32_t core_cost(uint64_t hand)
{
    return is_hand(hand) ? cost_of_hand(hand) : NO_ANSWER;
}

/* Write the cards for the next seat, the partner and the seat before; return NO_ANSWER if this
 * is no hand of three cards and more. */
int32_t core_gifts(uint64_t hand, uint8_t given[3])
{
    static const int8_t SIGNS[3] = {1, 1, -1}, RECEIVERS[3] = {0, 2, 1};
    if (!is_hand(hand) || size_of(hand) < 3)
        return NO_ANSWER;
    for (int at = 0; at < 3; at++) {
        uint8_t worst = worst_of(hand, SIGNS[at]);
        hand &= ~((uint64_t)1 << worst);
        given[RECEIVERS[at]] = worst;
    }
    return 0;
}

/* Return by how many points the team of a seat wins after a play, which may be NULL: the seat
 * passes in its turn, or holds. Return NO_ANSWER if this is no position. */
int32_t core_play_out(const struct position *position, int32_t seat, const struct play *play)
{
    if (!is_position(position) || !is_seat(seat) || (play && !is_play(play, position->hands[seat])))
        return NO_ANSWER;
    struct ending ending = {.now = *position};
    for (int each = 0; each < 4; each++) {
        uint64_t hand = position->hands[each];
        ending.sizes[each] = size_of(hand);
        split(&ending.parts[each], play && each == seat ? hand & ~cards_of(play) : hand);
    }
    if (play)
        lay(&ending, seat, play);
    else if (position->turn == seat)
        pass_by(&ending, seat);
    return sign_of(seat) * score(&ending);
}

/* Write the hands of all seats after so many swaps; return NO_ANSWER if nothing can be dealt. */
int32_t core_deal(const struct unseen *unseen, int32_t swaps, uint64_t seed, uint64_t hands[4])
{
    if (!is_unseen(unseen) || swaps < 0)
        return NO_ANSWER;
    struct deck deck = {.seed = seed};
    shuffle(&deck, unseen);
    uint64_t dealt[4] = {0};
    int32_t doubts[4];
    for (int at = 0; at < deck.count; at++)
        dealt[deck.owners[at]] |= (uint64_t)1 << deck.faces[at];
    for (int seat = 0; seat < 4; seat++)
        doubts[seat] = doubt(unseen, seat, dealt[seat]);
    for (int done = 0; done < swaps && deck.count; done++)
        swap(unseen, &deck, dealt, doubts);
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = unseen->sure[seat] | dealt[seat];
    return 0;
}
