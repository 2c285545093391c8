#include "particles/overlap_audit.h"

#include <algorithm>
#include <cmath>

#include "compute/portable_math.h"
#include "compute/primitives.h"
#include "particles/walls.h"
#include "statistics/point_grid.h"

namespace flipscope {

namespace {

/// An upper bound for the distance of the nearest two of n places in a channel. If they are at least d apart in the
/// channel, they also are in a periodic one that is wider by d, which bounds d; and so do the two nearest along it, or
/// across it.
double farthest_apart_in_channel(const TorusBox& box, uint32_t n) {
    const double length = box.shorter(), across = box.extent;
    const double root3 = std::sqrt(3.0), packed = n * root3;  // n √3/2 d² ≤ length (across + d)
    const double lattice = (length + std::sqrt(length * length + 2 * packed * length * across)) / packed;
    if (lattice < 0.86 * length) return lattice * (1 + 1e-9);
    const double by_length = std::hypot(length / n, across), by_height = std::hypot(across / (n - 1), length / 2);
    return std::max(lattice, std::min(by_length, by_height)) * (1 + 1e-9);
}

/// An upper bound for the distance of the nearest two of n places on a torus: √(2/√3) √(area / n), as in a triangular
/// lattice, rounded up. If that exceeds the shorter side, the two nearest along the longer one bound it.
double farthest_apart(const TorusBox& box, uint32_t n) {
    if (box.is_cylinder()) return farthest_apart_in_channel(box, n);
    const double lattice = 1.0746 * std::sqrt(box.area()) / std::sqrt(double(n)), along = box.longer() / n;
    if (along < 0.86 * box.shorter()) return lattice;
    return std::max(lattice, std::sqrt(along * along + box.shorter() * box.shorter() / 4) * (1 + 1e-9));
}

FLIPSCOPE_HD inline uint64_t pair_key(uint32_t a, uint32_t b) {
    return a < b ? uint64_t(a) << 32 | b : uint64_t(b) << 32 | a;
}

struct Touching {
    View<const uint8_t> species;
    SpeciesTable table;
    FLIPSCOPE_HD double mean_diameter(uint32_t a, uint32_t b) const {
        return (table.diameter_of(a, species) + table.diameter_of(b, species)) / 2;
    }
    FLIPSCOPE_HD bool operator()(double squared, double mean) const {
        return squared < (mean * kTouching) * (mean * kTouching);
    }
};

/// The pairs that overlap along an edge.
struct ListOverlappingEdges {
    ParticleState state;
    Touching touching;
    View<uint64_t> keys;   // empty while counting
    View<uint32_t> edges;  //
    FLIPSCOPE_HD uint32_t code(uint32_t e) const {
        const uint32_t corner = state.corner_of[2 * size_t(e)];
        const uint32_t from = state.triangles[corner], to = state.triangles[next_corner(corner)];
        const Point d = state.box.to_image(state.positions[from], state.positions[to], state.shifts[corner]);
        return from != to && touching(d.x * d.x + d.y * d.y, touching.mean_diameter(from, to));
    }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        if (!code || !keys) return;
        const uint32_t corner = state.corner_of[2 * size_t(e)];
        keys[rank] = pair_key(state.triangles[corner], state.triangles[next_corner(corner)]);
        edges[rank] = e;
    }
};

/// The overlapping partners of higher id, relative to a particle.
struct PartnerReader {
    NearPoints near;
    TorusBox box;
    Touching touching;
    bool has_edges;
    View<const uint64_t> found;  // sorted keys of overlapping edges

    FLIPSCOPE_HD bool is_missed(uint32_t i, uint32_t k) const {
        if (!has_edges) return false;
        const uint64_t key = pair_key(i, k);
        const size_t at = lower_bound(found.data, size_t(0), found.count, key);
        return at == found.count || found[at] != key;
    }
    /// Calls visit(k, squared distance, mean diameter) for near particles of a higher id.
    template <class Visit>
    FLIPSCOPE_HD void for_higher(uint32_t rank, const Visit& visit) const {
        const uint32_t i = near.grid.ids[rank];
        const Point p = near.grid.positions[rank];
        near.each(p, [&](uint32_t other) {
            const uint32_t k = near.grid.ids[other];
            if (k <= i) return;
            const Point d = box.shortest(p, near.grid.positions[other]);
            visit(k, d.x * d.x + d.y * d.y, touching.mean_diameter(i, k));
        });
    }
};

struct AuditTally {
    uint64_t overlapping = 0, missed = 0;
    uint64_t distance = ~uint64_t(0);  // bits of its square, which are ordered like the doubles
};

struct AuditParticles {
    PartnerReader read;
    View<AuditTally> tallies;  // (n) by id
    View<uint32_t> ranks;      // (n) by id
    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t i = read.near.grid.ids[rank];
        AuditTally tally;
        read.for_higher(rank, [&](uint32_t k, double squared, double mean) {
            const uint64_t distance = portable::bits_of(squared);
            if (distance < tally.distance) tally.distance = distance;
            if (!read.touching(squared, mean)) return;
            ++tally.overlapping;
            tally.missed += read.is_missed(i, k);
        });
        tallies[i] = tally;
        ranks[i] = rank;
    }
};

/// Particles whose discs reach into a wall.
struct ListInWalls {
    ParticleState state;
    View<uint32_t> ids;  // (room) or empty
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const double radius = state.table.diameter_of(i, state.species) / 2;
        return distance_to_wall(state.box, state.positions[i]) < radius * kTouching;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code && rank < ids.count) ids[rank] = i;
    }
};

