/* How a game survives crashes and lost links: the model that Spin searches exhaustively.
 *
 * README.md beside this file walks through it, check.py runs it. Every `atomic` of a loop is one
 * step of a session. Between any two steps anything else may happen: a crash, a cut, a step of
 * the other seat. What #ifdef switches on are mistakes made on purpose, which must be found.
 */

#ifndef N
#define N 4          /* entries of the game after the HELLOs; at most 7 */
#endif
#ifndef ORDER
#define ORDER 6      /* bit h: who makes entry h; 6 = 0110: the same seat may speak twice */
#endif
#ifndef CRASHES
#define CRASHES 1    /* of either seat, in all */
#endif
#ifndef CUTS
#define CUTS 1       /* of the line */
#endif
#ifndef DIALS
#define DIALS 2      /* bit i: seat i may dial; 2: the guest only */
#endif
#ifndef RESTORES
#define RESTORES 0   /* bit i: seat i may be put back, once, to an old backup of its journal */
#endif

/* What must never be. Each is judged where it would show, unless WATCH leaves it out. */
#ifndef WATCH
#define WATCH 31
#endif
#define TWO_ENTRIES 1    /* a seat sends two different entries at one height */
#define TWO_LOGS 2       /* neither log begins with the other */
#define SAME_COINS 4     /* two different entries are made with the same random choices */
#define REFUSED 8        /* an honest seat finds fault with what the other sends */
#define STUCK 16         /* nothing can happen any more, and a seat lacks entries */

#define NEVER(property, number) assert(!(property && (WATCH & number)))

/* When both dial at once, each may give up the link that the other keeps: two lost by one cut. */
#define LINKS (1 + CUTS * (1 + DIALS / 3) + CRASHES + RESTORES % 2 + RESTORES / 2)

/* A log is one number: 1, then a bit for each entry, the newest last. So an entry can be told
 * by the log that it ends, as a real one commits by `prev` to all that went before it. What a
 * bit means is open: 0 is whatever first left its author at that height, 1 anything else.
 */
#define EMPTY 1
#define LENGTH(log) ((log>1)+(log>3)+(log>7)+(log>15)+(log>31)+(log>63)+(log>127))
#define FIRST(n, log) ((log) >> (LENGTH(log) - (n)))
#define PREFIX(a, b) (LENGTH(a) <= LENGTH(b) && FIRST(LENGTH(a), b) == a)
#define AUTHOR(h) ((ORDER >> (h)) & 1)

mtype = { SYNC, ENTRY, BYE };

/* The line: links are numbered as they are dialled; each has a stream each way. What was sent
 * before a link broke may still arrive, in order, until the reader has noticed.
 */
chan line[2 * LINKS] = [N + 2] of { mtype, byte };
#define TO(seat, k) line[2 * (k) - 2 + (seat)]
byte newest;             /* link; 0: there has been none */
byte broken;             /* bit k: link k has broken, or one end has given it up */
#define ALL_BROKEN (broken == ALL)
#define ALL ((2 << newest) - 2)
#define BIT(k) (1 << (k))
byte cuts = CUTS;
byte crashes = CRASHES;
byte restores = RESTORES;

/* What a seat has. Only `disk` survives a crash; `log` is never shorter. */
byte disk[2] = EMPTY;
byte log[2] = EMPTY;
byte known[2];           /* bit k: link k has stood at this end */
byte link[2];            /* the newest of them, by this end's order */
bool up[2];              /* it still holds that link */
bool synced[2];          /* it has handled the SYNC of the other on that link */
byte theirs[2];          /* how many entries the other has, as far as that link tells */
bool decided[2];         /* its player has made a choice that is not yet an entry */
bool parted[2];          /* the other has said that it has the whole game */
bool gone[2];            /* it has left for good */

/* What only the judge sees. */
byte sent[N];            /* the first entry that left its author at that height */
byte kept[N];            /* the first one there that the other seat had on disk */
bool restored[2];
bool two_entries, two_logs, same_coins, refused, stuck;
hidden byte heard, x, h;
hidden mtype kind;

#define WHOLE(log) (LENGTH(log) == N)
#define MY_TURN (!WHOLE(log[me]) && AUTHOR(LENGTH(log[me])) == me)

/* Nothing new before the other's SYNC is handled and the length it told is reached. */
#ifdef AUTHOR_UNSYNCED
#define MAY_AUTHOR (up[me] && MY_TURN)
#elif defined(AUTHOR_BEHIND)
#define MAY_AUTHOR (synced[me] && MY_TURN)
#else
#define MAY_AUTHOR (synced[me] && LENGTH(log[me]) >= theirs[me] && MY_TURN)
#endif

