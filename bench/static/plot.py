"""Seconds over lines of code, both on a scale of powers, and the last line that says how it went."""

import math
import sys

WIDTH, HEIGHT = 64, 14
rows = [line.split() for line in sys.stdin]
points = [(row[0], int(row[1]), float(row[3]), float(row[4])) for row in rows]
logs = [(math.log10(max(1, lines)), math.log10(max(0.01, seconds))) for _, lines, seconds, _ in points]
(left, right), (low, high) = [(min(axis), max(axis)) for axis in zip(*logs)]
right, high = max(right, left + 1), max(high, low + 1)
grid = [[" "] * (WIDTH + 1) for _ in range(HEIGHT + 1)]
for (name, *_), (x, y) in zip(points, logs):
    column = round((x - left) / (right - left) * WIDTH)
    row = HEIGHT - round((y - low) / (high - low) * HEIGHT)
    grid[row][column] = "*"
    for offset, letter in enumerate(name):
        if column + 2 + offset <= WIDTH:
            grid[row][column + 2 + offset] = letter
print("\nseconds over lines of code, by powers of ten")
for number, row in enumerate(grid):
    label = {0: f"{10 ** high:.2f}", HEIGHT: f"{10 ** low:.2f}"}.get(number, "")
    print(f"{label:>8} |{''.join(row).rstrip()}")
print(f"{'':8} +{'-' * WIDTH}")
print(f"{'':9}{10 ** left:<12.0f}{'':{WIDTH - 24}}{10 ** right:>12.0f}")
if len(points) > 2:
    mean_x, mean_y = (sum(axis) / len(logs) for axis in zip(*logs))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    print(f"time grows with the {slope:.2f}th power of the lines")
name, _, seconds, mebibytes = points[-1]
print(f"static: {name} {seconds:.0f}s {mebibytes / 1024:.1f}GiB")
