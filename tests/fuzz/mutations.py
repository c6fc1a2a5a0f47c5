"""Random damage to bytes, as by a fuzzer, from a seed."""

import random
from collections.abc import Iterator, Sequence

INTERESTING = (0x00, 0x01, 0x7F, 0x80, 0x90, 0xA0, 0xC0, 0xC4, 0xCC, 0xDC, 0xFF)


def mutations(seeds: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """Yield damaged seeds without end."""
    while True:
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
            _damage(data, seeds, chance)
        yield bytes(data)


def _damage(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    start = chance.randint(0, len(data))
    end = min(len(data), start + chance.choice((0, 1, 2, 8, 32, 100)))
    match chance.randrange(7):
        case 0 if data:
            data[start % len(data)] ^= 1 << chance.randrange(8)
        case 1 if data:
            data[start % len(data)] = chance.choice(INTERESTING)
        case 2:
            del data[start:end]
        case 3:
            data[start:start] = data[start:end]
        case 4:
            data[start:end] = chance.randbytes(end - start)
        case 5:
            other = chance.choice(seeds)
            place = chance.randint(0, len(other))
            data[start:] = other[place:]
        case _:
            data[start:start] = chance.randbytes(chance.choice((1, 2, 4, 50)))
