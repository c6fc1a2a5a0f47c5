/* How a seat comes back to a table of three or four: ASK, HERE, and the fence between old links
 * and new ones.
 *
 * README.md beside this file walks through it, check.py runs it. Every `atomic` of a loop is one
 * step of a session, which ends with sending each neighbour what the neighbour lacks. Journals
 * are those of resume.pml: what a seat has sent is on its disk. So a crash loses the links and
 * the words, and only a backup loses entries. What #ifdef switches on are mistakes made on
 * purpose, which must be found.
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
#ifndef CRASHES
#define CRASHES 0    /* of any seat, in all */
#endif
#ifndef CUTS
#define CUTS 0       /* of any link, in all */
#endif
#ifndef RESTORED
#define RESTORED 0   /* the seat that is put back, once, by one to BACK entries */
#endif
#ifndef BACK
#define BACK 1
#endif
#define FRAMES 12    /* on a link at a time; the search fails if more are needed */
#ifndef WATCH
#define WATCH 255
#endif

/* What must never be, with the numbers of resume.pml. */
#define TWO_LOGS 2       /* of two logs, neither begins with the other */
#define REFUSED 8        /* an honest seat finds fault with what another sends */
#define STUCK 16         /* nothing can happen any more, and a seat lacks entries */
#define NEVER(property, number) assert(!(property && (WATCH & number)))

/* A log is one number, as in resume.pml: 1, then a bit for each entry, the newest last. */
#define EMPTY 1
#define LENGTH(log) ((log>1)+(log>3)+(log>7)+(log>15)+(log>31)+(log>63)+(log>127))
#define FIRST(n, log) ((log) >> (LENGTH(log) - (n)))
#define PREFIX(a, b) (LENGTH(a) <= LENGTH(b) && FIRST(LENGTH(a), b) == a)
#define AUTHOR(h) ((ORDER >> (2 * (h))) & 3)

/* The ends 2k and 2k+1 belong to edge k. */
#define ENDS (2 * EDGES)
#define SEAT(e) ((AT >> (2 * (e))) & 3)
#define OTHER(e) ((e) ^ 1)
#define PEER(e) SEAT(OTHER(e))
#define EDGE(e) ((e) >> 1)

mtype = { SYNC, ENTRY, ASK, HERE };

/* A frame to the end e: a kind, a log or the asker, and of a word the ASK's number, the author,
 * the newest entry of the asker that the author holds, and the run of the author.
 */
chan line[ENDS] = [FRAMES] of { mtype, byte, byte, byte, byte, byte };
byte crashes = CRASHES;
byte cuts = CUTS;
bool restores = true;
byte runs = 0;           /* the latest run of any seat: the clock, so that later is greater */

/* The journal of a seat. */
byte log[SEATS] = EMPTY;
byte number_of_run[SEATS];         /* 0: the program that began the game */

/* What a program knows. */
bool whole[SEATS] = true;
byte shown[SEATS];       /* bit s: the word of seat s has come, and the log has what it shows */
byte asks[SEATS * SEATS];        /* at me, of a: the number of the latest ASK, 4 run + try */
byte heres[SEATS * SEATS * SEATS];       /* at me, to a, of b: 0, or the entry that b holds */
byte author_runs[SEATS * SEATS * SEATS]; /* at me, to a, of b: the run of b that answered */
byte heard_runs[SEATS * SEATS];  /* at me, of b: the highest run heard */

/* An end of an edge. */
bool up[ENDS] = true;
bool broken[EDGES];      /* the newest link of the edge carries nothing more */
bool level[ENDS] = true; /* the SYNC of the other has come */
byte given[ENDS];        /* how many entries the other has, or was sent */
byte owed[ENDS];         /* how many entries a program that is not whole awaits */
byte end_run[ENDS];      /* the run of the other's program on this link */
byte told_asks[ENDS * SEATS];    /* the ASK of a that the other has, or was sent */
byte told_heres[ENDS * SEATS];   /* bit b: so the answer of b to that ASK */

/* What only the judge sees. */
byte sent[N];            /* the first entry that left its author at that height */
bool two_logs, refused, stuck;
hidden byte e, a, b, x, y, number, author, author_run;
hidden mtype kind;

#define ASKED(me, a) asks[(me) * SEATS + (a)]
#define HERED(me, a, b) heres[((me) * SEATS + (a)) * SEATS + (b)]
#define HERE_RUN(me, a, b) author_runs[((me) * SEATS + (a)) * SEATS + (b)]
#define RUN_OF(me, b) heard_runs[(me) * SEATS + (b)]
#define TOLD(e, a) told_asks[(e) * SEATS + (a)]
#define TOLD_HERES(e, a) told_heres[(e) * SEATS + (a)]
#define OTHERS(me) (((1 << SEATS) - 1) ^ (1 << (me)))
#define ASKS_AGAIN(me) (ASKED(me, me) & 3)
#define WHOLE(log) (LENGTH(log) == N)

