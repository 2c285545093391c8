#!/usr/bin/env python3
"""Tracks of particles that a microscope sometimes loses: who gains and loses which neighbour, and how long contacts last."""

from collections import Counter

import numpy as np

import flipscope

random = np.random.default_rng(7)
frames, count = 60, 150
steps = random.normal(0, 0.03, (frames, count, 2))
places = random.random((count, 2)) * 10 + np.cumsum(steps, axis=0)
seen = random.random((frames, count)) > 0.02  # one in fifty is missed
tracks = flipscope.events(
    [places[t][seen[t]] for t in range(frames)], matching="assignment", memory=3, persistence=3
)
kinds = Counter(event.kind for event in tracks)
print(f"{len(tracks)} events in {frames} frames:", ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()))
lasting = [event for event in tracks if event.kind not in ("flicker", "undecided")]
for event in lasting[:5]:
    x, y = event.place
    print(f"frame {event.frame}, {event.kind} at ({x:.2f}, {y:.2f}): lost {event.lost}, created {event.created}")
print(f"{len(lasting)} of them last; the busiest frame is {Counter(event.frame for event in lasting).most_common(1)[0]}")

lost = {tuple(pair): event.frame for event in lasting for pair in event.lost}
ages = [lost[pair] - event.frame for event in lasting for pair in map(tuple, event.created) if lost.get(pair, 0) > event.frame]
print(f"{len(ages)} contacts began and ended; they lasted {np.median(ages):.0f} frames, in the middle of all")
print(f"{(~seen).sum()} places are missing, yet {count} particles have {len({*np.concatenate(tracks.ids)})} ids")
