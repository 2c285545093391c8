#include "voronoi/graph_comparison.h"

#include <algorithm>
#include <cmath>

#include "voronoi/bisector.h"
#include "voronoi/resolution.h"

namespace flipscope {

namespace {

/// How long a piece of the bisector of a and b is missing, for it to be a Voronoi edge: see LinkError::shortfall.
double shortfall_of(const Lattice& lattice, const std::vector<Point>& centres, uint32_t a, uint32_t b) {
    throw_if_cancelled();
    const Point from = centres[a], step = lattice.difference(from, centres[b]);
    const Bisector line(from, {from.x + step.x, from.y + step.y});
    double low = -kUnbounded, high = kUnbounded;
    for (uint32_t c = 0; c < centres.size(); ++c) {
        if (c == a || c == b || centres[c] == centres[a] || centres[c] == centres[b]) continue;
        const Point d = lattice.difference(lattice.wrapped(line.middle), centres[c]);
        const Point third{line.middle.x + d.x, line.middle.y + d.y};
        const double side = line.side(third);
        if (side > 0) high = std::min(high, line.equidistant(third));
        if (side < 0) low = std::max(low, line.equidistant(third));
    }
    const double longest = 2.0 * (double(lattice.width) + lattice.height);
    return std::clamp(low - high, 0.0, longest);
}

/// By label, whether the lattice may not resolve it. The nearest other centre is always a neighbour in the exact graph.
std::vector<uint8_t> find_unresolved(const ExactGraph& exact, const std::vector<Point>& centres) {
    std::vector<uint8_t> unresolved(exact.count, 0);
    for (uint32_t label = 0; label < exact.count; ++label)
        if (lies_outside(exact.lattice, centres[label])) unresolved[label] = 1;
    for (const auto& [a, b] : exact.edges)
        if (exact.lattice.squared_distance(centres[a], centres[b]) < kResolvedSquared)
            unresolved[a] = unresolved[b] = 1;
    return unresolved;
}

/// What obstacles leave of a Voronoi edge, as far as it lies in the box. obstacles: (h, w) or empty.
FreePart free_part(const ExactGraph& exact, const std::vector<uint8_t>& obstacles, uint32_t edge) {
    FreePart free;
    if (!obstacles.empty()) {
        auto piece = std::lower_bound(exact.pieces.begin(), exact.pieces.end(), edge,
                                      [](const ExactGraph::Piece& p, uint32_t e) { return p.edge < e; });
        for (; piece != exact.pieces.end() && piece->edge == edge; ++piece)
            look_along(
                exact.lattice, [&](uint32_t site) { return obstacles[site] != 0; }, piece->from, piece->to, kUnbounded,
                free);
    }
    if (!free.covered) free.longest = exact.dual_lengths[edge];
    return free;
}

}  // namespace

GraphComparison compare_graphs(const ExactGraph& exact, const std::vector<Point>& centres,
                               const std::vector<std::array<uint32_t, 2>>& links,
                               const std::vector<uint8_t>& obstacles) {
    GraphComparison result;
    const std::vector<uint8_t> unresolved = find_unresolved(exact, centres);
    const auto is_unresolved = [&](const auto& labels) { return unresolved[labels[0]] || unresolved[labels[1]]; };
    result.links = static_cast<uint32_t>(links.size());
    for (size_t e = 0; e < exact.edges.size(); ++e) {
        if (!exact.in_sight[e]) continue;
        ++result.exact_links;
        if (std::binary_search(links.begin(), links.end(), exact.edges[e])) continue;
        LinkError error;
        error.labels = exact.edges[e];
        error.missed = true;
        error.dual_length = exact.dual_lengths[e];
        error.at_border = exact.at_border[e];
        error.unresolved = is_unresolved(error.labels);
        const FreePart free = free_part(exact, obstacles, static_cast<uint32_t>(e));
        error.free_length = free.longest;
        if (free.blocked()) {
            result.blocked.push_back(error);
            continue;
        }
        result.errors.push_back(error);
        result.longest_missed = std::max(result.longest_missed, error.dual_length);
        if (error.at_border) continue;
        result.longest_missed_interior = std::max(result.longest_missed_interior, error.dual_length);
        if (!error.unresolved)
            result.longest_missed_resolved = std::max(result.longest_missed_resolved, error.dual_length);
    }
    result.missed = static_cast<uint32_t>(result.errors.size());
    std::vector<uint8_t> leaves(exact.count, 0);  // cells that leave the box
    for (size_t e = 0; e < exact.edges.size(); ++e)
        if (exact.at_border[e])
            for (const uint32_t label : exact.edges[e]) leaves[label] = 1;
    for (const auto& link : links) {
        if (exact.find(link[0], link[1]) != kNone) continue;
        LinkError error;
        error.labels = link;
        error.shortfall = shortfall_of(exact.lattice, centres, link[0], link[1]);
        error.unresolved = is_unresolved(link);
        error.at_border = leaves[link[0]] || leaves[link[1]];
        result.errors.push_back(error);
    }
    result.spurious = static_cast<uint32_t>(result.errors.size()) - result.missed;
    return result;
}

std::vector<std::array<uint32_t, 2>> pairs_of(const Adjacency& graph) {
    std::vector<std::array<uint32_t, 2>> pairs;
    if (graph.count == 0) return pairs;
    std::vector<uint32_t> starts(size_t(graph.count) + 1);
    graph.starts.download(starts.data(), starts.size());
    std::vector<uint32_t> neighbours(starts.back());
    graph.neighbours.download(neighbours.data(), neighbours.size());
    for (uint32_t a = 0; a < graph.count; ++a)
        for (uint32_t k = starts[a]; k < starts[a + 1]; ++k)
            if (a < neighbours[k]) pairs.push_back({a, neighbours[k]});
    return pairs;
}

}  // namespace flipscope
