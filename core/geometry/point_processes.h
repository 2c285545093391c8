// Point processes of the plane, and the sequences and lattices that stand in for them: from quasi-random numbers by way
// of clusters and hard cores to repulsion, relaxation, crystals and a quasicrystal. Reached by name through
// generators.h; docs/point-processes.md has their statistics. Those that are stationary fill the unit square as a
// torus: what leaves at one side enters at the other, so there is no edge at which the density falls off. All of them
// consist of + - * / and sqrt, of portable_math.h and of whole numbers, so every machine makes the same points.
#pragma once

#include <vector>

#include "geometry/generators.h"
#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

struct PointProcess {
    GeneratorInfo info;
    std::vector<Point> (*make)(const GeneratorSpec& spec, const Random& random) = nullptr;  // spec.count points
};

/// In the order they are listed to the user.
const std::vector<PointProcess>& point_processes();

/// Throws Error with a sentence where the options of a process and its count, each within its range, do not go
/// together. Says nothing of other generators.
void check_process(const GeneratorSpec& spec);

/// Matérn's second hard-core process on the unit torus: of `proposals` uniform points, each with a random mark, those
/// that have none of a lower mark nearer than `radius` (at most 1/2). In the mean (1 - (1 - a)^proposals) / a points
/// with a = π radius². Random numbers: kPlace and kMark from number `first` on.
/// Source: B. Matérn, Spatial variation, 1960.
std::vector<Point> hard_core_points(uint64_t proposals, double radius, const Random& random, uint64_t first);

}  // namespace flipscope
