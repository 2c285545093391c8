// A second opinion on triangulations: every result of judge(), by the definitions, over all pairs, in integers and
// fractions. For few points on a lattice of at most 256 x 256. Shares no code with the library but the perturbation
// rank, which is part of the definition (tests/delaunay/oracle.h, which provides the exact triangulation).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace flipscope::oracle {

struct Lattice {
    int64_t x, y;
    bool operator==(const Lattice&) const = default;
    auto operator<=>(const Lattice&) const = default;
};
using Triangle = std::array<uint32_t, 3>;
using Pair = std::array<uint32_t, 2>;

struct Opinion {
    bool triangulation = true, complete = true, delaunay = true;
    std::map<std::string, std::set<std::vector<uint32_t>>> defects;  // by code: ids of what is at fault
    double missing_area = 0;                                         // lattice units squared
    std::set<Pair> missed, spurious, ties;
};

Opinion judge(const std::vector<Lattice>& points, const std::vector<Triangle>& triangles);

/// Whether this place, in eighths of a lattice unit, lies in the hull and in no triangle.
bool is_uncovered(const std::vector<Lattice>& points, const std::vector<Triangle>& triangles, double x, double y);

}  // namespace flipscope::oracle
