#include "voronoi/exact_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "compute/error.h"
#include "delaunay/insertion.h"
#include "geometry/predicates.h"
#include "voronoi/bisector.h"

namespace flipscope {

namespace {

/// The triangles over the points and, on one line, the path; indices into `points`, which are distinct.
struct Triangulated {
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<uint32_t> path;
};

Triangulated triangulate(Context& context, const std::vector<Point>& points) {
    const auto geometry = std::make_shared<Geometry>();
    geometry->name = "centres";
    geometry->points = points;
    const std::unique_ptr<Algorithm> build = make_insertion();
    build->set_watched(false);
    build->reset(context, geometry);
    build->finish({});
    TriangleSoup soup = build->soup();
    return {std::move(soup.triangles), std::move(soup.path)};
}

/// One place where two cells touch: part of the bisector of two points, `to` being at the left of a → b.
struct Contact {
    uint32_t a, b;  // indices into the points
    Bisector line;
    double low = -kUnbounded, high = kUnbounded;
};

/// Every edge of the triangulation once, a < b, with the part of its bisector that its triangles leave.
std::vector<Contact> contacts_of(const Triangulated& mesh, const std::vector<Point>& at) {
    std::vector<std::array<uint32_t, 3>> sides;  // from, to, apex at the left
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) sides.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
    const auto key = [](const std::array<uint32_t, 3>& s) { return std::minmax(s[0], s[1]); };
    sort_or_cancel(sides.begin(), sides.end(), [&](const auto& s, const auto& t) {
        const auto k = key(s), l = key(t);
        return std::pair(k.first, k.second) < std::pair(l.first, l.second);
    });
    std::vector<Contact> contacts;
    RegularLook look;
    for (const auto& s : sides) {
        look();
        const auto [a, b] = key(s);
        if (contacts.empty() || contacts.back().a != a || contacts.back().b != b)
            contacts.push_back({a, b, Bisector(at[a], at[b])});
        Contact& c = contacts.back();
        const double where = c.line.equidistant(at[s[2]]);
        if (s[0] == a)
            c.high = where;
        else
            c.low = where;
    }
    for (size_t k = 1; k < mesh.path.size(); ++k) {
        const auto [a, b] = std::minmax(mesh.path[k - 1], mesh.path[k]);
        contacts.push_back({a, b, Bisector(at[a], at[b])});
    }
    for (Contact& c : contacts)
        if (c.high < c.low) c.low = c.high = (c.low + c.high) / 2;  // cocircular, but for rounding
    return contacts;
}

/// The lowest label at each place.
std::vector<uint32_t> lowest_at_same_place(const std::vector<Point>& centres) {
    std::vector<uint32_t> order(centres.size()), representatives(centres.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto place = [&](uint32_t i) { return std::tuple(centres[i].x, centres[i].y, i); };
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t i, uint32_t j) { return place(i) < place(j); });
    for (size_t k = 0; k < order.size(); ++k) {
        const bool again = k > 0 && centres[order[k]] == centres[order[k - 1]];
        representatives[order[k]] = again ? representatives[order[k - 1]] : order[k];
    }
    return representatives;
}

struct Collector {
    ExactGraph& graph;
    std::map<std::array<uint32_t, 2>, uint32_t> known;
    RegularLook look{};

    uint32_t edge(uint32_t a, uint32_t b) {
        look();
        const std::array<uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
        const auto [at, is_new] = known.try_emplace(pair, static_cast<uint32_t>(graph.edges.size()));
        if (is_new) {
            graph.edges.push_back(pair);
            graph.dual_lengths.push_back(0);
            graph.in_sight.push_back(0);
            graph.at_border.push_back(0);
        }
        return at->second;
    }
    void add(uint32_t edge, Point from, Point to) {
        graph.in_sight[edge] = 1;
        graph.dual_lengths[edge] += std::hypot(to.x - from.x, to.y - from.y);
        if (!(from == to)) graph.pieces.push_back({edge, from, to});
    }
};

