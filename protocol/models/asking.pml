/* How a game survives crashes and lost links, and how a seat comes back to its table: SYNC, ASK,
 * HERE, and the fence between old links and new ones. Two to four seats.
 *
 * README.md beside this file walks through it, check.py runs it. Every `atomic` of a loop is one
 * step of a session, which writes to the disk, and ends with sending each neighbour what the
 * neighbour lacks. Between any two steps anything else may happen: a crash, a cut, a step of
 * another seat. What #ifdef switches on are mistakes made on purpose, which must be found, and
 * lies.
 */

#ifndef N
#define N 3          /* entries of the game after the HELLOs; at most 7 */
#endif
#ifndef ORDER
#define ORDER 36     /* two bits for each entry: who makes it; 36 = 0, 1, 2 */
#endif
#ifndef SEATS
#define SEATS 3
#endif
#ifndef EDGES
#define EDGES 2      /* pairs of neighbours */
#endif
#ifndef AT
#define AT 132       /* two bits for each end of an edge: the seat there; 132 = 0-1, 0-2 */
#endif
#ifndef DIALS
#define DIALS 0      /* bit i: the end i of an edge dials; 0: both ends take a link at once */
#endif
#ifndef CRASHES
#define CRASHES 0    /* of any seat, in all */
#endif
#ifndef CUTS
#define CUTS 0       /* of any link, in all */
#endif
#ifndef RESTORES
#define RESTORES 0   /* bit i: seat i may be put back, once, by one to BACK entries */
#endif
#ifndef BACK
#define BACK 1
#endif
#ifndef RESIGNS
#define RESIGNS 4    /* the seat that may resign; 4: none */
#endif
#ifndef LEAVES
#define LEAVES 0     /* 1: seats leave after the game; of two seats only */
#endif
#ifndef PIPES
#define PIPES 0      /* how often a dial reaches the listener of the seat that dials */
#endif
#ifndef LIAR
#define LIAR 4       /* the seat that lies; 4: none */
#endif
#ifndef FAILS
#define FAILS 0      /* how many SYNCs of the liar fail */
#endif
#define FRAMES 12    /* on a link at a time; the search fails if more are needed */

/* What must never be. Each is judged where it would show, unless WATCH leaves it out. */
#ifndef WATCH
#define WATCH 255
#endif
#define TWO_ENTRIES 1    /* a seat sends two different entries at one height */
#define TWO_LOGS 2       /* of two logs, neither begins with the other */
#define SAME_COINS 4     /* two different entries are made with the same random choices */
#define REFUSED 8        /* an honest seat finds fault with what another sends */
#define STUCK 16         /* nothing can happen any more, and a seat lacks entries */
#define ACCUSED 32       /* a seat ends the game over something that nobody else can judge */
#define TAKEN_BACK 64    /* a crash takes back an entry that was shown, or told of in SYNC */
#define GOES_ON 128      /* a seat makes an entry though another had its resignation on disk */
#define NEVER(property, number) assert(!(property && (WATCH & number)))

/* A log is one number: 1, then a bit for each entry, the newest last. So an entry can be told
 * by the log that it ends, as a real one commits by `prev` to all that went before it. What a
 * bit means is open: 0 is whatever first left its author at that height, 1 anything else.
 */
#define EMPTY 1
#define LENGTH(log) ((log>1)+(log>3)+(log>7)+(log>15)+(log>31)+(log>63)+(log>127))
#define FIRST(n, log) ((log) >> (LENGTH(log) - (n)))
#define PREFIX(a, b) (LENGTH(a) <= LENGTH(b) && FIRST(LENGTH(a), b) == a)
#define AUTHOR(h) ((ORDER >> (2 * (h))) & 3)
#define WHOLE(log) (LENGTH(log) == N)
#define OVER(log, seat) (WHOLE(log[seat]) || holds[seat])
#define TURN(seat) (!OVER(log, seat) && AUTHOR(LENGTH(log[seat])) == seat)

/* The ends 2k and 2k+1 belong to edge k. */
#define ENDS (2 * EDGES)
#define SEAT(e) ((AT >> (2 * (e))) & 3)
#define OTHER(e) ((e) ^ 1)
#define PEER(e) SEAT(OTHER(e))

mtype = { LINK, SYNC, ENTRY, RESIGN, BYE, ASK, HERE };

