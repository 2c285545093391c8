#include "particles/measures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compute/forest.h"
#include "compute/histogram.h"
#include "compute/portable_math.h"
#include "compute/primitives.h"
#include "statistics/point_grid.h"

namespace flipscope {

namespace {

// Fixed point: sums of integers are the same in any order. An edge's share of a bond order is at most 1.
constexpr double kBondUnit = 0x1p-40;

FLIPSCOPE_HD inline uint64_t fixed_point(double value) {
    return static_cast<uint64_t>(static_cast<int64_t>(rint(value / kBondUnit)));
}
FLIPSCOPE_HD inline double from_fixed_point(uint64_t sum) {
    return static_cast<double>(static_cast<int64_t>(sum)) * kBondUnit;
}

struct PrepareMeasures {
    View<uint32_t> degrees, cluster_sizes;
    View<uint64_t> bond_sums, nearest_bits;
    Forest<uint32_t> forest;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        degrees[i] = cluster_sizes[i] = 0;
        bond_sums[2 * size_t(i)] = bond_sums[2 * size_t(i) + 1] = 0;
        nearest_bits[i] = ~uint64_t(0);
        forest.parents[i] = i;
    }
};

struct MeasureEdges {
    ParticleState state;
    double contact;  // mean diameters
    View<uint32_t> degrees;
    View<uint64_t> bond_sums;     // (n, 2) Σ exp(6iθ), fixed point
    View<uint64_t> nearest_bits;  // (n) of the squared distance: doubles above 0 have the order of their bits
    Forest<uint32_t> forest;

    FLIPSCOPE_HD static Point times(Point a, Point b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const uint32_t corner = state.corner_of[2 * size_t(e)];
        const uint32_t from = state.triangles[corner], to = state.triangles[next_corner(corner)];
        const ImageShift shift = state.shifts[corner];
        if (state.box.is_beyond(shift)) return;
        const Point step = state.box.to_image(state.positions[from], state.positions[to], shift);
        const double squared = step.x * step.x + step.y * step.y, length = sqrt(squared);
        const Point one{step.x / length, step.y / length}, three = times(times(one, one), one);
        const Point six = times(three, three);  // the same from both ends
        const uint64_t x = fixed_point(six.x), y = fixed_point(six.y);
        for (const uint32_t end : {from, to}) {
            atomic_add(degrees[end], 1u);
            atomic_add(bond_sums[2 * size_t(end)], x);
            atomic_add(bond_sums[2 * size_t(end) + 1], y);
            atomic_min(nearest_bits[end], portable::bits_of(squared));
        }
        const double mean =
            (state.table.diameter_of(from, state.species) + state.table.diameter_of(to, state.species)) / 2;
        if (squared < (contact * mean) * (contact * mean)) forest.join(from, to);
    }
};

struct FinishParticles {
    View<const uint32_t> degrees;
    View<const uint64_t> bond_sums, nearest_bits;
    Forest<uint32_t> forest;
    View<Point> bond_orders;
    View<double> bond_lengths, nearest;
    View<uint32_t> clusters, cluster_sizes;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const double degree = degrees[i] ? degrees[i] : 1;
        const Point order{from_fixed_point(bond_sums[2 * size_t(i)]) / degree,
                          from_fixed_point(bond_sums[2 * size_t(i) + 1]) / degree};
        const double length = sqrt(order.x * order.x + order.y * order.y);
        bond_orders[i] = order;
        bond_lengths[i] = length < 1 ? length : 1;
        nearest[i] = sqrt(portable::double_of(nearest_bits[i]));
        const uint32_t root = forest.root(i);
        clusters[i] = root;
        atomic_add(cluster_sizes[root], 1u);
    }
};

struct CountInside {
    ParticleState state;
    FLIPSCOPE_HD uint32_t operator()(uint32_t e) const {
        return !state.box.is_beyond(state.shifts[state.corner_of[2 * size_t(e)]]);
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a + b; }
};

struct SpreadSizes {
    View<const uint32_t> clusters;
    View<uint32_t> cluster_sizes;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (clusters[i] != i) cluster_sizes[i] = cluster_sizes[clusters[i]];
    }
};

