/* How a game survives crashes and lost links: the model that Spin searches exhaustively.
 *
 * README.md beside this file walks through it, check.py runs it. Every `atomic` of a loop is one
 * step of a session. Between any two steps anything else may happen: a crash, a cut, a step of
 * the other seat. What #ifdef switches on are mistakes made on purpose, which must be found, and
 * lies.
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
#ifndef RESIGNS
#define RESIGNS 2    /* the seat that may resign; 2: neither */
#endif
#ifndef PIPES
#define PIPES 0      /* how often a dial reaches the listener of the seat that dials */
#endif
#ifndef LIAR
#define LIAR 2       /* the seat that lies in SYNC; 2: neither */
#endif
#ifndef WAITS
#define WAITS 0      /* how often a lie in SYNC may make a seat give up a link */
#endif

/* What must never be. Each is judged where it would show, unless WATCH leaves it out. */
#ifndef WATCH
#define WATCH 255
#endif
#define TWO_ENTRIES 1    /* a seat sends two different entries at one height */
#define TWO_LOGS 2       /* neither log begins with the other */
#define SAME_COINS 4     /* two different entries are made with the same random choices */
#define REFUSED 8        /* an honest seat finds fault with what the other sends */
#define STUCK 16         /* nothing can happen any more, and a seat lacks entries */
#define ACCUSED 32       /* a seat ends the game over something that nobody else can judge */
#define TAKEN_BACK 64    /* a crash takes back an entry that was shown, or told of in SYNC */
#define GOES_ON 128      /* a seat makes an entry though the other has its resignation on disk */

#define NEVER(property, number) assert(!(property && (WATCH & number)))

/* When both dial at once, each may give up the link that the other keeps: two lost by one cut.
 * There are at most 14 links.
 */
#define LINKS (1 + CUTS * (1 + DIALS / 3) + CRASHES + RESTORES % 2 + RESTORES / 2 + WAITS)

/* A log is one number: 1, then a bit for each entry, the newest last. So an entry can be told
 * by the log that it ends, as a real one commits by `prev` to all that went before it. What a
 * bit means is open: 0 is whatever first left its author at that height, 1 anything else.
 */
#define EMPTY 1
#define LENGTH(log) ((log>1)+(log>3)+(log>7)+(log>15)+(log>31)+(log>63)+(log>127))
#define FIRST(n, log) ((log) >> (LENGTH(log) - (n)))
#define PREFIX(a, b) (LENGTH(a) <= LENGTH(b) && FIRST(LENGTH(a), b) == a)
#define AUTHOR(h) ((ORDER >> (h)) & 1)

mtype = { SYNC, ENTRY, BYE, RESIGN };

/* The line: links are numbered as they are dialled; each has a stream each way. What was sent
 * before a link broke may still arrive, in order, until the reader has noticed.
 */
chan line[2 * LINKS] = [N + 4] of { mtype, byte, bool };
#define TO(seat, k) line[2 * (k) - 2 + (seat)]
byte newest;             /* link; 0: there has been none */
short broken;            /* bit k: link k has broken, or one end has given it up */
#define ALL_BROKEN (broken == ALL)
#define ALL ((2 << newest) - 2)
#define BIT(k) (1 << (k))
byte cuts = CUTS;
byte crashes = CRASHES;
byte restores = RESTORES;
byte pipes = PIPES;
byte waits = WAITS;

/* What a seat has. Only the first three survive a crash; `log` is never shorter than `disk`. */
bool resigned[2];        /* it has resigned */
bool holds[2];           /* it has the resignation of the other */
byte disk[2] = EMPTY;
byte log[2] = EMPTY;
short known[2];          /* bit k: link k has stood at this end */
byte link[2];            /* the newest of them, by this end's order */
bool up[2];              /* it still holds that link */
bool synced[2];          /* it has handled the SYNC of the other on that link */
byte theirs[2];          /* how many entries the other has, as far as that link tells */
bool awaits[2];          /* that SYNC told that the other has its resignation */
byte said[2];            /* bit i: the resignation of seat i was said on that link */
bool certain[2] = true;  /* it knows that no entry of its own is missing */
bool decided[2];         /* its player has made a choice that is not yet an entry */
bool parted[2];          /* the other has said that it has the whole game */
bool gone[2];            /* it has left for good */