/* A frame to the end e: a kind, a log or the asker, and of a word the ASK's number, the author,
 * the newest entry of the asker that the author holds, the run of the author, and a record of
 * the asker. The number of a SYNC tells whether its author holds a resignation of the reader.
 * After a LINK come the frames of a link that this end has not taken yet.
 */
chan line[ENDS] = [FRAMES] of { mtype, byte, byte, byte, byte, byte, byte };
#define RESIGNED 255     /* as a record */
byte crashes = CRASHES;
byte cuts = CUTS;
byte restores = RESTORES;
byte pipes = PIPES;
byte fails = FAILS;
byte runs = 0;           /* the latest run of any seat: the clock, so that later is greater */

/* The journal of a seat. */
byte disk[SEATS] = EMPTY;
bool holds[SEATS];                 /* the resignation of the seat that resigns */
byte number_of_run[SEATS];         /* 0: the program that began the game */
byte announced[ENDS];    /* the longest SYNC of the neighbour that tells of entries not here */

/* What a program knows. */
byte log[SEATS] = EMPTY;           /* never shorter than the disk */
bool whole[SEATS] = true;
byte shown[SEATS];       /* bit s: the word of seat s has come, and the log has what it shows */
byte asks[SEATS * SEATS];        /* at me, of a: the number of the latest ASK, 4 run + try */
byte heres[SEATS * SEATS * SEATS];       /* at me, to a, of b: 0, or the entry that b holds */
byte records[SEATS * SEATS * SEATS];     /* at me, to a, of b: the record of a that b holds */
byte author_runs[SEATS * SEATS * SEATS]; /* at me, to a, of b: the run of b that answered */
byte heard_runs[SEATS * SEATS];  /* at me, of b: the highest run heard */
bool parted[SEATS];      /* the neighbour has said that it has the whole game */
bool gone[SEATS];        /* it has left for good */

/* An end of an edge. */
bool up[ENDS] = true;
bool dead[ENDS];         /* the link of this end carries nothing more, or there is none */
bool waiting[ENDS];      /* the other end has dialled a link that this end has not taken */
bool level[ENDS] = true; /* the SYNC of the other has come */
byte given[ENDS];        /* how many entries the other has, or was sent */
bool resign_given[ENDS]; /* so the resignation */
byte owed[ENDS];         /* how many entries a program that is not whole awaits */
bool awaits[ENDS];       /* that it awaits its resignation */
byte end_run[ENDS];      /* the run of the other's program on this link */
byte told_asks[ENDS * SEATS];    /* the ASK of a that the other has, or was sent */
byte told_heres[ENDS * SEATS];   /* bit b: so the answer of b to that ASK */

/* What only the judge sees. */
byte sent[N];            /* the first entry that left its author at that height */
byte kept[N];            /* the first one there that another seat had on disk */
bool restored[SEATS];
bool ahead[SEATS];       /* more was shown, or told of in SYNC, than is on disk */
bool told;               /* another seat had the resignation on disk */
bool lied;               /* the last SYNC that was heard from the liar told more than it has */
bool two_entries, two_logs, same_coins, refused, stuck, accused, taken_back, goes_on;
hidden byte e, a, b, h, x, y, number, author, author_run, record;
hidden mtype kind;

#define ASKED(me, a) asks[(me) * SEATS + (a)]
#define HERED(me, a, b) heres[((me) * SEATS + (a)) * SEATS + (b)]
#define RECORD(me, a, b) records[((me) * SEATS + (a)) * SEATS + (b)]
#define HERE_RUN(me, a, b) author_runs[((me) * SEATS + (a)) * SEATS + (b)]
#define RUN_OF(me, b) heard_runs[(me) * SEATS + (b)]
#define TOLD(e, a) told_asks[(e) * SEATS + (a)]
#define TOLD_HERES(e, a) told_heres[(e) * SEATS + (a)]
#define OTHERS(me) (((1 << SEATS) - 1) ^ (1 << (me)))
#define ASKS_AGAIN(me) (ASKED(me, me) & 3)

/* A session sends what is on its disk. */
#ifdef SEND_FIRST
#define SENDABLE(me) log[me]
#else
#define SENDABLE(me) disk[me]
#endif

/* What the random choices of a proof are derived from: all of the history and the statement. */
#ifdef LABEL_ONLY
#define COINS(entry) LENGTH(entry)
#else
#define COINS(entry) entry
#endif