struct LargestCluster {
    View<const uint32_t> cluster_sizes;
    FLIPSCOPE_HD uint32_t operator()(uint32_t i) const { return cluster_sizes[i]; }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a > b ? a : b; }
};

struct WriteScalars {
    View<const uint32_t> numbers;  // one of the two
    View<const double> values;
    View<float> scalars;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        scalars[i] = numbers ? static_cast<float>(numbers[i]) : static_cast<float>(values[i]);
    }
};

struct SpeedOf {
    View<const Point> moves;
    double dt;
    View<double> speeds;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        speeds[i] = sqrt(moves[i].x * moves[i].x + moves[i].y * moves[i].y) / dt;
    }
};

/// Counts the pairs of one particle with those of higher rank.
constexpr uint32_t kReachInCells = 4, kMostCorrelationBins = 1024;
struct CountPairs {
    NearPoints near;
    TorusBox box;
    double bins_per_unit;
    uint32_t bins;
    static constexpr uint32_t kMostBins = kMostCorrelationBins;
    FLIPSCOPE_HD void operator()(uint32_t rank, const Bins& found) const {
        const Point p = near.grid.positions[rank];
        near.each(p, [&](uint32_t other) {
            if (other <= rank) return;
            const Point d = box.shortest(p, near.grid.positions[other]);
            const double squared = d.x * d.x + d.y * d.y;
            if (squared >= near.reach * near.reach) return;
            const auto bin = static_cast<uint32_t>(sqrt(squared) * bins_per_unit);
            found.add(bin < bins ? bin : bins - 1, 1);
        });
    }
};
double normal_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

/// 1 - E[cos(scale · z)] of a bounded normal number z, by Simpson's rule: 0.1 ms, more than a step of few particles.
double integrate_lost_direction(double scale, NoiseTails noise) {
    const auto loss = [scale](double z) {
        const double half = std::sin(scale * z / 2);
        return 2 * half * half;
    };
    constexpr int kSteps = 8192;
    constexpr double kWidth = 2 * kNoiseReach / kSteps;
    double sum = 0;
    for (int k = 0; k <= kSteps; ++k) {
        const double z = -kNoiseReach + k * kWidth, weight = k == 0 || k == kSteps ? 1 : k % 2 ? 4 : 2;
        sum += weight * loss(z) * normal_density(z);
    }
    sum *= kWidth / 3;
    return noise == NoiseTails::kClamped ? sum + 2 * kTailBeyondReach * loss(kNoiseReach)
                                         : sum / (1 - 2 * kTailBeyondReach);
}

/// The same, integrated once for a run.
double lost_direction(double scale, NoiseTails noise) {
    thread_local double last_scale = 0, last = 0;
    thread_local NoiseTails last_noise = noise;
    if (scale == last_scale && noise == last_noise) return last;
    last = integrate_lost_direction(scale, noise);
    last_scale = scale;
    last_noise = noise;
    return last;
}

}  // namespace

ParticleState particle_state(const TorusTriangulation& triangulation, View<const uint8_t> species,
                             const SpeciesTable& table) {
    const MeshView mesh = triangulation.mesh().view();
    const uint32_t n = triangulation.count();
    return {triangulation.box(),
            mesh.positions.first(n),
            species.first(n),
            table,
            mesh.triangles.first(3 * size_t(triangulation.mesh().triangle_count)),
            mesh.shifts.first(3 * size_t(triangulation.mesh().triangle_count)),
            mesh.corner_of.first(2 * size_t(triangulation.mesh().edge_count))};
}

Window window_of(const TorusBox& box) { return {{0, 0}, box.lengths(), true, true}; }

uint32_t count_edges(Context& context, const ParticleState& state) {
    if (!state.box.is_cylinder()) return state.edge_count();
    return reduce(context, "measure.inside", state.edge_count(), CountInside{state}, 0u);
}