void audit_walls(Context& context, const ParticleState& state, uint32_t most_listed, OverlapAudit& audit) {
    if (!state.box.is_cylinder() || state.count() == 0) return;
    Buffer<uint32_t> ids("discs in walls"), total("total");
    ids.resize(context, std::min(most_listed, state.count()));
    total.resize(context, 1);
    compact(context, "audit.walls", state.count(), ListInWalls{state, ids.view()}, total.view());
    audit.in_walls = total.read(0);
    audit.into_wall = ids.download(std::min<size_t>(audit.in_walls, most_listed));
}

/// The lowest partners of higher id of each, sorted, as far as there is room.
struct ListPartners {
    PartnerReader read;
    View<const uint32_t> ranks;
    bool missed;
    View<const uint32_t> lower;
    View<const uint32_t> starts;  // (lower + 1) first partner of each
    View<uint32_t> partners;
    FLIPSCOPE_HD void operator()(uint32_t index) const {
        const uint32_t i = lower[index], room = starts[index + 1] - starts[index];
        uint32_t* const own = &partners[starts[index]];
        uint32_t size = 0;
        read.for_higher(ranks[i], [&](uint32_t k, double squared, double mean) {
            if (!read.touching(squared, mean) || (missed && !read.is_missed(i, k))) return;
            if (size == room && (room == 0 || own[room - 1] < k)) return;
            uint32_t at = size < room ? size++ : room - 1;
            for (; at > 0 && own[at - 1] > k; --at) own[at] = own[at - 1];
            own[at] = k;
        });
    }
};

/// The lowest pairs of a kind, at most `most`.
std::vector<OverlapAudit::Pair> list_pairs(Context& context, const PartnerReader& read,
                                           const std::vector<AuditTally>& tallies, View<const uint32_t> ranks,
                                           bool missed, uint32_t most) {
    std::vector<OverlapAudit::Pair> pairs;
    std::vector<uint32_t> lower_ids, begins{0};
    for (uint32_t i = 0; i < tallies.size() && begins.back() < most; ++i) {
        const uint64_t count = missed ? tallies[i].missed : tallies[i].overlapping;
        if (count == 0) continue;
        lower_ids.push_back(i);
        begins.push_back(static_cast<uint32_t>(std::min<uint64_t>(begins.back() + count, most)));
    }
    const auto known = static_cast<uint32_t>(lower_ids.size());
    if (known == 0) return pairs;
    Buffer<uint32_t> lower("lower ids"), starts("partner starts"), partners("partners");
    lower.upload(context, lower_ids.data(), known);
    starts.upload(context, begins.data(), begins.size());
    partners.resize(context, begins.back());
    launch(context, "audit.partners", known,
           ListPartners{read, ranks, missed, lower.view(), starts.view(), partners.view()});
    const std::vector<uint32_t> partner_ids = partners.download();
    for (uint32_t index = 0; index < known; ++index)
        for (uint32_t at = begins[index]; at < begins[index + 1]; ++at)
            pairs.push_back({lower_ids[index], partner_ids[at]});
    return pairs;
}

}  // namespace

OverlapAudit audit_overlaps(Context& context, const ParticleState& state, uint32_t most_listed) {
    OverlapAudit audit;
    const uint32_t n = state.count();
    audit_walls(context, state, most_listed, audit);
    if (n < 2) return audit;

    const Touching touching{state.species, state.table};
    Buffer<uint64_t> found("overlapping edges");
    if (state.edge_count() > 0) {
        Buffer<uint32_t> edges("their ids"), total("total");
        total.resize(context, 1);
        compact(context, "audit.edges", state.edge_count(), ListOverlappingEdges{state, touching, {}, {}},
                total.view());
        const uint32_t count = total.read(0);
        found.resize(context, count);
        edges.resize(context, count);
        if (count > 0)
            compact(context, "audit.edges", state.edge_count(),
                    ListOverlappingEdges{state, touching, found.view(), edges.view()}, total.view());
        if (count > 1) sort_by_key(context, "audit.sort", found, edges, 64);
    }

    // Wide enough for every overlap, and for the nearest pair at any distance.
    double reach = farthest_apart(state.box, n);
    for (const double diameter : state.table.diameter)
        reach = std::max(reach, state.table.diameters ? state.table.greatest : diameter);
    PointGrid grid;
    grid.build(context, window_of(state.box), state.positions, reach);

    const PartnerReader read{{grid.view(), reach}, state.box, touching, state.edge_count() > 0, found.view()};
    Buffer<AuditTally> by_particle("audit tallies");
    Buffer<uint32_t> ranks("ranks by id");
    by_particle.resize(context, n);
    ranks.resize(context, n);
    launch(context, "audit.particles", n, AuditParticles{read, by_particle.view(), ranks.view()});
    const std::vector<AuditTally> tallies = by_particle.download();
    AuditTally sum;
    for (const AuditTally& each : tallies) {
        sum.overlapping += each.overlapping;
        sum.missed += each.missed;
        sum.distance = std::min(sum.distance, each.distance);
    }
    audit.pairs_overlapping = sum.overlapping;
    audit.missed_by_edges = sum.missed;
    audit.smallest_distance = std::sqrt(portable::double_of(sum.distance));
    audit.overlapping = list_pairs(context, read, tallies, ranks.view(), false, most_listed);
    audit.missed = list_pairs(context, read, tallies, ranks.view(), true, most_listed);
    return audit;
}

}  // namespace flipscope