/* The psk of a link, by the seat that dials. A listener expects that of the other's dials. */
#ifdef ONE_PSK
#define PSK(dialler) 0
#else
#define PSK(dialler) dialler
#endif

/* A HERE counts once the log has its last entry, and the seat has what its record binds to. */
#ifdef NO_LAST
#define HAS_LAST(me, last) true
#else
#define HAS_LAST(me, last) PREFIX(last, log[me])
#endif
#ifdef ENTRIES_ALONE
#define HAS_RESIGNATION(me) true
#else
#define HAS_RESIGNATION(me) holds[me]
#endif
#define HAS_RECORD(me, r) (!(r) || (me) == LIAR || \
                           ((r) == RESIGNED -> HAS_RESIGNATION(me) : PREFIX(r, log[me])))

/* Judge an entry that its author sends. A seat put back to an old backup may make one anew if
 * no other had the first on disk: nothing can know of it. But not with the same coins.
 */
inline witness(entry) {
    h = LENGTH(entry) - 1;
    two_entries = (kept[h] && kept[h] != entry) ||
                  (!RESTORES && sent[h] && sent[h] != entry);
    NEVER(two_entries, TWO_ENTRIES);
    same_coins = sent[h] && sent[h] != entry && COINS(sent[h]) == COINS(entry);
    NEVER(same_coins, SAME_COINS);
    if :: !sent[h] -> sent[h] = entry :: else fi;
    h = 0
}

/* One write and one fdatasync. */
inline commit(me) {
    h = LENGTH(disk[me]);
    do
    :: h < LENGTH(log[me]) ->
        if
        :: AUTHOR(h) != me && !kept[h] -> kept[h] = FIRST(h + 1, log[me])
        :: else
        fi;
        h++
    :: else -> break
    od;
    h = 0;
    disk[me] = log[me];
    ahead[me] = false
}

inline put(what, end, v, w, s, t, r, c) {
    if
    :: dead[end]
#ifdef DROP_NEWER
    :: !dead[end] && waiting[OTHER(end)]
#endif
    :: else ->
        assert(nfull(line[OTHER(end)]));
        line[OTHER(end)] ! what, v, w, s, t, r, c
    fi
}

/* Send all neighbours whatever they lack: words first, then entries, then the resignation. */
inline flush(me) {
    e = 0;
    do
    :: e == ENDS -> break
    :: else ->
        if
        :: SEAT(e) == me && up[e] && level[e] ->
            a = 0;
            do
            :: a == SEATS -> break
            :: else -> flush_words(me); a++
            od;
            do
            :: given[e] < LENGTH(SENDABLE(me)) -> flush_entry(me)
            :: else -> break
            od;
            if
            :: holds[me] && !resign_given[e] ->
                put(RESIGN, e, 0, 0, 0, 0, 0, 0);
                resign_given[e] = true
            :: else
            fi
        :: else
        fi;
        e++
    od;
    e = 0; a = 0; b = 0
}

inline flush_entry(me) {
    y = FIRST(given[e] + 1, log[me]);
    if
#ifdef NO_FLOOD
    :: AUTHOR(given[e]) != me && AUTHOR(given[e]) != PEER(e)
#endif
    :: else ->
        if :: AUTHOR(given[e]) == me -> witness(y) :: else fi;
        put(ENTRY, e, y, 0, 0, 0, 0, 0)
    fi;
    y = 0;
    given[e]++
}

inline flush_words(me) {
    if
    :: ASKED(me, a) > TOLD(e, a) ->
        put(ASK, e, a, ASKED(me, a), 0, 0, 0, 0);
        TOLD(e, a) = ASKED(me, a);
        TOLD_HERES(e, a) = 0
    :: else
    fi;
    b = 0;
    do
    :: b == SEATS -> break
    :: b < SEATS && HERED(me, a, b) && TOLD(e, a) == ASKED(me, a) && !(TOLD_HERES(e, a) & (1 << b)) ->
        put(HERE, e, a, ASKED(me, a), b, HERED(me, a, b), HERE_RUN(me, a, b), RECORD(me, a, b));
        TOLD_HERES(e, a) = TOLD_HERES(e, a) | (1 << b);
        b++
    :: else -> b++
    od
}