inline put(what, end, v, w, s, t, r) {
    if
    :: broken[EDGE(end)]
    :: else ->
        assert(nfull(line[OTHER(end)]));
        line[OTHER(end)] ! what, v, w, s, t, r
    fi
}

/* Send all neighbours whatever they lack: words first, then entries. */
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
            :: given[e] < LENGTH(log[me]) ->
#ifdef NO_FLOOD
                if
                :: AUTHOR(given[e]) != me && AUTHOR(given[e]) != PEER(e)
                :: else -> put(ENTRY, e, FIRST(given[e] + 1, log[me]), 0, 0, 0, 0)
                fi;
#else
                put(ENTRY, e, FIRST(given[e] + 1, log[me]), 0, 0, 0, 0);
#endif
                given[e]++
            :: else -> break
            od
        :: else
        fi;
        e++
    od;
    e = 0; a = 0; b = 0
}

inline flush_words(me) {
    if
    :: ASKED(me, a) > TOLD(e, a) ->
        put(ASK, e, a, ASKED(me, a), 0, 0, 0);
        TOLD(e, a) = ASKED(me, a);
        TOLD_HERES(e, a) = 0
    :: else
    fi;
    b = 0;
    do
    :: b == SEATS -> break
    :: b < SEATS && HERED(me, a, b) && TOLD(e, a) == ASKED(me, a) && !(TOLD_HERES(e, a) & (1 << b)) ->
        put(HERE, e, a, ASKED(me, a), b, HERED(me, a, b), HERE_RUN(me, a, b));
        TOLD_HERES(e, a) = TOLD_HERES(e, a) | (1 << b);
        b++
    :: else -> b++
    od
}

/* The log of `me` up to the newest entry of `asker`. */
inline newest(me, asker) {
    y = log[me];
    do
    :: y > EMPTY && AUTHOR(LENGTH(y) - 1) != asker -> y = y >> 1
    :: else -> break
    od
}

inline clear_heres(seat, asker) {
    b = 0;
    do
    :: b == SEATS -> break
    :: else -> HERED(seat, asker, b) = 0; HERE_RUN(seat, asker, b) = 0; b++
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

/* Note which words have come: of neighbours who owe nothing, and of all who have answered. */
inline catch_up(me) {
    if
    :: !whole[me] ->
        if
        :: !ASKS_AGAIN(me) ->
            e = 0;
            do
            :: e == ENDS -> break
            :: e < ENDS && SEAT(e) == me && up[e] && level[e] && owed[e] <= LENGTH(log[me]) ->
                shown[me] = shown[me] | (1 << PEER(e));
                e++
            :: else -> e++
            od;
            e = 0
        :: else
        fi;
        b = 0;
        do
        :: b == SEATS -> break
        :: b < SEATS && HERED(me, me, b) && HERE_RUN(me, me, b) >= RUN_OF(me, b) &&
#ifdef NO_LAST
           true ->
#else
           PREFIX(HERED(me, me, b), log[me]) ->
#endif
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
    owed[end] = 0;
    end_run[end] = 0;
    a = 0;
    do
    :: a == SEATS -> break
    :: else -> TOLD(end, a) = 0; TOLD_HERES(end, a) = 0; a++
    od;
    a = 0
}

inline drain(end) {
    do
    :: nempty(line[end]) -> line[end] ? kind, x, number, author, y, author_run
    :: empty(line[end]) -> break
    od
}

/* This end is gone: nothing more is read here, and what was sent may still arrive there. */
inline lose(end) {
    up[end] = false;
    broken[EDGE(end)] = true;
    drain(end);
    forget_end(end)
}

/* One's own ASK goes first on a new link, and then the SYNC. */
inline greet(end) {
    if
    :: ASKED(SEAT(end), SEAT(end)) ->
        put(ASK, end, SEAT(end), ASKED(SEAT(end), SEAT(end)), 0, 0, 0);
        TOLD(end, SEAT(end)) = ASKED(SEAT(end), SEAT(end))
    :: else
    fi;
    put(SYNC, end, log[SEAT(end)], 0, 0, 0, 0)
}

/* A program starts again, and asks. */
inline restart(me) {
    runs++;
    number_of_run[me] = runs;
    whole[me] = false;
    shown[me] = 0;
    e = 0;
    do
    :: e == ENDS -> break
    :: e < ENDS && SEAT(e) == me -> lose(e); e++
    :: else -> e++
    od;
    e = 0;
    y = 0;
    do
    :: y == SEATS -> break
    :: else -> ASKED(me, y) = 0; RUN_OF(me, y) = 0; clear_heres(me, y); y++
    od;
    ASKED(me, me) = 4 * number_of_run[me];
    RUN_OF(me, me) = number_of_run[me];
    printf("seat %d: starts again, length %d, run %d\n", me, LENGTH(log[me]), number_of_run[me])
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
        newest(me, x);
        HERED(me, x, me) = y;
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
        HERE_RUN(me, x, author) = author_run;
        hear_run(me, author, author_run)
    :: else
    fi;
    if
    :: TOLD(end, x) == number -> TOLD_HERES(end, x) = TOLD_HERES(end, x) | (1 << author)
    :: else
    fi
}

inline hear_sync(me, end) {
    refused = !PREFIX(x, log[me]) && !PREFIX(log[me], x);
    NEVER(refused, REFUSED);
    !refused;
    level[end] = true;
    owed[end] = (whole[me] -> 0 : LENGTH(x));
    given[end] = (LENGTH(x) < LENGTH(log[me]) -> LENGTH(x) : LENGTH(log[me]))
}

inline hear_entry(me, end) {
    if
    :: PREFIX(x, log[me])        /* it is known */
    :: else ->
        printf("seat %d: hears entry %d, choice %d\n", me, LENGTH(x) - 1, x % 2);
        refused = (x >> 1) != log[me];
        NEVER(refused, REFUSED);
        !refused;
        log[me] = x
    fi;
    if :: given[end] < LENGTH(x) -> given[end] = LENGTH(x) :: else fi
}

/* The fence: what comes over a link of an earlier run counts no more. */
#ifdef OLD_LINKS
#define OUTDATED(me, end) false
#else
#define OUTDATED(me, end) (end_run[end] < RUN_OF(me, PEER(end)))
#endif

/* What a seat makes of a frame at one of its ends. */
proctype Ear(byte me; byte end) {
    do
    :: atomic {
        up[end] && nempty(line[end]) ->
        line[end] ? kind, x, number, author, y, author_run;
        if
        :: kind != ASK && OUTDATED(me, end) ->
            printf("seat %d: ends an old link to seat %d\n", me, PEER(end));
            lose(end)
        :: else ->
            if
            :: kind == SYNC -> hear_sync(me, end)
            :: kind == ENTRY -> hear_entry(me, end)
            :: kind == ASK -> hear_ask(me, end)
            :: kind == HERE -> hear_here(me, end)
            fi;
            catch_up(me);
            flush(me)
        fi;
        x = 0; y = 0; number = 0; author = 0; author_run = 0
    }
    /* Notice that a link is lost; what it still carried is never read. */
    :: atomic { up[end] && broken[EDGE(end)] -> lose(end) }
    od
}

#define LEVEL(me, e) ((e) < ENDS && SEAT(e) == me && up[e] && level[e])
#define LINKED(me) (LEVEL(me, 0) || LEVEL(me, 1) || LEVEL(me, 2) || LEVEL(me, 3) || \
                    LEVEL(me, 4) || LEVEL(me, 5))
