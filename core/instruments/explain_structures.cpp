#include <algorithm>
#include <cmath>

#include "compute/text.h"
#include "instruments/explain.h"
#include "instruments/structures.h"

namespace flipscope {

namespace {

/// Clicks compute the whole spanning tree of at most so many edges.
constexpr uint32_t kMostForTree = 3'000'000;

}  // namespace

void explain_structures(const InspectedMesh& inspected, uint32_t edge, Properties& properties,
                        std::vector<Highlight>& highlights) {
    const auto& [from, to, left, right, triangles] = inspected.quad(edge);
    if (inspected.is_helper(from.id) || inspected.is_helper(to.id)) return;
    const Point a = inspected.at(from), b = inspected.at(to);
    const auto name = [&](uint32_t v) { return inspected.name({v, {}}); };
    const auto is_point = [&](const InspectedCorner& v) {
        return inspected.is_finite(v) && !inspected.is_helper(v.id);
    };
    uint32_t inside = kNone;
    for (const InspectedCorner& apex : {left, right})
        if (is_point(apex) && is_in_disc(a, b, inspected.at(apex), 1)) inside = apex.id;
    properties.add("Gabriel graph", inside == kNone ? "yes" : "no",
                   inside == kNone ? "no apex lies inside the circle with this edge as its diameter"
                                   : name(inside) + " lies inside the circle with this edge as its diameter");
    if (inside != kNone)
        highlights.push_back({Highlight::Kind::kCircle,
                              {{(a.x + b.x) / 2, (a.y + b.y) / 2, 0}},
                              std::sqrt(squared_length(a, b)) / 2,
                              Role::kPlain,
                              "circle on the edge as diameter",
                              0,
                              Highlight::Style::kThin});
    const TriangleMesh& mesh = inspected.mesh();
    uint32_t points = mesh.infinite();
    while (points > 0 && inspected.is_helper(points - 1)) --points;
    const StructureMesh whole = structure_mesh(mesh, points);
    if (points < mesh.infinite() || count_illegal(inspected.context(), whole) > 0) {
        properties.add("Other structures", "not known", "they are defined for a Delaunay triangulation");
        return;
    }
    const auto [alpha, beta, in_lune] = limits_of(inspected.context(), whole, edge);
    const uint32_t nearer = inside != kNone ? inside : in_lune;
    properties.add("Relative neighbourhood graph", nearer == kNone ? "yes" : "no",
                   nearer == kNone ? "no point is nearer to both ends than the ends are to each other"
                                   : name(nearer) + " is nearer to both ends than the ends are to each other");
    if (mesh.edge_count > kMostForTree) return;
    EdgeStructures found;
    found.find(inspected.context(), whole, true);
    const uint32_t word = found.words().read(edge);
    properties.add("Minimum spanning tree", word & kInTree ? "yes" : "no",
                   word & kInTree ? "it is the shortest edge between the two parts of the tree that it joins"
                                  : "a path of shorter edges connects its ends");
    const bool of_from = word & kNearestOfFrom, of_to = word & kNearestOfTo;
    properties.add("Nearest neighbours", of_from || of_to ? "yes" : "no",
                   of_from && of_to   ? "each end is the nearest neighbour of the other"
                   : of_from || of_to ? name(of_from ? to.id : from.id) + " is the nearest neighbour of " +
                                            name(of_from ? from.id : to.id)
                                      : "each end has another point that is nearer, or as near with a lower index");
    properties.add("β-skeleton", beta < kMostBeta ? "β ≤ " + format_short(beta) : "every β",
                   beta < kMostBeta ? "for a greater β a point lies in its region" : "no point lies in its region");
    properties.add("α-complex", "α ≥ " + format_short(alpha),
                   inside == kNone ? "from half its length on" : "with the first of its triangles");
}

}  // namespace flipscope
