#include "statistics/structures.h"

#include <cmath>

#include "compute/forest.h"
#include "compute/primitives.h"
#include "geometry/accurate_determinants.h"
#include "geometry/proximity.h"
#include "mesh/collect_failures.h"
#include "mesh/legality.h"

namespace flipscope {

namespace {

struct CountIllegalEdges {
    StructureMesh s;
    FLIPSCOPE_HD void operator()(uint32_t e, BlockSums& sums) const {
        // In the middle of a round incidence is stale.
        if (BrokenReference{{}, s.mesh, 3 * s.triangle_count}(e)) {
            ++sums.value[0];
            return;
        }
        const Quad q = quad_at(s.mesh, e);
        const View<const Point>& at = s.mesh.positions;
        const bool ends = s.is_inside(q.from) && s.is_inside(q.to);
        if (ends && s.is_inside(q.left) && s.is_inside(q.right))
            sums.value[0] += incircle(at[q.from], at[q.to], at[q.left], at[q.right]) > 0;
        else if (touches_infinity(s.mesh, q))
            sums.value[0] += is_illegal_rarely(s.mesh, q, PredicateMode::kExact);
    }
};

struct CountFlatTriangles {
    StructureMesh s;
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        const uint32_t* const v = s.mesh.triangles.data + 3 * size_t(t);
        if (s.is_inside(v[0]) && s.is_inside(v[1]) && s.is_inside(v[2]))
            sums.value[0] += orient2d(s.at(v[0]), s.at(v[1]), s.at(v[2])) <= 0;
    }
};

FLIPSCOPE_HD bool is_gabriel(const StructureMesh& s, const Quad& q) {
    for (const uint32_t apex : {q.left, q.right})
        if (s.is_inside(apex) && is_in_disc(s.at(q.from), s.at(q.to), s.at(apex), 1)) return false;
    return true;
}

/// On either side of an edge.
FLIPSCOPE_HD uint32_t point_in_either_lune(const StructureMesh& s, uint32_t e, double beta) {
    const uint32_t found = point_in_lune(s, s.mesh.corner_of[2 * size_t(e)], beta);
    return found != kNone ? found : point_in_lune(s, s.mesh.corner_of[2 * size_t(e) + 1], beta);
}

FLIPSCOPE_HD bool has_empty_lune(const StructureMesh& s, uint32_t e, double beta) {
    return point_in_either_lune(s, e, beta) == kNone;
}

struct FindStructures {
    StructureMesh s;
    bool delaunay;
    View<uint32_t> words;
    static constexpr bool kManyThreads = true;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const Quad q = quad_at(s.mesh, e);
        uint32_t word = 0;
        if (s.is_inside(q.from) && s.is_inside(q.to)) {
            word = kFiniteEdge;
            if (!s.is_inside(q.left) || !s.is_inside(q.right)) word |= kOnHull;
            if (is_gabriel(s, q)) {
                word |= kInGabriel;
                if (delaunay && has_empty_lune(s, e, 2)) word |= kInRelative;
            }
        }
        words[e] = word;
    }
};

struct FindSkeleton {
    StructureMesh s;
    double beta;
    View<uint32_t> words;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        uint32_t word = words[e] & ~uint32_t(kInSkeleton);
        if (word & kFiniteEdge) {
            bool empty = true;
            if (beta < 1) {
                const Quad q = quad_at(s.mesh, e);
                for (const uint32_t apex : {q.left, q.right})  // of all points on its side it has the greatest angle
                    empty &= !s.is_inside(apex) || !is_in_lens(s.at(q.from), s.at(q.to), s.at(apex), beta);
            } else if (beta <= 2) {
                // The lune grows with β, from that of the Gabriel graph to that of the relative neighbourhood graph.
                empty = (word & kInRelative) || ((word & kInGabriel) && (beta == 1 || has_empty_lune(s, e, beta)));
            } else {
                empty = (word & kInRelative) && has_empty_lune(s, e, beta);
            }
            if (empty) word |= kInSkeleton;
        }
        words[e] = word;
    }
};