/* The log of `me` up to the newest entry of `asker`, and the record that binds the asker. */
inline newest(me, asker, end) {
    y = log[me];
    do
    :: y > EMPTY && AUTHOR(LENGTH(y) - 1) != asker -> y = y >> 1
    :: else -> break
    od;
    record = 0;
    if
    :: asker == RESIGNS && holds[me] -> record = RESIGNED
#ifndef NO_SYNC
    :: !(asker == RESIGNS && holds[me]) && PEER(end) == asker -> record = announced[end]
#endif
    :: else
    fi;
#ifdef TELLS_LESS
    do :: me == LIAR && y > EMPTY -> y = y >> 1 :: break od
#endif
}

inline clear_heres(seat, asker) {
    b = 0;
    do
    :: b == SEATS -> break
    :: else ->
        HERED(seat, asker, b) = 0; RECORD(seat, asker, b) = 0; HERE_RUN(seat, asker, b) = 0;
        b++
    od;
    b = 0
}

inline ask_again(me) {
    assert(ASKS_AGAIN(me) < 3);
    ASKED(me, me)++;
    clear_heres(me, me);
    shown[me] = 0;
    printf("seat %d: asks again\n", me)
}

/* Note who has answered, as far as the log has what the answers show. */
inline catch_up(me) {
    if
    :: !whole[me] ->
        b = 0;
        do
        :: b == SEATS -> break
        :: b < SEATS && HERED(me, me, b) && HERE_RUN(me, me, b) >= RUN_OF(me, b) &&
           HAS_LAST(me, HERED(me, me, b)) && HAS_RECORD(me, RECORD(me, me, b)) ->
            shown[me] = shown[me] | (1 << b);
            b++
        :: else -> b++
        od;
        b = 0;
#ifdef ONE_WORD
        whole[me] = shown[me] != 0
#else
        whole[me] = shown[me] == OTHERS(me)
#endif
    :: else
    fi
}

inline forget_end(end) {
    level[end] = false;
    given[end] = 0;
    resign_given[end] = false;
    owed[end] = 0;
    awaits[end] = false;
    end_run[end] = 0;
    a = 0;
    do
    :: a == SEATS -> break
    :: else -> TOLD(end, a) = 0; TOLD_HERES(end, a) = 0; a++
    od;
    a = 0
}

#define NEXT_IS_LINK(end) (waiting[end] && line[end] ? [LINK, _, _, _, _, _, _])
#define READABLE(end) (nempty(line[end]) && !NEXT_IS_LINK(end))
#define FRAME kind, x, number, author, y, author_run, record
#define READ(end) line[end] ? FRAME

/* Drop what has come, but for a link that this end has not taken. */
inline drain(end) {
    do
    :: READABLE(end) -> READ(end)
    :: empty(line[end]) || NEXT_IS_LINK(end) -> break
    od
}

/* The link that waits for this end will never be taken: only what came before it is left. */
inline cancel(end) {
    h = len(line[end]);
    do
    :: h && waiting[end] ->
        READ(end);
        if :: kind == LINK -> waiting[end] = false :: else -> line[end] ! FRAME fi;
        h--
    :: h && !waiting[end] -> READ(end); h--
    :: !h -> break
    od
}

/* The newest link of the edge breaks. What was sent may still arrive where it was taken. */
inline break_link(end) {
    dead[end] = true;
    dead[OTHER(end)] = true;
#if DIALS
    if :: waiting[end] -> cancel(end) :: else fi;
    if :: waiting[OTHER(end)] -> cancel(OTHER(end)) :: else fi
#endif
}

/* This end is gone, and reads nothing more. */
inline lose(end) {
    up[end] = false;
    if :: !dead[end] -> break_link(end) :: else fi;
    drain(end);
    forget_end(end)
}

/* So, and the link that waits for this end is gone, too. */
inline close(end) {
    if :: waiting[end] -> break_link(end) :: else fi;
    lose(end)
}

/* Put something else in the place of the log that the liar has. */
inline lie(me) {
#ifdef TELLS_LESS
    do :: x > EMPTY -> x = x >> 1 :: break od;
#endif
#ifdef TELLS_MORE
    do :: !WHOLE(x) -> x = 2 * x :: break od;
#endif
    if
    :: x != log[me] && x > EMPTY -> x = x ^ 1        /* with a head that nobody has */
    :: fails -> fails--; x = 0                       /* signed wrongly */
    :: true
    fi
}