void connect_open(Context& context, const std::vector<Point>& at, const std::vector<uint32_t>& labels,
                  ExactGraph& graph) {
    const double high_x = graph.lattice.width - 0.5, high_y = graph.lattice.height - 0.5;
    Collector into{graph, {}};
    for (const Contact& c : contacts_of(triangulate(context, at), at)) {
        const uint32_t edge = into.edge(labels[c.a], labels[c.b]);
        double low = -kUnbounded, high = kUnbounded;
        c.line.clip({-0.5, -0.5}, {high_x, high_y}, low, high);
        graph.at_border[edge] = c.low < low || c.high > high;
        low = std::max(low, c.low);
        high = std::min(high, c.high);
        if (low <= high) into.add(edge, c.line.at(low), c.line.at(high));
    }
}

/// A triangulation of the copies that lie within a margin of the box is that of the torus, as far as the box's own
/// points go, when the circles at these have radii of at most half the margin: whatever cuts into one of their cells is
/// then nearer than the margin. All 3 × 3 copies always do: a cell reaches at most half a period to each side, so its
/// neighbours lie within one (Dolbilin and Huson 1997 show the like for every dimension).
void connect_torus(Context& context, const std::vector<Point>& at, const std::vector<uint32_t>& labels,
                   ExactGraph& graph) {
    const uint32_t n = static_cast<uint32_t>(at.size());
    const double w = graph.lattice.width, h = graph.lattice.height;
    double margin = 5 * std::sqrt(w * h / n);
    std::vector<Point> copies;
    std::vector<uint32_t> original;  // the first n copies are the points themselves
    std::vector<Contact> contacts;
    for (bool enough = false; !enough; margin *= 2) {
        const bool all = margin >= std::max(w, h);
        copies = at;
        original.resize(n);
        for (uint32_t i = 0; i < n; ++i) original[i] = i;
        for (int turn = 0; turn < 9; ++turn) {
            if (turn == 4) continue;
            const double dx = (turn % 3 - 1) * w, dy = (turn / 3 - 1) * h;
            throw_if_cancelled();
            for (uint32_t i = 0; i < n; ++i) {
                const Point p{at[i].x + dx, at[i].y + dy};
                if (!all && (p.x < -margin || p.y < -margin || p.x > w + margin || p.y > h + margin)) continue;
                copies.push_back(p);
                original.push_back(i);
            }
        }
        contacts = contacts_of(triangulate(context, copies), copies);
        enough = true;
        for (const Contact& c : contacts) {
            if (all || c.a >= n) continue;  // a < b: at least one of the box's own has it as its first
            const double reach = std::max(std::fabs(c.low), std::fabs(c.high));
            enough = enough && 4 * (reach * reach + c.line.half * c.line.half) <= margin * margin;
        }
    }
    Collector into{graph, {}};
    // Each contact shows at both of its cells. The cell of the lower label speaks; the other one only where the two do
    // not agree, which needs a tie that the rounding of copies has broken in different ways.
    for (const bool second : {false, true}) {
        const size_t spoken = graph.edges.size();
        for (const Contact& c : contacts)
            for (const bool turned : {false, true}) {
                const uint32_t own = turned ? c.b : c.a, other = original[turned ? c.a : c.b];
                if (own >= n || own == other || (labels[own] < labels[other]) == second) continue;
                if (second && into.edge(labels[own], labels[other]) < spoken) continue;
                const uint32_t edge = into.edge(labels[own], labels[other]);
                Point from = c.line.at(c.low), to = c.line.at(c.high);
                const Point shifted = graph.lattice.wrapped(from);
                to = {to.x + (shifted.x - from.x), to.y + (shifted.y - from.y)};
                into.add(edge, shifted, to);
            }
    }
}

void sort_edges(ExactGraph& graph) {
    std::vector<uint32_t> order(graph.edges.size()), rank(order.size());
    for (uint32_t e = 0; e < order.size(); ++e) order[e] = e;
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return graph.edges[a] < graph.edges[b]; });
    for (uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
    const auto arrange = [&](auto& values) {
        auto sorted = values;
        for (size_t r = 0; r < order.size(); ++r) sorted[r] = values[order[r]];
        values = std::move(sorted);
    };
    arrange(graph.edges);
    arrange(graph.dual_lengths);
    arrange(graph.in_sight);
    arrange(graph.at_border);
    for (ExactGraph::Piece& piece : graph.pieces) piece.edge = rank[piece.edge];
    stable_sort_or_cancel(graph.pieces.begin(), graph.pieces.end(),
                          [](const auto& p, const auto& q) { return p.edge < q.edge; });
}