/* What only the judge sees. */
byte sent[N];            /* the first entry that left its author at that height */
byte kept[N];            /* the first one there that the other seat had on disk */
bool restored[2];
bool ahead[2];           /* more was shown, or told of in SYNC, than is on disk */
bool lied;               /* the last SYNC that was heard from the liar told more than it has */
bool two_entries, two_logs, same_coins, refused, stuck, accused, taken_back, goes_on;
hidden byte heard, x, h;
hidden byte told;
hidden mtype kind;

#define WHOLE(log) (LENGTH(log) == N)
#define OVER(log, seat) (WHOLE(log[seat]) || resigned[seat] || holds[seat])
#define TURN(seat) (!OVER(log, seat) && AUTHOR(LENGTH(log[seat])) == seat)
#define MY_TURN TURN(me)

/* Nothing new before the other's SYNC is handled, nor while something of one's own may be
 * missing.
 */
#ifdef AUTHOR_UNSYNCED
#define MAY_AUTHOR (up[me] && MY_TURN)
#else
#define MAY_AUTHOR (synced[me] && certain[me] && MY_TURN)
#endif

/* Only what is on disk is sent: a SYNC writes first (step 10), and what is heard after that over
 * the same link need not be sent back.
 */
#ifdef SEND_FIRST
#define SENDABLE log[me]
#else
#define SENDABLE disk[me]
#endif

/* Who made the last entry, or resigned, waits until he knows that it arrived; the other need
 * not.
 */
#ifdef EXIT_EARLY
#define MAY_LEAVE true
#else
#define MAY_LEAVE (parted[me] || holds[me] || (!resigned[me] && AUTHOR(N - 1) != me))
#endif

/* A resignation that the other has may be one of one's own that was lost. */
#ifdef ENTRIES_ALONE
#define HAS_RESIGNATION true
#else
#define HAS_RESIGNATION (!awaits[me] || resigned[me])
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

/* A liar lies in SYNC only. With TELLS_LESS it may always tell less than it has, and with
 * ALWAYS_MORE always more. Without, it may tell more, or sign wrongly, as long as WAITS are
 * left: so a seat that waited in vain often enough hears the truth.
 */
#ifdef ALWAYS_MORE
#define MAY_TELL_MORE true
#else
#define MAY_TELL_MORE waits
#endif

#define HOLDS(seat, k) (up[seat] && link[seat] == k)

/* 11 What comes over a link that this seat has given up is dropped. As it is never looked at,
 * the model does not even keep it, nor what comes over a link that breaks before this seat
 * takes it. That leaves a small part of the states, and takes no behaviour away.
 */
#ifdef TAKE_STALE
#define DROPS(seat, k) gone[seat]
#elif defined(DROP_NEWER)
#define DROPS(seat, k) (gone[seat] || !HOLDS(seat, k))
#else
#define DROPS(seat, k) (gone[seat] || (((known[seat] | broken) & BIT(k)) && !HOLDS(seat, k)))
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
    disk[me] = log[me];
    ahead[me] = false
}

/* Show the person what was heard. */
inline reveal() {
#ifndef SHOW_FIRST
    commit();
#endif
    ahead[me] = (disk[me] != log[me])
}

/* Put something else in the place of the log that the liar has. */
inline lie() {
#ifdef TELLS_LESS
    do :: x > EMPTY -> x = x >> 1 :: break od;
#endif
    do :: MAY_TELL_MORE && !WHOLE(x) -> x = 2 * x :: break od;
    if
    :: x != log[me] && x > EMPTY -> x = x ^ 1        /* with a head that nobody has */
    :: waits -> x = 0                                /* signed wrongly */
    :: true
    fi
}

inline send(what, which, holding) {
    if
    :: DROPS(1 - me, link[me])
    :: else -> TO(1 - me, link[me]) ! what, which, holding
    fi
}

inline drop_unread() {
    h = 1;
    do
    :: h > newest -> break
    :: else ->
        if
        :: DROPS(me, h) && len(TO(me, h)) > 0 -> TO(me, h) ? kind, x, told
        :: else -> h++
        fi
    od
}

/* Said on a new link: the length of one's log, its head, and whether one has a resignation of
 * the other. It binds, so it is written first.
 */
inline send_sync() {
#ifndef SYNC_FROM_MEMORY
    commit();
#endif
    ahead[me] = (disk[me] != log[me]);
    x = log[me];
    if :: me == LIAR -> lie() :: else fi;
    printf("seat %d: SYNC, length %d, on link %d\n", me, LENGTH(x), link[me]);
    send(SYNC, x, holds[me])
}

