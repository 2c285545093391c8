// The benchmark of digital Voronoi diagrams: sections, each with a table and numbers as JSON. To add one, write a
// function here and a line in lattice.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "voronoi/lattice.h"

namespace flipscope::bench {

struct LatticePlan : Task {
    Lattice lattice{2048, 1024, false};  // the size of the paper's droplet lattice
};

/// Time of a round of Lloyd's iteration: colouring, centroids and moves, separately and together. Returns false if the
/// energy rises.
bool iterate_lloyd(const LatticePlan& plan, nlohmann::ordered_json& json);

/// Time to find and measure the components of a field, beside a sequential union-find over pixels. Returns false if the
/// sequential labelling gives other labels, areas or (on an open lattice) centres, or if atomics and
/// sort-and-differences disagree.
bool label_components(const LatticePlan& plan, nlohmann::ordered_json& json);

/// How often each variant of the neighbour rules misses a link of the exact Delaunay graph or finds a spurious one.
/// Uses its own lattices, since rates do not depend on their size. Returns false if a link is missed whose Voronoi edge
/// is at least 1.5 lattice units long: any such link with exact cells; with the rules alone, one between sites that the
/// lattice resolves (√2 apart from others).
bool rate_links(const LatticePlan& plan, nlohmann::ordered_json& json);

std::vector<Point> random_sites(const Lattice& lattice, uint32_t n, uint64_t seed);

/// "2048x1024". Throws Error for other text.
Lattice parse_lattice_size(const std::string& text);

/// Runs the sections of plan.only. Returns false if two methods disagree. Throws Error for an unknown name.
bool run_lattice(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
