"""Play games in a simulated world in which everything goes wrong, and judge them."""

import argparse
import sys
import time

from tests.simulator import group


def main(words):
    asked = argparse.ArgumentParser()
    asked.add_argument("--seed")
    asked.add_argument("--games", type=int, default=300)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--story", action="store_true")
    asked.add_argument("--real", action="store_true")
    a = asked.parse_args(words)
    if not a.real:
        group.install()
    from tests.simulator.plan import draw
    from tests.simulator.world import play
    import collections
    t=time.perf_counter(); bad=0; kinds=collections.Counter()
    for n in ([a.seed] if a.seed else range(a.first, a.first+a.games)):
        w = play(draw(str(n)))
        if a.story:
            print("\n".join(w.story)); print(w.plan)
        if any(m.void for m in w.machines): kinds['void']+=1
        if w.findings:
            bad+=1
            kinds[w.findings[0][:60]]+=1
            if bad<15: print(n, w.findings, w.trace.hexdigest()[:8])
    print(a.games, bad, time.perf_counter()-t, kinds)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