inline send_next() {
    x = FIRST(theirs[me] + 1, log[me]);
    printf("seat %d: sends entry %d\n", me, theirs[me]);
    if :: AUTHOR(theirs[me]) == me -> witness(x) :: else fi;
    send(ENTRY, x, false);
    theirs[me]++
}

inline send_resignation(whose) {
    printf("seat %d: sends the resignation of seat %d\n", me, whose);
    said[me] = said[me] | BIT(whose);
    send(RESIGN, whose, false)
}

inline append_own() {
    goes_on = holds[1 - me];
    NEVER(goes_on, GOES_ON);
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
    theirs[me] = 0;
    awaits[me] = false;
    said[me] = 0;
    drop_unread()
}

inline give_up_link() {
    if :: up[me] -> broken = broken | BIT(link[me]) :: else fi;
    lose_link()
}

/* The newest link wins: whatever was before is given up. */
inline take_link(k) {
    give_up_link();
    known[me] = known[me] | BIT(k);
    link[me] = k;
    up[me] = true;
    send_sync()
}

/* A SYNC that fails a check ends the link that it came over, and nothing else. */
inline sync_fails() {
    printf("seat %d: hears a SYNC that fails\n", me);
#ifdef SYNC_ENDS_GAME
    accused = true;
    NEVER(accused, ACCUSED);
    !accused;                                /* or this seat stops here */
#endif
    give_up_link()
}