struct ListRelative {
    StructureMesh s;
    View<const uint32_t> words;
    View<LiveEdge> live;
    FLIPSCOPE_HD uint32_t code(uint32_t e) const { return (words[e] & kInRelative) != 0; }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const uint32_t from = s.mesh.edges[2 * size_t(e)], to = s.mesh.edges[2 * size_t(e) + 1];
        live[rank] = {squared_length(s.at(from), s.at(to)), e, {from, to}};
    }
};

struct StartTrees {
    View<uint32_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t v) const { parents[v] = v; }
};

/// Offers every live edge to both its trees, which keep the least.
struct OfferEdges {
    StructureMesh s;
    View<const LiveEdge> live;
    View<uint32_t> least;
    static constexpr bool kManyThreads = true;

    FLIPSCOPE_HD_NOINLINE bool is_less_exactly(uint32_t a, uint32_t b) const {
        const uint32_t* const u = s.mesh.edges.data + 2 * size_t(a);
        const uint32_t* const v = s.mesh.edges.data + 2 * size_t(b);
        const int sign = compare_lengths(s.at(u[0]), s.at(u[1]), s.at(v[0]), s.at(v[1]));
        if (sign != 0) return sign < 0;
        const View<const uint32_t>& in = s.mesh.inputs;
        const bool u_turned = in[u[0]] > in[u[1]], v_turned = in[v[0]] > in[v[1]];
        const uint32_t u_low = in[u[u_turned]], v_low = in[v[v_turned]];
        const uint32_t u_high = in[u[!u_turned]], v_high = in[v[!v_turned]];
        return u_low != v_low ? u_low < v_low : u_high != v_high ? u_high < v_high : a < b;
    }
    FLIPSCOPE_HD bool is_less(const LiveEdge& a, const LiveEdge& b) const {
        return are_far_apart(a.squared, b.squared) ? a.squared < b.squared : is_less_exactly(a.edge, b.edge);
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const LiveEdge self = live[i];
        for (const uint32_t tree : self.trees) {
            uint32_t seen = atomic_load(least[tree]);
            while (seen == kNone || is_less(self, live[seen])) {
                const uint32_t stood = atomic_exchange_if(least[tree], seen, i);
                if (stood == seen) break;
                seen = stood;
            }
        }
    }
};

/// In the first round each vertex is a tree, and its least edge leads to its nearest neighbour.
struct MarkNearest {
    StructureMesh s;
    View<const LiveEdge> live;
    View<const uint32_t> least;
    View<uint32_t> words;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        if (least[v] == kNone) return;
        const uint32_t e = live[least[v]].edge;
        atomic_or(words[e], s.mesh.edges[2 * size_t(e)] == v ? kNearestOfFrom : kNearestOfTo);
    }
};

/// Hangs every tree on the one that its least edge leads to. Of two trees with the same edge the lower one stays.
struct JoinTrees {
    View<const LiveEdge> live;
    View<const uint32_t> least;
    View<uint32_t> parents, words;
    FLIPSCOPE_HD void operator()(uint32_t tree) const {
        const uint32_t k = least[tree];
        if (k == kNone) return;  // also where it is not a root
        atomic_or(words[live[k].edge], kInTree);
        const uint32_t other = live[k].trees[live[k].trees[0] == tree];
        if (least[other] != k || other < tree) parents[tree] = other;
    }
};

/// Keeps the edges between different trees.
struct KeepLive {
    View<const LiveEdge> live;
    Forest<uint32_t> forest;
    View<LiveEdge> kept;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        return forest.root(live[i].trees[0]) != forest.root(live[i].trees[1]);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const LiveEdge& edge = live[i];
        kept[rank] = {edge.squared, edge.edge, {forest.root(edge.trees[0]), forest.root(edge.trees[1])}};
    }
};

FLIPSCOPE_HD double circumradius(Point a, Point b, Point c) {
    const double twice = difference_of_products(b.x - a.x, c.y - a.y, b.y - a.y, c.x - a.x);
    // The product of all three squares can overflow.
    const double sides = sqrt(squared_length(a, b) * squared_length(b, c)) * sqrt(squared_length(c, a));
    return sides / (2 * fabs(twice));
}

