#!/usr/bin/env python3
"""Active particles that gather in clusters: how many touch their neighbours over time, and the order of the last state."""

import numpy as np

import flipscope

run = flipscope.Particles(config="abp-dilute", count=400, steps=300, seed=2)
start = run.positions
while not run.done:
    run.step(600)
    print(f"largest cluster: {np.bincount(run.array('clusters')).max()} of 400 particles")
side = float(run.result()["box"])
moved = run.positions - start
moved -= side * np.round(moved / side)
print(f"root mean squared displacement {np.sqrt((moved**2).sum(axis=1).mean()):.3f} in a box of side {side:.2f}")
print(f"neighbours of a particle: {run.array('degrees').mean()} on average")