/* One's own ASK goes first on a new link, and then the SYNC. A SYNC binds: write first. */
inline greet(end) {
    if
    :: ASKED(SEAT(end), SEAT(end)) ->
        put(ASK, end, SEAT(end), ASKED(SEAT(end), SEAT(end)), 0, 0, 0, 0);
        TOLD(end, SEAT(end)) = ASKED(SEAT(end), SEAT(end))
    :: else
    fi;
#ifndef TELL_FROM_MEMORY
    commit(SEAT(end));
#endif
    ahead[SEAT(end)] = disk[SEAT(end)] != log[SEAT(end)];
    x = log[SEAT(end)];
    if :: SEAT(end) == LIAR -> lie(SEAT(end)) :: else fi;
    printf("seat %d: SYNC, length %d, to seat %d\n", SEAT(end), LENGTH(x), PEER(end));
    put(SYNC, end, x, (holds[SEAT(end)] && PEER(end) == RESIGNS), 0, 0, 0, 0);
    x = 0
}

/* A program starts again, and asks. */
inline restart(me) {
    log[me] = disk[me];
    ahead[me] = false;
    parted[me] = false;
    runs++;
    number_of_run[me] = runs;
#ifndef AUTHOR_BEHIND
    whole[me] = false;
#endif
    shown[me] = 0;
    e = 0;
    do
    :: e == ENDS -> break
    :: e < ENDS && SEAT(e) == me -> close(e); e++
    :: else -> e++
    od;
    e = 0;
    y = 0;
    do
    :: y == SEATS -> break
    :: else -> ASKED(me, y) = 0; RUN_OF(me, y) = 0; clear_heres(me, y); y++
    od;
    y = 0;
    ASKED(me, me) = 4 * number_of_run[me];
    RUN_OF(me, me) = number_of_run[me];
    clear_frame();
    printf("seat %d: starts again, length %d, run %d\n", me, LENGTH(log[me]), number_of_run[me])
}

inline clear_frame() {
    kind = 0; x = 0; y = 0; number = 0; author = 0; author_run = 0; record = 0
}

/* If this shows a later run of its author, earlier words count no more. */
inline hear_run(me, whose, which) {
    if
    :: which > RUN_OF(me, whose) ->
        RUN_OF(me, whose) = which;
        if
        :: whose != me && !whole[me] -> ask_again(me)
        :: else
        fi
    :: else
    fi
}

inline hear_ask(me, end) {
    if
    :: x == PEER(end) && (number >> 2) > end_run[end] -> end_run[end] = number >> 2
    :: else
    fi;
    if
    :: x != me && number > ASKED(me, x) ->
        ASKED(me, x) = number;
        clear_heres(me, x);
#ifndef TELL_FROM_MEMORY
        commit(me);
#endif
        newest(me, x, end);
        HERED(me, x, me) = y;
        RECORD(me, x, me) = record;
        HERE_RUN(me, x, me) = number_of_run[me];
        printf("seat %d: answers ASK %d of seat %d, length %d\n", me, number, x, LENGTH(y));
        hear_run(me, x, number >> 2)
    :: else
    fi;
    if
    :: TOLD(end, x) < number -> TOLD(end, x) = number; TOLD_HERES(end, x) = 0
    :: else
    fi
}

inline hear_here(me, end) {
    if
    :: author != me && number == ASKED(me, x) && author_run >= RUN_OF(me, author) &&
       (!HERED(me, x, author) || author_run > HERE_RUN(me, x, author)) ->
        HERED(me, x, author) = y;
        RECORD(me, x, author) = record;
        HERE_RUN(me, x, author) = author_run;
        hear_run(me, author, author_run)
    :: else
    fi;
    if
    :: TOLD(end, x) == number -> TOLD_HERES(end, x) = TOLD_HERES(end, x) | (1 << author)
    :: else
    fi
}

/* A SYNC that fails a check ends the link that it came over, and nothing else. */
inline sync_fails(me) {
    printf("seat %d: hears a SYNC that fails\n", me);
#ifdef SYNC_ENDS_GAME
    accused = true;
    NEVER(accused, ACCUSED);
    !accused;                                /* or this seat stops here */
#endif
    skip
}

/* Compare; if the other's log is the longer, the other compares. Only a program that is not whole
 * awaits what the SYNC tells.
 */