/// NaN: not finite.
FLIPSCOPE_HD double circumradius(const StructureMesh& s, uint32_t t) {
    const uint32_t* const v = s.mesh.triangles.data + 3 * size_t(t);
    const bool finite = s.is_inside(v[0]) && s.is_inside(v[1]) && s.is_inside(v[2]);
    return finite ? circumradius(s.at(v[0]), s.at(v[1]), s.at(v[2])) : double(NAN);
}

struct WriteAlphaOfTriangles {
    StructureMesh s;
    View<double> alpha;
    FLIPSCOPE_HD void operator()(uint32_t t) const { alpha[t] = circumradius(s, t); }
};

/// `of_triangles`: the α of triangles; empty: not measured. NaN: not finite.
FLIPSCOPE_HD double alpha_of_edge(const StructureMesh& s, uint32_t e, const View<const double>& of_triangles) {
    const Quad q = quad_at(s.mesh, e);
    if (!s.is_inside(q.from) || !s.is_inside(q.to)) return double(NAN);
    double value = is_gabriel(s, q) ? sqrt(squared_length(s.at(q.from), s.at(q.to))) / 2 : double(INFINITY);
    for (const uint32_t apex : {q.left, q.right}) {
        if (!s.is_inside(apex)) continue;
        const uint32_t side = apex == q.right && apex != q.left;
        const uint32_t t = triangle_of(s.mesh.corner_of[2 * size_t(e) + side]);
        const double radius = of_triangles.count > 0 ? of_triangles[t] : circumradius(s, t);
        if (radius < value) value = radius;
    }
    return value;
}

struct WriteAlphaOfEdges {
    StructureMesh s;
    View<const double> of_triangles;
    View<double> alpha;
    FLIPSCOPE_HD void operator()(uint32_t e) const { alpha[e] = alpha_of_edge(s, e, of_triangles); }
};

/// The greatest β of a skeleton that has the edge.
FLIPSCOPE_HD double greatest_beta(const StructureMesh& s, uint32_t edge) {
    const Quad q = quad_at(s.mesh, edge);
    const Point a = s.at(q.from), b = s.at(q.to);
    double value = kMostBeta;
    for (const uint32_t apex : {q.left, q.right}) {
        if (!s.is_inside(apex) || !is_in_disc(a, b, s.at(apex), 1)) continue;
        const Point r = s.at(apex);
        const double twice = difference_of_products(a.x - r.x, b.y - r.y, a.y - r.y, b.x - r.x);
        const double sine = fabs(twice) / sqrt(squared_length(a, r) * squared_length(b, r));
        if (sine < value) value = sine < 1 ? sine : 1;
    }
    if (value < kMostBeta) return value;
    for (uint32_t side = 0; side < 2; ++side)
        for (double margin = 0x1p-48;;) {
            // Below the last value by more than its rounding, so that its point is not found again.
            const double below = value * (1 - margin);
            const uint32_t corner = s.mesh.corner_of[2 * size_t(edge) + side];
            const uint32_t found = point_in_lune(s, corner, below > 1 ? below : 1);
            if (found == kNone) break;
            const Point r = s.at(found);
            const double along = (r.x - a.x) * (b.x - a.x) + (r.y - a.y) * (b.y - a.y);
            const double back = (r.x - b.x) * (a.x - b.x) + (r.y - b.y) * (a.y - b.y);
            const double first = squared_length(a, r) / along, second = squared_length(b, r) / back;
            const double of_point = first > second ? first : second;
            if (!(first > 0 && second > 0 && of_point < below)) {  // cancellation: rounding exceeds the margin
                value = below;
                margin *= 4;
                continue;
            }
            value = of_point;
        }
    if (value < 1) value = 1;
    return value;
}

struct WriteBeta {
    StructureMesh s;
    View<double> beta;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const bool finite = s.is_inside(s.mesh.edges[2 * size_t(e)]) && s.is_inside(s.mesh.edges[2 * size_t(e) + 1]);
        beta[e] = finite ? greatest_beta(s, e) : double(NAN);
    }
};

