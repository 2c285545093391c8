#include "voronoi/graph_comparison.h"

#include <algorithm>
#include <cmath>

#include "voronoi/bisector.h"

namespace flipscope {

namespace {

/// How long a piece of the bisector of a and b is missing, for it to be a Voronoi edge: see LinkError::shortfall.
double shortfall_of(const Lattice& lattice, const std::vector<Point>& centres, uint32_t a, uint32_t b) {
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

/// By label, whether another centre lies nearer than √2. The nearest one is always a neighbour in the exact graph.
std::vector<uint8_t> find_crowded(const ExactGraph& exact, const std::vector<Point>& centres) {
    std::vector<uint8_t> crowded(exact.count, 0);
    for (const auto& [a, b] : exact.edges)
        if (exact.lattice.squared_distance(centres[a], centres[b]) < 2) crowded[a] = crowded[b] = 1;
    return crowded;
}

/// Obstacles over Voronoi edges.
struct Cover {
    const ExactGraph& exact;
    const std::vector<uint8_t>& obstacles;  // (h, w) or empty

    struct Free {
        double longest = 0;    // piece of the edge that no obstacle covers, world units
        bool covered = false;  // some of it is
    };
    /// Of a Voronoi edge as far as it lies in the box.
    Free free_part(uint32_t edge) const {
        if (obstacles.empty()) return {exact.dual_lengths[edge], false};
        Free free;
        auto piece = std::lower_bound(exact.pieces.begin(), exact.pieces.end(), edge,
                                      [](const ExactGraph::Piece& p, uint32_t e) { return p.edge < e; });
        for (; piece != exact.pieces.end() && piece->edge == edge; ++piece) look_along(*piece, free);
        if (!free.covered) free.longest = exact.dual_lengths[edge];
        return free;
    }

  private:
    static constexpr double kStride = 0.125;  // lattice units from one place that is looked at to the next, at most

    void look_along(const ExactGraph::Piece& piece, Free& free) const {
        const Point d{piece.to.x - piece.from.x, piece.to.y - piece.from.y};
        const double length = std::hypot(d.x, d.y);
        const auto steps = static_cast<uint32_t>(std::ceil(length / kStride)) + 1;
        double run = 0;
        for (uint32_t i = 0; i < steps; ++i) {
            const double t = (i + 0.5) / steps;
            const bool covered = covers({piece.from.x + t * d.x, piece.from.y + t * d.y});
            run = covered ? 0 : run + length / steps;
            free.covered = free.covered || covered;
            free.longest = std::max(free.longest, run);
        }
    }
    bool covers(Point at) const {
        const auto x = static_cast<int64_t>(std::floor(at.x)), y = static_cast<int64_t>(std::floor(at.y));
        return is_obstacle(x, y) || is_obstacle(x + 1, y) || is_obstacle(x, y + 1) || is_obstacle(x + 1, y + 1);
    }
    bool is_obstacle(int64_t x, int64_t y) const {
        const int64_t w = exact.lattice.width, h = exact.lattice.height;
        if (exact.lattice.periodic) x = (x % w + w) % w, y = (y % h + h) % h;
        return x >= 0 && y >= 0 && x < w && y < h &&
               obstacles[exact.lattice.site(static_cast<uint32_t>(x), static_cast<uint32_t>(y))];
    }
};

}  // namespace

GraphComparison compare_graphs(const ExactGraph& exact, const std::vector<Point>& centres,
                               const std::vector<std::array<uint32_t, 2>>& links,
                               const std::vector<uint8_t>& obstacles) {
    GraphComparison result;
    const Cover cover{exact, obstacles};
    const std::vector<uint8_t> crowded = find_crowded(exact, centres);
    const auto is_unresolved = [&](const auto& labels) { return crowded[labels[0]] || crowded[labels[1]]; };
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
        const Cover::Free free = cover.free_part(static_cast<uint32_t>(e));
        error.free_length = free.longest;
        if (free.covered && free.longest < kLeastContact) {
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