inline restart() {
    log[me] = disk[me];
    printf("seat %d: starts again, length %d\n", me, LENGTH(disk[me]));
#ifndef AUTHOR_BEHIND
    certain[me] = false;
#endif
    ahead[me] = false;
    known[me] = ALL;         /* every link so far ended in the process that is gone */
    broken = ALL;
    lose_link();
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
    /* 2 the dial reaches one's own listener: addresses are equal, or somebody pipes it there */
    :: atomic {
        pipes && !gone[me] && !gone[1 - me] && (DIALS & BIT(me)) && (!up[me] || cuts) ->
        pipes--;
        if
        :: PSK(me) != PSK(1 - me) -> printf("seat %d: drops a dial of its own\n", me)
        :: else ->
            printf("seat %d: takes a link to itself, and hears its own SYNC\n", me);
            if :: up[me] -> cuts-- :: else fi;
            give_up_link();
            sync_fails()
        fi
    }
    /* 3 notice that the link is lost; what it still carried is never read */
    :: atomic {
        up[me] && (broken & BIT(link[me])) ->
        printf("seat %d: link %d is lost\n", me, link[me]);
        lose_link()
    }
    /* 4 wait no longer for the entries that the other has announced */
#ifndef WAIT_FOR_EVER
    :: atomic {
        waits && synced[me] && !certain[me] && !(broken & BIT(link[me])) ->
        waits--;
        printf("seat %d: waits no longer, and gives up link %d\n", me, link[me]);
        give_up_link()
    }
#endif
    /* 5 the player makes a choice */
    :: atomic { !gone[me] && !decided[me] && MAY_AUTHOR -> decided[me] = true }

    /* 6 make the entry and write it down, if that is still allowed now */
#ifdef DECIDE_LATE
    :: atomic {
        decided[me] && MY_TURN ->
        append_own();
        commit();
        if
        :: up[me] && !synced[me] ->
            printf("seat %d: sends entry %d\n", me, LENGTH(log[me]) - 1);
            witness(log[me]);
            send(ENTRY, log[me], false)
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
    /* 7 send the next entry that the other lacks, of either author, as it was stored */
    :: atomic { synced[me] && !gone[me] && theirs[me] < LENGTH(SENDABLE) -> send_next() }

    /* 15 resign, once no entry or resignation of one's own can be missing; say so to the other,
     * and give back to the other what it has said of itself, after the entries
     */
    :: atomic {
        RESIGNS == me && !gone[me] && certain[me] && !OVER(log, me) ->
        printf("seat %d: resigns\n", me);
        resigned[me] = true;
        commit()
    }
    :: atomic {
        synced[me] && !gone[me] && theirs[me] >= LENGTH(SENDABLE) && resigned[me] &&
        !(said[me] & BIT(me)) ->
        send_resignation(me)
    }
    :: atomic {
        synced[me] && !gone[me] && theirs[me] >= LENGTH(SENDABLE) && holds[me] &&
        !(said[me] & BIT(1 - me)) ->
        send_resignation(1 - me)
    }

    /* 8 leave */
    :: atomic {
        !gone[me] && OVER(disk, me) && MAY_LEAVE ->
        if :: up[me] -> send(BYE, 0, false) :: else fi;
        gone[me] = true;
        printf("seat %d: leaves, length %d\n", me, LENGTH(disk[me]));
        broken = ALL;
        lose_link()
    }
    /* 9 crash and start again, or so with an old backup */
    :: atomic {
        crashes && !gone[me] ->
        crashes--;
        taken_back = ahead[me];
        NEVER(taken_back, TAKEN_BACK);
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
        resigned[me] = false;
        holds[me] = false;
        restart()
    }
    od
}

/* A seat that has all that was announced has all its own entries again, and its resignation. A
 * seat that had them anyway waits for nothing, and sends what it makes from now on.
 */
inline compare_lengths() {
    if
    :: LENGTH(log[me]) >= theirs[me] && (certain[me] || HAS_RESIGNATION) -> certain[me] = true
#ifdef WAIT_CERTAIN
    :: else -> certain[me] = false
#else
    :: else -> if :: certain[me] -> theirs[me] = LENGTH(log[me]) :: else fi
#endif
    fi
}

inline hear_sync() {
    /* 12 compare; if the other's log is the longer, the other compares */
    if
    :: heard == 0 ->
        if :: waits && !(broken & BIT(k)) -> waits-- :: else fi;
        sync_fails()
    :: else ->
        x = (LENGTH(heard) <= LENGTH(log[me]) && !PREFIX(heard, log[me]));
        refused = x && LIAR != 1 - me;
        NEVER(refused, REFUSED);
        !refused;                            /* or this seat stops here */
        synced[me] = true;
        parted[me] = WHOLE(heard) || told;
        awaits[me] = told;
        theirs[me] = (x -> 0 : LENGTH(heard));       /* the logs differ: send everything */
        compare_lengths();
        if :: LIAR == 1 - me -> lied = (LENGTH(heard) > LENGTH(log[1 - me])) :: else fi
#ifdef JUDGE_SYNC                            /* the head that is told counts as if it were here */
        h = LENGTH(heard) - 1;
        if :: LENGTH(heard) > LENGTH(log[me]) && !kept[h] -> kept[h] = heard :: else fi
#endif
    fi
}

inline hear_entry() {
    /* 13 it must be the next one; one's own that was lost is taken back, never made again */
    if
    :: me == LIAR && (heard >> 1) != log[me] /* it has this, or not yet what comes before */
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
        compare_lengths();
        /* 14 write what the person gets to see before he sees it, and the last one in any case */
        if
        :: reveal()
#ifdef LAST_IN_MEMORY
        :: true
#else
        :: !WHOLE(heard)                     /* there is nothing in it to see */
#endif
        fi
    fi
}

/* Written at once; the resignation comes after the entries, so there are no others to wait for. */
inline hear_resignation() {
    printf("seat %d: hears the resignation of seat %d\n", me, heard);
    said[me] = said[me] | BIT(heard);
    if
    :: heard == me -> resigned[me] = true
    :: else -> holds[me] = true
    fi;
    commit();
    compare_lengths()
}

/* What seat `me` makes of link `k`. */
proctype Ear(byte me; byte k) {
    do
    /* 10 the link that the other dialled stands here too */
    :: atomic { !gone[me] && !((known[me] | broken) & BIT(k)) -> take_link(k) }
    :: atomic {
        (known[me] & BIT(k)) && nempty(TO(me, k)) ->
        TO(me, k) ? kind, heard, told;
        if
#ifdef TAKE_STALE
        :: k != link[me] && kind != ENTRY
#endif
        :: kind == SYNC -> hear_sync()
        :: kind == ENTRY -> hear_entry()
        :: kind == BYE -> parted[me] = true
        :: kind == RESIGN -> hear_resignation()
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

#define DONE(seat) (OVER(disk, seat) || (restored[seat] && gone[1 - seat]))
#define HONEST (LIAR == 0)       /* 1 if the liar is seat 0, else 0 */

/* In every state one log begins with the other; when nothing can happen any more, both seats
 * have the whole game, unless the peer left before an old backup was restored. After a lie
 * that was the last SYNC the game may wait for the liar, but not for the honest seat.
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
        stuck = !(DONE(0) && DONE(1)) && (!lied || (TURN(HONEST) && !DONE(HONEST)));
        NEVER(stuck, STUCK);
        break
    }
    od
}

init {
    atomic { run Seat(0); run Seat(1); run Line(); run Judge() }
}