#define MY_TURN(me) (!WHOLE(log[me]) && AUTHOR(LENGTH(log[me])) == me)

proctype Seat(byte me) {
    byte back;
    do
    :: atomic {
        whole[me] && MY_TURN(me) && LINKED(me) ->
        x = LENGTH(log[me]);
        if
        :: log[me] = 2 * log[me]
        :: sent[x] -> log[me] = 2 * log[me] + 1      /* this time another choice */
        fi;
        if :: !sent[x] -> sent[x] = log[me] :: else fi;
        x = 0;
        printf("seat %d: makes entry %d, choice %d\n", me, LENGTH(log[me]) - 1, log[me] % 2);
        flush(me)
    }
    :: atomic { crashes -> crashes--; restart(me) }
    :: atomic {
        restores && me == RESTORED && log[me] > EMPTY ->
        restores = false;
        back = 0;
        do
        :: back < BACK && log[me] > EMPTY -> log[me] = log[me] >> 1; back++
        :: back -> break
        od;
        back = 0;
        restart(me)
    }
    od
}

/* A link breaks, or comes about; it replaces the link before at both ends. */
proctype Line(byte k) {
    do
    :: atomic { cuts && !broken[k] -> cuts--; broken[k] = true; printf("link %d breaks\n", k) }
    :: atomic {
        broken[k] && (!up[2 * k] || !up[2 * k + 1]) ->
        lose(2 * k);
        lose(2 * k + 1);
        broken[k] = false;
        up[2 * k] = true;
        up[2 * k + 1] = true;
        printf("link %d comes about\n", k);
        greet(2 * k);
        greet(2 * k + 1)
    }
    od
}

#define APART(i, j) (!PREFIX(log[i], log[j]) && !PREFIX(log[j], log[i]))
#if SEATS == 3
#define PARTED (APART(0, 1) || APART(0, 2) || APART(1, 2))
#else
#define PARTED (APART(0, 1) || APART(0, 2) || APART(1, 2) || \
                APART(0, 3) || APART(1, 3) || APART(2, 3))
#endif

/* In every state, of two logs one begins with the other; at the end all have the whole game. */
proctype Judge() {
    byte one;
    do
    :: atomic {
        timeout ->
        one = 0;
        do
        :: one == SEATS -> break
        :: else -> stuck = stuck || !WHOLE(log[one]); one++
        od;
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