struct WriteLimits {
    StructureMesh s;
    uint32_t edge;
    View<double> limits;
    FLIPSCOPE_HD void operator()(uint32_t k) const {
        limits[k] = k == 0   ? alpha_of_edge(s, edge, {})
                    : k == 1 ? greatest_beta(s, edge)
                             : double(point_in_either_lune(s, edge, 2));
    }
};

}  // namespace

StructureMesh structure_mesh(const TriangleMesh& mesh, uint32_t inside) {
    return {mesh.view(), inside, mesh.edge_count, mesh.triangle_count};
}

uint64_t count_illegal(Context& context, const StructureMesh& mesh) {
    return sums_of(context, "structures.legality", mesh.edge_count, CountIllegalEdges{mesh}).value[0] +
           sums_of(context, "structures.flat", mesh.triangle_count, CountFlatTriangles{mesh}).value[0];
}

void EdgeStructures::find(Context& context, const StructureMesh& mesh, bool delaunay) {
    words_.resize(context, mesh.edge_count, false);
    launch(context, "structures.edges", mesh.edge_count, FindStructures{mesh, delaunay, words_.view()});
    if (delaunay) grow_tree(context, mesh);
    context.synchronize();
}

void EdgeStructures::find_skeleton(Context& context, const StructureMesh& mesh, double beta) {
    launch(context, "structures.skeleton", mesh.edge_count, FindSkeleton{mesh, beta, words_.view()});
}

/// The rounds of Borůvka (1926) on the relative neighbourhood graph, which contains the tree: of all edges between a
/// tree and the rest, the least has an empty lune, as a point in it would make one of two shorter edges such an edge.
void EdgeStructures::grow_tree(Context& context, const StructureMesh& mesh) {
    const uint32_t n = mesh.inside;
    parents_.resize(context, n, false);
    for (Buffer<LiveEdge>& live : live_) live.resize(context, mesh.edge_count, false);
    count_.resize(context, 1, false);
    launch(context, "structures.trees", n, StartTrees{parents_.view()});
    compact(context, "structures.relative", mesh.edge_count, ListRelative{mesh, words_.view(), live_[0].view()},
            count_.view());
    uint32_t edges = count_.read(0);
    for (uint32_t round = 0; edges > 0; ++round) {
        Buffer<LiveEdge>&live = live_[round % 2], &kept = live_[1 - round % 2];
        least_.fill(context, n, 0xFF);
        launch(context, "structures.offer", edges, OfferEdges{mesh, live.view(), least_.view()});
        if (round == 0)
            launch(context, "structures.nearest", n, MarkNearest{mesh, live.view(), least_.view(), words_.view()});
        launch(context, "structures.join", n, JoinTrees{live.view(), least_.view(), parents_.view(), words_.view()});
        compact(context, "structures.live", edges, KeepLive{live.view(), {parents_.view()}, kept.view()},
                count_.view());
        edges = *count_.read_back(1);
    }
}

void write_alpha(Context& context, const StructureMesh& mesh, const Buffer<double>& edges,
                 const Buffer<double>& triangles) {
    if (!triangles.empty())
        launch(context, "structures.alpha", mesh.triangle_count, WriteAlphaOfTriangles{mesh, triangles.view()});
    if (!edges.empty())
        launch(context, "structures.alpha", mesh.edge_count, WriteAlphaOfEdges{mesh, triangles.view(), edges.view()});
}

void write_beta(Context& context, const StructureMesh& mesh, const Buffer<double>& edges) {
    launch(context, "structures.beta", mesh.edge_count, WriteBeta{mesh, edges.view()});
}

EdgeLimits limits_of(Context& context, const StructureMesh& mesh, uint32_t edge) {
    Buffer<double> limits("limits");
    limits.resize(context, 3, false);
    launch(context, "structures.limits", 3, WriteLimits{mesh, edge, limits.view()});
    return {limits.read(0), limits.read(1), static_cast<uint32_t>(limits.read(2))};
}

}  // namespace flipscope
