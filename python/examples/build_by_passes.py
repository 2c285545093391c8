#!/usr/bin/env python3
"""Builds a triangulation pass by pass, as the Build lab shows it, and reads its tables."""

import numpy as np

import flipscope

run = flipscope.Run("build", "uniform:300@seed=4")
for made in run:
    if made["pass"] == "split":
        counters = made["counters"]
        print(f"round {made['round']}: {counters['inserted']} points inserted, {counters['uninserted']} wait")
print(f"state {run.hash:016x} after the last pass, {run.result()['triangles']} triangles")
check = run.check()
assert check is not None and check[0]
edges = run.table("edges")
print(f"{len(edges['edge'])} edges, the longest {np.max(edges['edge-length']):.3f}")