inline hear_sync(me, end) {
    if
    :: x == 0 -> sync_fails(me); lose(end)
    :: else ->
        h = LENGTH(x) <= LENGTH(log[me]) && !PREFIX(x, log[me]);
        refused = h && PEER(end) != LIAR;
        NEVER(refused, REFUSED);
        !refused;                            /* or this seat stops here */
        level[end] = true;
        given[end] = (h -> 0 : (LENGTH(x) < LENGTH(log[me]) -> LENGTH(x) : LENGTH(log[me])));
        h = 0;
        parted[me] = WHOLE(x) || number;
#ifdef WAIT_WHOLE
        owed[end] = LENGTH(x);
#else
        owed[end] = (whole[me] -> 0 : LENGTH(x));
#endif
        awaits[end] = number && !whole[me];
        if :: PEER(end) == LIAR -> lied = LENGTH(x) > LENGTH(log[LIAR]) :: else fi;
#ifdef KEEP_SYNC                             /* the head that is told counts as if it were here */
        if
        :: LENGTH(x) > LENGTH(log[me]) && LENGTH(x) > LENGTH(announced[end]) ->
            announced[end] = x;
            if :: !kept[LENGTH(x) - 1] -> kept[LENGTH(x) - 1] = x :: else fi
        :: else
        fi
#endif
    fi
}

/* An entry is known, or must be the next. One's own that was lost is taken back like any other. */
inline hear_entry(me, end) {
    if
    :: PREFIX(x, log[me])
    :: !PREFIX(x, log[me]) && me == LIAR && (x >> 1) != log[me]
    :: else ->
        printf("seat %d: hears entry %d, choice %d\n", me, LENGTH(x) - 1, x % 2);
        refused = (x >> 1) != log[me];
#ifdef NO_ADOPTION
        refused = refused || AUTHOR(LENGTH(log[me])) == me;
#endif
        NEVER(refused, REFUSED);
        !refused;                            /* or this seat stops here */
        log[me] = x;
        if :: PREFIX(announced[end], x) -> announced[end] = 0 :: else fi;
        write_heard(me)
    fi;
    if :: given[end] < LENGTH(x) -> given[end] = LENGTH(x) :: else fi
}

/* Our program writes every entry at once. Another may keep in memory what the person does not
 * see yet, but for the last entry, which no reply will carry to the disk.
 */
inline write_heard(me) {
#ifdef LATE
    if
#ifdef SHOW_FIRST
    :: ahead[me] = true
#else
    :: commit(me)
#endif
#ifdef LAST_IN_MEMORY
    :: true
#else
    :: !WHOLE(log[me])                       /* there is nothing in it to see */
#endif
    fi
#else
    commit(me)
#endif
}

inline hear_resignation(me, end) {
    if
    :: !holds[me] -> printf("seat %d: hears the resignation\n", me)
    :: else
    fi;
    holds[me] = true;
    told = true;
    resign_given[end] = true;
    commit(me)
}

/* The fence: what comes over a link of an earlier run counts no more. */
#ifdef OLD_LINKS
#define OUTDATED(me, end) false
#else
#define OUTDATED(me, end) (end_run[end] < RUN_OF(me, PEER(end)))
#endif

#define LACKS(me, e) (owed[e] > LENGTH(log[me]) || (awaits[e] && !HAS_RESIGNATION(me)))

/* What a seat makes of one of its ends. */
proctype Ear(byte me; byte end) {
    do
    :: atomic {
        up[end] && READABLE(end) ->
        READ(end);
        if
        :: kind != ASK && OUTDATED(me, end) ->
            printf("seat %d: ends an old link to seat %d\n", me, PEER(end));
            lose(end)
        :: else ->
            if
            :: kind == SYNC -> hear_sync(me, end)
            :: kind == ENTRY -> hear_entry(me, end)
            :: kind == RESIGN -> hear_resignation(me, end)
            :: kind == BYE -> parted[me] = true
            :: kind == ASK -> hear_ask(me, end)
            :: kind == HERE -> hear_here(me, end)
            fi;
            catch_up(me);
            flush(me)
        fi;
        clear_frame()
    }
    /* Notice that a link is lost; what it still carried is never read. */
    :: atomic { up[end] && dead[end] -> lose(end); clear_frame() }
#if DIALS
    /* Take the link that the other has dialled: the newest counts. */
    :: atomic {
        waiting[end] && !gone[me] ->
        lose(end);
        READ(end);
        waiting[end] = false;
        up[end] = true;
        dead[end] = false;
        clear_frame();
        printf("seat %d: takes the link of seat %d\n", me, PEER(end));
        greet(end)
    }
#endif
    /* Wait no longer for what the other has announced: all that is under way has come. */
#if LIAR < SEATS
#ifndef WAIT_FOR_EVER
    :: atomic {
        up[end] && !dead[end] && LACKS(me, end) &&
        empty(line[end]) && empty(line[OTHER(end)]) ->
        printf("seat %d: waits no longer, and gives up the link to seat %d\n", me, PEER(end));
        lose(end)
    }
#endif
#endif
#if PIPES
    /* The dial reaches one's own listener: addresses are equal, or somebody pipes it there. */
    :: atomic {
        pipes && !gone[me] && (!up[end] || cuts) ->
        pipes--;
        if
        :: PSK(me) != PSK(PEER(end)) -> printf("seat %d: drops a dial of its own\n", me)
        :: else ->
            printf("seat %d: takes a link to itself, and hears its own SYNC\n", me);
            if :: up[end] -> cuts-- :: else fi;
            lose(end);
            clear_frame();
            sync_fails(me)
        fi
    }
#endif
    od
}