/* One's own entries are on disk as soon as they are in the log (step 4). Those of the other may
 * still be in memory only, and are handed back all the same to a seat that lost them.
 */
#ifdef HAND_BACK_LATE
#define SENDABLE disk[me]
#else
#define SENDABLE log[me]
#endif

/* Who made the last entry waits until he knows that it arrived; the other need not. */
#ifdef EXIT_EARLY
#define MAY_LEAVE true
#else
#define MAY_LEAVE (parted[me] || AUTHOR(N - 1) != me)
#endif

/* What the random choices of a proof are derived from: all of the history and the statement. */
#ifdef LABEL_ONLY
#define COINS(entry) LENGTH(entry)
#else
#define COINS(entry) entry
#endif

/* Judge an entry that its author sends. A seat put back to an old backup may make one anew if
 * the other never had the first on disk: nothing can know of it. But not with the same coins.
 */
inline witness(entry) {
    h = LENGTH(entry) - 1;
    two_entries = (kept[h] && kept[h] != entry) ||
                  (!RESTORES && sent[h] && sent[h] != entry);
    NEVER(two_entries, TWO_ENTRIES);
    same_coins = sent[h] && sent[h] != entry && COINS(sent[h]) == COINS(entry);
    NEVER(same_coins, SAME_COINS);
    if :: !sent[h] -> sent[h] = entry :: else fi
}

/* One write and one fdatasync: what was heard since the last one rides along. */
inline commit() {
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
    disk[me] = log[me]
}

/* Said on a new link: the length of one's log, and its head. */
inline send_sync() {
    x = log[me];
#ifdef LIAR                      /* seat 1 may tell less than it has */
    do :: me == 1 && x > EMPTY -> x = x >> 1 :: break od;
#endif
    printf("seat %d: SYNC, length %d, on link %d\n", me, LENGTH(x), link[me]);
    TO(1 - me, link[me]) ! SYNC, x
}

inline send_next() {
    x = FIRST(theirs[me] + 1, log[me]);
    printf("seat %d: sends entry %d\n", me, theirs[me]);
    if :: AUTHOR(theirs[me]) == me -> witness(x) :: else fi;
    TO(1 - me, link[me]) ! ENTRY, x;
    theirs[me]++
}

inline append_own() {
    if
    :: log[me] = 2 * log[me]
    :: sent[LENGTH(log[me])] -> log[me] = 2 * log[me] + 1    /* this time another choice */
    fi;
    decided[me] = false;
    printf("seat %d: makes entry %d, choice %d\n", me, LENGTH(log[me]) - 1, log[me] % 2)
}

inline lose_link() {
    up[me] = false;
    synced[me] = false;
    theirs[me] = 0
}

/* The newest link wins: whatever was before is given up. */
inline take_link(k) {
    if :: up[me] -> broken = broken | BIT(link[me]) :: else fi;
    lose_link();
    known[me] = known[me] | BIT(k);
    link[me] = k;
    up[me] = true;
    send_sync()
}

inline restart() {
    log[me] = disk[me];
    printf("seat %d: starts again, length %d\n", me, LENGTH(disk[me]));
    lose_link();
    known[me] = ALL;         /* every link so far ended in the process that is gone */
    broken = ALL;
    decided[me] = false;
    parted[me] = false
}

/* The task that owns the chain of one seat. */
proctype Seat(byte me) {
    do
    /* 1 dial */
    :: atomic {
        !gone[me] && !gone[1 - me] && !up[me] && (DIALS & BIT(me)) && (ALL_BROKEN || cuts) ->
        if :: ALL_BROKEN :: else -> cuts-- fi;       /* both dial at once */
        newest++;
        run Ear(0, newest);
        run Ear(1, newest);
        take_link(newest)
    }
    /* 2 notice that the link is lost; what it still carried is never read */
    :: atomic {
        up[me] && (broken & BIT(link[me])) ->
        printf("seat %d: link %d is lost\n", me, link[me]);
        lose_link()
    }
    /* 3 the player makes a choice */
    :: atomic { !gone[me] && !decided[me] && MAY_AUTHOR -> decided[me] = true }

    /* 4 make the entry and write it down, if that is still allowed now */
#ifdef DECIDE_LATE
    :: atomic {
        decided[me] && MY_TURN ->
        append_own();
        commit();
        if
        :: up[me] && !synced[me] ->
            printf("seat %d: sends entry %d\n", me, LENGTH(log[me]) - 1);
            witness(log[me]);
            TO(1 - me, link[me]) ! ENTRY, log[me]
        :: else
        fi
    }
#else
    :: atomic {
        decided[me] && MAY_AUTHOR ->
        append_own();
#ifndef SEND_FIRST
        commit()
#endif
    }
#endif
#ifdef SEND_FIRST
    :: atomic { log[me] != disk[me] && theirs[me] >= LENGTH(log[me]) -> commit() }
#endif
    /* 5 send the next entry that the other lacks, of either author, as it was stored */
    :: atomic { synced[me] && !gone[me] && theirs[me] < LENGTH(SENDABLE) -> send_next() }

    /* 6 leave */
    :: atomic {
        !gone[me] && WHOLE(disk[me]) && MAY_LEAVE ->
        if :: up[me] -> TO(1 - me, link[me]) ! BYE, 0 :: else fi;
        gone[me] = true;
        printf("seat %d: leaves, length %d\n", me, LENGTH(disk[me]));
        lose_link();
        broken = ALL
    }
    /* 7 crash and start again, or so with an old backup */
    :: atomic {
        crashes && !gone[me] ->
        crashes--;
#ifdef REMAKE
        h = LENGTH(disk[me]);
        if
        :: h > 0 && AUTHOR(h - 1) == me -> disk[me] = disk[me] ^ 1
        :: true
        fi;
#endif
        restart()
    }
    :: atomic {
        ((restores >> me) & 1) && !gone[me] ->
        restores = restores - (1 << me);
        restored[me] = true;
        do :: disk[me] > EMPTY -> disk[me] = disk[me] >> 1 :: break od;
        restart()
    }
    od
}

