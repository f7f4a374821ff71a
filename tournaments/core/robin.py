"""Round robin by Berger's tables: everybody meets everybody, first seats evened out."""


def berger(n: int) -> list[list[tuple[int, int]]]:
    """Rounds of (first seat, second seat) over places 1..n; in an odd field whoever meets 0 is free.

    Round r: i meets j when i + j ≡ r + 1 (mod n−1); the one with 2i ≡ r + 1 meets n. First seat: the lower number if
    i + j is odd, the higher if even; against n: i when r is odd, n when r is even."""
    size = n + n % 2
    rounds = []
    for r in range(1, size):
        table = []
        for i in range(1, size):
            j = (r + 1 - i) % (size - 1) or size - 1
            if i == j:
                pair = (i, size) if r % 2 else (size, i)
            elif i < j:
                pair = (i, j) if (i + j) % 2 else (j, i)
            else:
                continue
            a, b = (0 if place > n else place for place in pair)
            table.append((a, b))
        rounds.append(sorted(table, key=lambda p: (0 in p, min(p), max(p))))
    return rounds