#define OF(me, e) ((e) < ENDS && SEAT(e) == me && up[e])
#define ANY(what, me) (what(me, 0) || what(me, 1) || what(me, 2) || \
                       what(me, 3) || what(me, 4) || what(me, 5))
#define LEVEL(me, e) (OF(me, e) && level[e])
#ifdef NO_OWED
#define LACKING(me, e) false
#else
#define LACKING(me, e) (LEVEL(me, e) && LACKS(me, e))
#endif

/* Nothing new before the SYNC of a neighbour is handled, nor while something of one's own may be
 * missing.
 */
#ifdef AUTHOR_UNSYNCED
#define MAY_AUTHOR(me) (ANY(OF, me) && TURN(me))
#elif defined(DECIDE_LATE)
#define MAY_AUTHOR(me) (whole[me] && ANY(OF, me) && TURN(me))
#else
#define MAY_AUTHOR(me) (whole[me] && ANY(LEVEL, me) && !ANY(LACKING, me) && TURN(me))
#endif

/* Who made the last entry, or resigned, waits until he knows that it arrived; the other need
 * not.
 */
#ifdef EXIT_EARLY
#define MAY_LEAVE(me) true
#else
#define MAY_LEAVE(me) (parted[me] || (holds[me] -> me != RESIGNS : AUTHOR(N - 1) != me))
#endif

proctype Seat(byte me) {
    do
    :: atomic {
        !gone[me] && MAY_AUTHOR(me) ->
        goes_on = me == RESIGNS && told;
        NEVER(goes_on, GOES_ON);
        x = LENGTH(log[me]);
        if
        :: log[me] = 2 * log[me]
        :: sent[x] -> log[me] = 2 * log[me] + 1      /* this time another choice */
        fi;
        x = 0;
        printf("seat %d: makes entry %d, choice %d\n", me, LENGTH(log[me]) - 1, log[me] % 2);
#ifndef SEND_FIRST
        commit(me);
#endif
#ifdef DECIDE_LATE
        if :: up[me] && !level[me] -> put(ENTRY, me, log[me], 0, 0, 0, 0, 0) :: else fi;
#endif
        flush(me)
    }
#ifdef SEND_FIRST
    :: atomic { log[me] != disk[me] -> commit(me) }
#endif
#if RESIGNS < SEATS
    /* Resign, once no entry or resignation of one's own can be missing. */
    :: atomic {
        me == RESIGNS && !gone[me] && whole[me] && !OVER(log, me) ->
        printf("seat %d: resigns\n", me);
        holds[me] = true;
        commit(me);
        flush(me)
    }
#endif
#if LEAVES
    :: atomic {
        !gone[me] && OVER(disk, me) && MAY_LEAVE(me) ->
        printf("seat %d: leaves, length %d\n", me, LENGTH(disk[me]));
        if :: up[me] -> put(BYE, me, 0, 0, 0, 0, 0, 0) :: else fi;
        gone[me] = true;
        close(me);
        clear_frame()
    }
#endif
#if CRASHES
    :: atomic {
        crashes && !gone[me] ->
        crashes--;
        taken_back = ahead[me];
        NEVER(taken_back, TAKEN_BACK);
#ifdef REMAKE
        if
        :: disk[me] > EMPTY && AUTHOR(LENGTH(disk[me]) - 1) == me -> disk[me] = disk[me] ^ 1
        :: true
        fi;
#endif
        restart(me)
    }
#endif
#if RESTORES
    :: atomic {
        ((restores >> me) & 1) && !gone[me] && (disk[me] > EMPTY || holds[me]) ->
        restores = restores - (1 << me);
        restored[me] = true;
        h = 0;
        do
        :: h < BACK && disk[me] > EMPTY -> disk[me] = disk[me] >> 1; h++
        :: h || holds[me] -> break
        od;
        h = 0;
        holds[me] = false;
        do
        :: h == ENDS -> break
        :: h < ENDS && SEAT(h) == me -> announced[h] = 0; h++
        :: else -> h++
        od;
        h = 0;
        restart(me)
    }
#endif
    od
}

