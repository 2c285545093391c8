#!/usr/bin/env python3
"""Shears a crystal slowly while its points jitter, and lists which neighbours are lost and gained, and where."""

from collections import Counter

import numpy as np

import flipscope

rows, columns, frames = 12, 14, 25
rest = np.array([(x + 0.5 * (y % 2), y * 0.75**0.5) for y in range(rows) for x in range(columns)])
jitter = np.random.default_rng(3).normal(0, 0.04, rest.shape)
trajectory = [rest + np.column_stack((0.03 * t * rest[:, 1], np.zeros(len(rest)))) + jitter for t in range(frames)]

found = flipscope.events(trajectory, ids=[range(len(rest))] * frames)
print(f"{len(found)} events in {frames} frames: {dict(Counter(event.kind for event in found))}")
for event in found[:5]:
    x, y = event.place
    print(f"frame {event.frame}, {event.kind} at ({x:.2f}, {y:.2f}): lost {event.lost}, created {event.created}")
busiest = max(found.comparisons, key=lambda comparison: comparison.active)
print(f"most in one frame: {busiest.active} points with other neighbours than before, {busiest.lost} contacts lost")
