// Point processes of the plane, with related sequences and lattices: quasi-random sequences, clusters, hard cores,
// repulsion, relaxation, crystals and a quasicrystal. Available by name through generators.h; for their statistics see
// docs/point-processes.md. Stationary ones fill the unit square as a torus, so the density does not fall off at the
// edges. All use only + - * / and sqrt, portable_math.h and integers, so the points are the same on every machine.
#pragma once

#include <variant>
#include <vector>

#include "geometry/generators.h"
#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

/// A generator and what makes its points, with or without options, or its mesh.
struct GeneratorEntry {
    GeneratorInfo info;
    std::variant<std::vector<Point> (*)(uint64_t count, const Random&),
                 std::vector<Point> (*)(const GeneratorSpec&, const Random&),
                 Geometry (*)(uint64_t count, const Random&)>
        make;
};

/// In the order of user-visible lists.
const std::vector<GeneratorEntry>& point_processes();

/// Throws Error if the options and the count of a process are each in range but incompatible. Ignores other generators.
void check_process(const GeneratorSpec& spec);

/// Matérn's second hard-core process on the unit torus: of `proposals` uniform points with random marks, keeps those
/// without a neighbour of a lower mark within `radius` (at most 1/2). On average (1 - (1 - a)^proposals) / a points
/// remain, with a = π radius². Random numbers: kPlace and kMark from number `first` on. Source: B. Matérn, Spatial
/// variation, 1960.
std::vector<Point> hard_core_points(uint64_t proposals, double radius, const Random& random, uint64_t first);

}  // namespace flipscope