void ParticleMeasures::measure(Context& context, const ParticleState& state, double contact) {
    context_ = &context;
    const uint32_t n = count_ = state.count();
    for (Buffer<uint32_t>* each : {&degrees_, &clusters_, &cluster_sizes_, &forest_}) each->resize(context, n, false);
    for (Buffer<double>* each : {&bond_lengths_, &nearest_}) each->resize(context, n, false);
    bond_orders_.resize(context, n, false);
    nearest_bits_.resize(context, n, false);
    bond_sums_.resize(context, 2 * size_t(n), false);

    const Forest<uint32_t> forest{forest_.view()};
    launch(context, "measure.prepare", n,
           PrepareMeasures{degrees_.view(), cluster_sizes_.view(), bond_sums_.view(), nearest_bits_.view(), forest});
    launch(context, "measure.edges", state.edge_count(),
           MeasureEdges{state, contact, degrees_.view(), bond_sums_.view(), nearest_bits_.view(), forest});
    launch(context, "measure.particles", n,
           FinishParticles{degrees_.view(), bond_sums_.view(), nearest_bits_.view(), forest, bond_orders_.view(),
                           bond_lengths_.view(), nearest_.view(), clusters_.view(), cluster_sizes_.view()});
    launch(context, "measure.sizes", n, SpreadSizes{clusters_.view(), cluster_sizes_.view()});
}

void ParticleMeasures::write_scalars(Context& context, Quantity quantity, Buffer<float>& scalars) const {
    scalars.resize(context, count_, false);
    WriteScalars write{{}, {}, scalars.view()};
    switch (quantity) {
        case Quantity::kDegree:
            write.numbers = degrees_.view();
            break;
        case Quantity::kBondOrder:
            write.values = bond_lengths_.view();
            break;
        case Quantity::kNearest:
            write.values = nearest_.view();
            break;
        case Quantity::kClusterSize:
            write.numbers = cluster_sizes_.view();
            break;
    }
    launch(context, "measure.scalars", count_, write);
}

double ParticleMeasures::largest_share() const {
    if (count_ == 0) return 0;
    return reduce(*context_, "measure.clusters", count_, LargestCluster{cluster_sizes_.view()}, 0u) / double(count_);
}

std::vector<uint32_t> ParticleMeasures::sizes_of_clusters() const {
    const std::vector<uint32_t> labels = clusters_.download(), all = cluster_sizes_.download();
    std::vector<uint32_t> sizes;
    for (uint32_t i = 0; i < count_; ++i)
        if (labels[i] == i) sizes.push_back(all[i]);
    return sizes;
}

void measure_speeds(Context& context, View<const Point> moves, double dt, Buffer<double>& speeds) {
    speeds.resize(context, moves.count, false);
    launch(context, "measure.speeds", static_cast<uint32_t>(moves.count), SpeedOf{moves, dt, speeds.view()});
}

namespace {

/// ∬ max(h - |y|, 0) over the disc of this radius.
double weighted_disc(double radius, double h) {
    if (!(h > 0)) return 0;
    const double b = std::min(radius, h), squared = radius * radius, cut = std::sqrt(squared - b * b);
    return 2 * h * (b * cut + squared * std::asin(b / radius)) - 4.0 / 3 * (squared * radius - cut * cut * cut);
}

/// The probability that two centres anywhere between the walls of a channel, each where its disc has room, are within
/// this distance by nearest images; up to half the channel's length. `rooms`: the widths of their ranges across the
/// channel; the difference has a trapezoidal density.
double share_within(double radius, double length, Point rooms) {
    const double wide = std::max(rooms.x, rooms.y), narrow = std::min(rooms.x, rooms.y);
    const double outer = weighted_disc(radius, (wide + narrow) / 2), inner = weighted_disc(radius, (wide - narrow) / 2);
    return (outer - inner) / (wide * narrow * length);
}

}  // namespace

