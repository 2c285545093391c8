#include "voronoi/graph/exact_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "compute/error.h"
#include "compute/work.h"
#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "voronoi/graph/bisector.h"
#include "voronoi/graph/site_copies.h"

namespace flipscope {

namespace {

/// Triangles over distinct points or, for collinear points, the path.
Triangulation connected(Context& context, const std::vector<Point>& points) {
    const WorkStage stage("exact graph: triangulation");
    return triangulate(context, points, {.neighbours = false, .hull = false, .duplicates = false, .hash = false});
}

/// A contact of two cells: part of the bisector of two points, with `to` to the left of a → b.
struct Contact {
    uint32_t a, b;  // indices into the points
    Bisector line;
    double low = -kUnbounded, high = kUnbounded;
};

/// Every edge of the triangulation once, a < b, with the part of its bisector between its triangles.
std::vector<Contact> contacts_of(const Triangulation& mesh, const std::vector<Point>& at) {
    const WorkStage stage("exact graph: contacts");
    std::vector<std::array<uint32_t, 3>> sides;  // from, to, apex on the left
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) sides.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
    const auto key = [](const std::array<uint32_t, 3>& s) { return std::minmax(s[0], s[1]); };
    sort_or_cancel(sides.begin(), sides.end(), [&](const auto& s, const auto& t) {
        const auto k = key(s), l = key(t);
        return std::pair(k.first, k.second) < std::pair(l.first, l.second);
    });
    std::vector<Contact> contacts;
    CancelPoll poll;
    for (const auto& s : sides) {
        poll();
        const auto [a, b] = key(s);
        if (contacts.empty() || contacts.back().a != a || contacts.back().b != b)
            contacts.push_back({a, b, Bisector(at[a], at[b])});
        Contact& c = contacts.back();
        const double where = c.line.third(at[s[2]]).at;
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
        if (c.high < c.low) c.low = c.high = (c.low + c.high) / 2;  // cocircular up to rounding
    return contacts;
}

/// The lowest label at each place, by site.
std::vector<uint32_t> lowest_at_same_place(const std::vector<Point>& sites) {
    std::vector<uint32_t> order(sites.size()), representatives(sites.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto place = [&](uint32_t i) { return std::tuple(sites[i].x, sites[i].y, i); };
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t i, uint32_t j) { return place(i) < place(j); });
    for (size_t k = 0; k < order.size(); ++k) {
        const bool again = k > 0 && sites[order[k]] == sites[order[k - 1]];
        representatives[order[k]] = again ? representatives[order[k - 1]] : order[k];
    }
    return representatives;
}

struct Collector {
    ExactGraph& graph;
    std::map<std::array<uint32_t, 2>, uint32_t> known;
    CancelPoll poll{};