/* A link breaks, or comes about; it replaces the link before. */
#define GONE(k) (gone[SEAT(2 * (k))] || gone[SEAT(2 * (k) + 1)])
#define MAY_DIAL(i) ((DIALS & (1 << ((i) & 1))) && !up[i] && (dead[OTHER(i)] || cuts))

inline dial(i) {
    if :: dead[OTHER(i)] :: else -> cuts--; break_link(i) fi;    /* both dial at once */
    clear_frame();
    up[i] = true;
    dead[i] = false;
    printf("seat %d: dials seat %d\n", SEAT(i), PEER(i));
    assert(nfull(line[OTHER(i)]));
    line[OTHER(i)] ! LINK, 0, 0, 0, 0, 0, 0;
    waiting[OTHER(i)] = true;
    greet(i)
}

proctype Line(byte k) {
    do
#if CUTS
    :: atomic {
        cuts && (!dead[2 * k] || !dead[2 * k + 1]) ->
        cuts--;
        break_link(2 * k);
        clear_frame();
        printf("link %d breaks\n", k)
    }
#endif
#if DIALS
    :: atomic { !GONE(k) && MAY_DIAL(2 * k) -> dial(2 * k) }
    :: atomic { !GONE(k) && MAY_DIAL(2 * k + 1) -> dial(2 * k + 1) }
#else
    :: atomic {
        !GONE(k) && dead[2 * k] && (!up[2 * k] || !up[2 * k + 1]) ->
        lose(2 * k);
        lose(2 * k + 1);
        clear_frame();
        up[2 * k] = true;
        up[2 * k + 1] = true;
        dead[2 * k] = false;
        dead[2 * k + 1] = false;
        printf("link %d comes about\n", k);
        greet(2 * k);
        greet(2 * k + 1)
    }
#endif
    od
}

#define APART(i, j) (!PREFIX(log[i], log[j]) && !PREFIX(log[j], log[i]))
#define DONE(i) (OVER(disk, i) || (restored[i] && gone[1 - (i)]))
/* After a lie that was the last SYNC the game may wait for the liar, but not for an honest seat. */
#define LEFT(i) (!DONE(i) && (!lied || ((i) != LIAR && TURN(i))))
#if SEATS == 2
#define PARTED APART(0, 1)
#define ANY_LEFT (LEFT(0) || LEFT(1))
#elif SEATS == 3
#define PARTED (APART(0, 1) || APART(0, 2) || APART(1, 2))
#define ANY_LEFT (LEFT(0) || LEFT(1) || LEFT(2))
#else
#define PARTED (APART(0, 1) || APART(0, 2) || APART(1, 2) || \
                APART(0, 3) || APART(1, 3) || APART(2, 3))
#define ANY_LEFT (LEFT(0) || LEFT(1) || LEFT(2) || LEFT(3))
#endif

/* In every state, of two logs one begins with the other. When nothing can happen any more, all
 * have the whole game, unless the peer left before an old backup was restored.
 */
proctype Judge() {
    do
    :: atomic {
        timeout ->
        stuck = ANY_LEFT;
        NEVER(stuck, STUCK);
        break
    }
    :: atomic {
        !two_logs && PARTED ->
        two_logs = true;
        NEVER(two_logs, TWO_LOGS)
    }
    od
}

init {
    byte i;
    atomic {
        i = 0; do :: i == SEATS -> break :: else -> run Seat(i); i++ od;
        i = 0; do :: i == ENDS -> break :: else -> run Ear(SEAT(i), i); i++ od;
        i = 0; do :: i == EDGES -> break :: else -> run Line(i); i++ od;
        run Judge()
    }
}