PairCorrelation pair_correlation(Context& context, const TorusBox& box, View<const Point> positions, uint32_t bins,
                                 double reach, std::vector<Discs> discs) {
    PairCorrelation result;
    const auto n = static_cast<uint32_t>(positions.count);
    bins = std::min(bins, kMostCorrelationBins);
    if (n < 2 || bins == 0) return result;
    const double furthest = box.shorter() / 2;
    reach = std::min(reach > 0 ? reach : 8, furthest);
    result.width = reach / bins;

    PointGrid grid;
    grid.build(context, window_of(box), positions, reach / kReachInCells);
    result.pairs = histogram_of(context, "correlation.count", n, bins, 256,
                                CountPairs{{grid.view(), reach}, box, 1 / result.width, bins});

    // The expected share of all pairs in a ring, for uniform random particles.
    const double pairs = 0.5 * n * (double(n) - 1), area = box.area();
    if (!box.is_cylinder()) {
        for (size_t k = 0; k < bins; ++k) {
            const double ring = std::numbers::pi * double(2 * k + 1) * result.width * result.width;
            result.values.push_back(static_cast<double>(result.pairs[k]) / (pairs * ring / area));
        }
        return result;
    }
    if (discs.empty()) discs = {{double(n), 0}};
    constexpr double kLeastRoom = 1e-3;  // of the channel: collinear centres get a width
    const auto room = [&](const Discs& some) { return std::max(box.extent - some.diameter, kLeastRoom * box.extent); };
    const auto expected_within = [&](double radius) {
        double sum = 0;
        for (size_t a = 0; a < discs.size(); ++a)
            for (size_t b = 0; b <= a; ++b) {
                const double of =
                    a == b ? 0.5 * discs[a].count * (discs[a].count - 1) : discs[a].count * discs[b].count;
                if (of > 0) sum += of * share_within(radius, box.shorter(), {room(discs[a]), room(discs[b])});
            }
        return sum;
    };
    double before = 0;
    for (size_t k = 0; k < bins; ++k) {
        const double within = expected_within(double(k + 1) * result.width);
        result.values.push_back(static_cast<double>(result.pairs[k]) / (within - before));
        before = within;
    }
    return result;
}

double noise_variance(NoiseTails noise) {
    // ∫ z² φ(z) dz over ±3 is 1 - 2 Φ(-3) - 6 φ(3).
    const double inside = 1 - 2 * kTailBeyondReach, square = inside - 2 * kNoiseReach * normal_density(kNoiseReach);
    return noise == NoiseTails::kClamped ? square + 2 * kTailBeyondReach * kNoiseReach * kNoiseReach : square / inside;
}

double expected_squared_displacement(const ParticleModel& model, uint64_t steps) {
    const auto n = static_cast<double>(steps);
    const double diffusive = n * 2 * model.diffusion * model.dt * noise_variance(model.noise);
    if (model.speed == 0) return diffusive;
    // Σ over all pairs of steps of c^|i - k|, where c is the mean cosine of one turn, and l = 1 - c.
    const double l = lost_direction(std::sqrt(2 * model.rotation * model.dt), model.noise), c = 1 - l;
    double sum;
    if (n * l < 1e-4)
        sum = n * n - l * (n * n * n - n) / 3;
    else
        sum = n * (1 + c) / l - 2 * c * (l < 0.5 ? -std::expm1(n * std::log1p(-l)) : 1 - std::pow(c, n)) / (l * l);
    const double path = model.speed * model.dt;
    return diffusive + path * path * sum;
}

ExpectedDisplacement expected_after(const ExpectedDisplacement& before, const ParticleModel& model, uint64_t steps) {
    // A step moves along u and then turns it: r·u becomes c (r·u + V₀Δt), and r² grows by 2 V₀Δt r·u in addition.
    const auto n = static_cast<double>(steps);
    const double l = lost_direction(std::sqrt(2 * model.rotation * model.dt), model.noise), c = 1 - l;
    const double lost = l < 0.5 ? -std::expm1(n * std::log1p(-l)) : 1 - std::pow(c, n);  // 1 - c^n
    const double sum = n * l < 1e-4 ? n - l * n * (n - 1) / 2 : lost / l;                // sum of c^k over all k < n
    const double path = model.speed * model.dt;
    return {before.squared + 2 * path * before.along * sum + expected_squared_displacement(model, steps),
            (1 - lost) * before.along + path * c * sum};
}

}  // namespace flipscope