    uint32_t edge(uint32_t a, uint32_t b) {
        poll();
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
    const std::vector<Contact> contacts = contacts_of(connected(context, at), at);
    WorkStage stage("exact graph: edges", contacts.size());
    for (const Contact& c : contacts) {
        stage.advance();
        const uint32_t edge = into.edge(labels[c.a], labels[c.b]);
        double low = -kUnbounded, high = kUnbounded;
        c.line.clip({-0.5, -0.5}, {high_x, high_y}, low, high);
        graph.at_border[edge] = c.low < low || c.high > high;
        low = std::max(low, c.low);
        high = std::min(high, c.high);
        if (low <= high) into.add(edge, c.line.at(low), c.line.at(high));
    }
}

/// Flips edges that are legal for the rounded copies, but not for the exact ones: only where four are cocircular, or
/// nearly.
void flip_illegal(const SiteCopies& copies, std::vector<std::array<uint32_t, 3>>& triangles) {
    struct Side {
        uint32_t low, high, corner;  // ends of the edge; the opposite corner, 3 · triangle + place
    };
    std::vector<Side> sides;
    for (uint32_t t = 0; t < triangles.size(); ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(triangles[t][(k + 1) % 3], triangles[t][(k + 2) % 3]);
            sides.push_back({low, high, 3 * t + k});
        }
    sort_or_cancel(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return std::tie(a.low, a.high) < std::tie(b.low, b.high); });
    std::vector<uint32_t> across(sides.size(), kNone);  // by corner: the corner across the opposite edge
    for (size_t k = 1; k < sides.size(); ++k) {
        if (sides[k].low != sides[k - 1].low || sides[k].high != sides[k - 1].high) continue;
        across[sides[k].corner] = sides[k - 1].corner;
        across[sides[k - 1].corner] = sides[k].corner;
    }
    const auto vertex = [&](uint32_t corner) -> uint32_t& { return triangles[corner / 3][corner % 3]; };
    const auto after = [](uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; };
    const auto join = [&](uint32_t corner, uint32_t other) {
        across[corner] = other;
        if (other != kNone) across[other] = corner;
    };
    std::vector<uint32_t> waiting;  // of each edge one side
    for (uint32_t corner = 0; corner < across.size(); ++corner)
        if (across[corner] != kNone && corner < across[corner]) waiting.push_back(corner);
    /// For d across b → c: whether the edge can flip to that from a to d.
    const auto is_convex = [&at = copies.points()](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        return orient2d(at[a], at[b], at[d]) > 0 && orient2d(at[a], at[d], at[c]) > 0;
    };
    CancelPoll poll;
    while (!waiting.empty()) {
        poll();
        const uint32_t corner = waiting.back(), other = across[corner];
        waiting.pop_back();
        if (other == kNone) continue;
        const uint32_t next = after(corner), last = after(next), beyond = after(other), before = after(beyond);
        const uint32_t a = vertex(corner), b = vertex(next), c = vertex(last), d = vertex(other);
        if (copies.power(a, b, c, d) <= 0 || !is_convex(a, b, c, d)) continue;
        // a b c and d c b become a b d and d c a; the opposite corners move along.
        const uint32_t ca = across[next], bd = across[beyond];
        vertex(last) = d;
        vertex(before) = a;
        join(corner, bd);
        join(other, ca);
        join(next, beyond);
        for (const uint32_t k : {corner, last, other, before}) waiting.push_back(k);
    }
}

/// A triangulation of the copies within a margin of the box equals that of the torus around the box's own points if the
/// circles at these points have radii of at most half the margin: any site that cuts their cells is then nearer than
/// the margin. All 3 × 3 copies always suffice: a cell extends at most half a period to each side, so its neighbours
/// lie within one (Dolbilin and Huson 1997 show a similar result for every dimension). If more than three points are
/// cocircular, all their images are triangulated alike, see SiteCopies, so both cells of a contact agree on it. A
/// cylinder uses all copies, three of each site, because cells at the open borders are unbounded; there they are
/// clipped.
void connect_periodic(Context& context, const std::vector<Point>& at, const std::vector<uint32_t>& labels,
                      ExactGraph& graph) {
    const double w = graph.lattice.width, h = graph.lattice.height;
    const PeriodicAxes periodic = graph.lattice.periodic;
    double margin = 5 * std::sqrt(w * h / static_cast<double>(at.size()));
    const std::vector<double> no_radii;
    std::optional<SiteCopies> copies;
    std::vector<Contact> contacts;
    for (bool enough = false; !enough; margin *= 2) {
        const bool all = !periodic.both() || margin >= std::max(w, h);
        copies.emplace(graph.lattice, at, no_radii, all ? kUnbounded : margin);
        Triangulation mesh = connected(context, copies->points());
        if (copies->rounded()) flip_illegal(*copies, mesh.triangles);
        contacts = contacts_of(mesh, copies->points());
        enough = true;
        for (const Contact& c : contacts) {
            if (all || !((*copies)[c.a].own() || (*copies)[c.b].own())) continue;
            const double reach = std::max(std::fabs(c.low), std::fabs(c.high));
            enough = enough && 4 * (reach * reach + c.line.half * c.line.half) <= margin * margin;
        }
    }
    Collector into{graph, {}};
    WorkStage stage("exact graph: edges", contacts.size());
    // Each contact occurs at both of its cells; only that of the lower label counts.
    for (const Contact& c : contacts) {
        stage.advance();
        for (const bool turned : {false, true}) {
            const SiteCopies::Copy &own = (*copies)[turned ? c.b : c.a], &other = (*copies)[turned ? c.a : c.b];
            if (!own.own() || labels[own.site] >= labels[other.site]) continue;
            const uint32_t edge = into.edge(labels[own.site], labels[other.site]);
            double low = -kUnbounded, high = kUnbounded;
            if (!periodic.x) clip_to_range(c.line.middle.x, c.line.direction.x, -0.5, w - 0.5, low, high);
            if (!periodic.y) clip_to_range(c.line.middle.y, c.line.direction.y, -0.5, h - 0.5, low, high);
            if (c.low < low || c.high > high) graph.at_border[edge] = 1;
            low = std::max(low, c.low);
            high = std::min(high, c.high);
            if (!(low <= high)) continue;
            const Point from = c.line.at(low), to = c.line.at(high), shifted = graph.lattice.wrapped(from);
            into.add(edge, shifted, {to.x + (shifted.x - from.x), to.y + (shifted.y - from.y)});
        }
    }
}

/// Sorts the edges, and removes those between sites on different sides of a wall.
void arrange_edges(const std::vector<Point>& sites, ExactGraph& graph) {
    const WorkStage stage("exact graph: order of the edges");
    std::vector<uint32_t> order, rank(graph.edges.size(), kNone);
    for (uint32_t e = 0; e < graph.edges.size(); ++e)
        if (!graph.lattice.parted(sites[graph.edges[e][0]], sites[graph.edges[e][1]])) order.push_back(e);
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return graph.edges[a] < graph.edges[b]; });
    for (uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
    const auto arrange = [&](auto& values) {
        auto sorted = values;
        sorted.resize(order.size());
        for (size_t r = 0; r < order.size(); ++r) sorted[r] = values[order[r]];
        values = std::move(sorted);
    };
    arrange(graph.edges);
    arrange(graph.dual_lengths);
    arrange(graph.in_sight);
    arrange(graph.at_border);
    for (ExactGraph::Piece& piece : graph.pieces) piece.edge = rank[piece.edge];
    std::erase_if(graph.pieces, [](const auto& piece) { return piece.edge == kNone; });
    stable_sort_or_cancel(graph.pieces.begin(), graph.pieces.end(),
                          [](const auto& p, const auto& q) { return p.edge < q.edge; });
}

}  // namespace

ExactGraph exact_graph(Context& context, const std::vector<Point>& sites, const Lattice& lattice) {
    for (size_t i = 0; i < sites.size(); ++i)
        if (!coordinate_in_range(sites[i].x) || !coordinate_in_range(sites[i].y))
            throw Error("site " + std::to_string(i) +
                        ": its coordinates are not numbers that can be triangulated exactly");
    ExactGraph graph;
    graph.lattice = lattice;
    graph.count = static_cast<uint32_t>(sites.size());
    graph.representatives = lowest_at_same_place(sites);
    std::vector<Point> at;
    std::vector<uint32_t> labels;
    for (uint32_t i = 0; i < graph.count; ++i) {
        if (graph.representatives[i] != i) continue;
        at.push_back(sites[i]);
        labels.push_back(i);
    }
    if (at.size() < 2) return graph;
    if (lattice.periodic.any())
        connect_periodic(context, at, labels, graph);
    else
        connect_open(context, at, labels, graph);
    arrange_edges(sites, graph);
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
    // Pairs are ascending: first a row's lower neighbours, in order, then its higher ones.
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