inline hear_sync() {
    /* 10 compare; if the other's log is the longer, the other compares */
    refused = LENGTH(heard) <= LENGTH(log[me]) && !PREFIX(heard, log[me]);
    NEVER(refused, REFUSED);
    !refused;                                /* or this seat stops here */
    synced[me] = true;
    theirs[me] = LENGTH(heard);
    if :: WHOLE(heard) -> parted[me] = true :: else fi
}

inline hear_entry() {
    /* 11 it must be the next one; one's own that was lost is taken back, never made again */
    if
#ifdef LIAR
    :: me == 1 && PREFIX(heard, log[me])     /* it asked for what it had */
#endif
    :: else ->
        printf("seat %d: hears entry %d, choice %d\n", me, LENGTH(heard) - 1, heard % 2);
        refused = (heard >> 1) != log[me];
#ifdef NO_ADOPTION
        refused = refused || AUTHOR(LENGTH(log[me])) == me;
#endif
        NEVER(refused, REFUSED);
        !refused;                            /* or this seat stops here */
        log[me] = heard;
        if
        :: theirs[me] < LENGTH(heard) -> theirs[me] = LENGTH(heard)
        :: else
        fi;
        /* 12 no reply will carry the last one to the disk */
#ifndef LAST_IN_MEMORY
        if :: WHOLE(heard) -> commit() :: else fi
#endif
    fi
}

#ifdef TAKE_STALE
#define STALE (gone[me] || (k != link[me] && kind != ENTRY))
#else
#define STALE (gone[me] || k != link[me] || !up[me])
#endif

#ifdef DROP_NEWER
#define READS true
#else
#define READS (known[me] & BIT(k))
#endif

/* What seat `me` makes of link `k`. */
proctype Ear(byte me; byte k) {
    do
    /* 8 the link that the other dialled stands here too */
    :: atomic { !gone[me] && !((known[me] | broken) & BIT(k)) -> take_link(k) }
    :: atomic {
        READS && nempty(TO(me, k)) ->
        TO(me, k) ? kind, heard;
        if
        :: STALE                             /* 9 of a link given up: not looked at */
        :: else ->
            if
            :: kind == SYNC -> hear_sync()
            :: kind == ENTRY -> hear_entry()
            :: kind == BYE -> parted[me] = true
            fi
        fi
    }
    od
}

/* The line may break at any time; each end notices when it notices. */
proctype Line() {
    do
    :: atomic {
        cuts && !ALL_BROKEN ->
        cuts--;
        broken = ALL;
        printf("link %d breaks\n", newest)
    }
    od
}

/* In every state one log begins with the other; when nothing can happen any more, both seats
 * have the whole game, unless the peer left before an old backup was restored.
 */
proctype Judge() {
    do
    :: atomic {
        !PREFIX(log[0], log[1]) && !PREFIX(log[1], log[0]) ->
        two_logs = true;
        NEVER(two_logs, TWO_LOGS)
    }
    :: atomic {
        timeout ->
        stuck = !(WHOLE(disk[0]) || (restored[0] && gone[1])) ||
                !(WHOLE(disk[1]) || (restored[1] && gone[0]));
        NEVER(stuck, STUCK);
        break
    }
    od
}

init {
    atomic { run Seat(0); run Seat(1); run Line(); run Judge() }
}