/// Takes out the edges between centres that a wall parts.
void heed_walls(const std::vector<Point>& centres, ExactGraph& graph) {
    std::vector<uint32_t> place(graph.edges.size(), kNone);
    uint32_t kept = 0;
    RegularLook look;
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
        look();
        if (graph.lattice.parted(centres[graph.edges[e][0]], centres[graph.edges[e][1]])) continue;
        graph.edges[kept] = graph.edges[e];
        graph.dual_lengths[kept] = graph.dual_lengths[e];
        graph.in_sight[kept] = graph.in_sight[e];
        graph.at_border[kept] = graph.at_border[e];
        place[e] = kept++;
    }
    graph.edges.resize(kept);
    graph.dual_lengths.resize(kept);
    graph.in_sight.resize(kept);
    graph.at_border.resize(kept);
    std::erase_if(graph.pieces, [&](const auto& piece) { return place[piece.edge] == kNone; });
    for (auto& piece : graph.pieces) piece.edge = place[piece.edge];
}

}  // namespace

ExactGraph exact_graph(Context& context, const std::vector<Point>& centres, const Lattice& lattice) {
    for (size_t i = 0; i < centres.size(); ++i)
        if (!coordinate_in_range(centres[i].x) || !coordinate_in_range(centres[i].y))
            throw Error("centre " + std::to_string(i) +
                        ": its coordinates are not numbers that can be triangulated exactly");
    ExactGraph graph;
    graph.lattice = lattice;
    graph.count = static_cast<uint32_t>(centres.size());
    graph.representatives = lowest_at_same_place(centres);
    std::vector<Point> at;
    std::vector<uint32_t> labels;
    for (uint32_t i = 0; i < graph.count; ++i) {
        if (graph.representatives[i] != i) continue;
        at.push_back(centres[i]);
        labels.push_back(i);
    }
    if (at.size() < 2) return graph;
    if (lattice.periodic)
        connect_torus(context, at, labels, graph);
    else
        connect_open(context, at, labels, graph);
    if (lattice.walled_x || lattice.walled_y) heed_walls(centres, graph);
    sort_edges(graph);
    return graph;
}

uint32_t ExactGraph::find(uint32_t a, uint32_t b) const {
    const std::array<uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
    const auto at = std::lower_bound(edges.begin(), edges.end(), pair);
    return at != edges.end() && *at == pair ? static_cast<uint32_t>(at - edges.begin()) : kNone;
}

Adjacency ExactGraph::adjacency(Context& context, bool only_in_sight) const {
    std::vector<uint32_t> starts(size_t(count) + 1, 0);
    const auto each = [&](const auto& visit) {
        for (size_t e = 0; e < edges.size(); ++e) {
            if (only_in_sight && !in_sight[e]) continue;
            visit(edges[e][0], edges[e][1]);
        }
    };
    each([&](uint32_t a, uint32_t b) { ++starts[a + 1], ++starts[b + 1]; });
    for (size_t i = 0; i < count; ++i) starts[i + 1] += starts[i];
    std::vector<uint32_t> neighbours(starts[count]), end(starts.begin(), starts.end() - 1);
    // Ascending pairs: a row's lower neighbours come first, in order, and then its higher ones.
    each([&](uint32_t a, uint32_t b) { neighbours[end[b]++] = a; });
    each([&](uint32_t a, uint32_t b) { neighbours[end[a]++] = b; });
    Adjacency graph;
    graph.count = count;
    graph.entry_count = starts[count];
    graph.starts.upload(context, starts.data(), starts.size());
    graph.neighbours.upload(context, neighbours.data(), neighbours.size());
    return graph;
}

}  // namespace flipscope
