#include "particles/all_pairs.h"

#include <algorithm>

#include "compute/launch.h"
#include "compute/primitives.h"
#include "particles/all_pairs_kernel.h"
#include "particles/all_pairs_lanes.h"

namespace flipscope {

namespace all_pairs {

namespace {

// At least this many tasks lie between two that add to the same sum: more than a large GPU runs at once, so that no
// task waits for another.
constexpr uint32_t kTasksApart = 8192;

/// Species by their role in the sum.
struct Classes {
    uint32_t count = 0;
    double alpha[kMostSpecies] = {};
    uint8_t of_species[kMostSpecies] = {};
    double mu[kMostSpecies] = {};  // by species, times all factors common to all pairs
};

/// Assigns places to the particles of one class, after those of earlier classes.
struct PlaceClass {
    View<const uint8_t> species;
    Classes classes;
    uint32_t chosen;
    View<const uint32_t> totals;  // (classes) particles of the classes before
    View<uint32_t> order;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return classes.of_species[species[i]] == chosen; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        uint32_t first = 0;
        for (uint32_t before = 0; before < chosen; ++before) first += (totals[before] + kBlock - 1) / kBlock;
        order[size_t(first) * kBlock + rank] = i;
    }
};

/// Writes the coordinates by place, and the runs.
template <class Real>
struct FillPlaces {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    View<const Point> positions;
    View<const uint32_t> order;  // empty: places are ids
    View<const uint32_t> totals;
    Classes classes;
    uint32_t count;
    Point scale;  // from world units
    View<Coordinate> x, y;
    View<Run> runs;
    View<Point> sums;  // on CUDA, with the turns: zeroed
    View<uint64_t> turns;

    FLIPSCOPE_HD uint32_t id(uint32_t place) const { return order ? order[place] : place < count ? place : kNone; }

    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = id(place);
        x[place] = i == kNone ? Coordinate(0) : TorusMetric<Real>::coordinate(positions[i].x, scale.x);
        y[place] = i == kNone ? Coordinate(0) : TorusMetric<Real>::coordinate(positions[i].y, scale.y);
        if (place % kBlock == 0) runs[place / kBlock] = run(place / kBlock);
        const size_t places = x.count;
        for (size_t k = place; k < sums.count; k += places) sums[k] = {0, 0};
        for (size_t k = place; k < turns.count; k += places) turns[k] = 0;
    }
    FLIPSCOPE_HD Run run(uint32_t block) const {
        if (!order) {
            const uint32_t left = count - block * kBlock;
            return {classes.alpha[0], left < kBlock ? left : kBlock};
        }
        for (uint32_t chosen = 0; chosen < classes.count; ++chosen) {
            const uint32_t blocks = (totals[chosen] + kBlock - 1) / kBlock;
            if (block >= blocks) {
                block -= blocks;
                continue;
            }
            const uint32_t left = totals[chosen] - block * kBlock;
            return {classes.alpha[chosen], left < kBlock ? left : kBlock};
        }
        return {};
    }
};

/// A particle's response to the sum.
FLIPSCOPE_HD inline Point respond(double mu, double x, double y) { return {mu * x, mu * y}; }

/// Adds the partial sums of a place.
struct AddParts {
    View<const Point> sums;  // (2 · parts, places)
    uint32_t places, count;
    Classes classes;
    View<const uint32_t> order;
    View<const uint8_t> species;
    View<Point> forces;
    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = order ? order[place] : place < count ? place : kNone;
        if (i == kNone) return;
        double x = 0, y = 0;
        for (size_t k = place; k < sums.count; k += places) {
            x += sums[k].x;
            y += sums[k].y;
        }
        forces[i] = respond(classes.mu[species[i]], x, y);
    }
};

/// Buffers for the sum in one precision.
template <class Real>
struct Coordinates {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    Buffer<Coordinate> x{"all pairs: x"}, y{"all pairs: y"};  // (places)
};

}  // namespace

}  // namespace all_pairs

using namespace all_pairs;

struct AllPairs::Impl {
    Context* context = nullptr;
    TorusBox box;
    uint32_t count = 0, blocks = 0, parts = 1;
    Precision precision = Precision::kFloat;
    Tiling tiling = Tiling::kShuffle;
    Lanes lanes{};
    Classes classes;
    Coordinates<float> floats;
    Coordinates<double> doubles;
    Buffer<uint32_t> order{"all pairs: order"};    // (places) id, or kNone; empty with one class
    Buffer<uint32_t> totals{"all pairs: totals"};  // (classes) particles
    Buffer<Run> runs{"all pairs: runs"};           // (blocks)
    Buffer<Point> sums{"all pairs: sums"};         // (2, parts, places), on CUDA
    Buffer<uint64_t> turns{"all pairs: turns"};    // (1 + 2 · parts · blocks), on CUDA

    uint32_t places() const { return blocks * kBlock; }

    void give_places(View<const uint8_t> species) {
        if (classes.count == 1) return;
        order.fill_bytes(0xFF);
        for (uint32_t chosen = 0; chosen < classes.count; ++chosen)
            compact(*context, "forces.order", count, PlaceClass{species, classes, chosen, totals.view(), order.view()},
                    View<uint32_t>{totals.view().data + chosen, 1});
    }

    template <class Real>
    void compute(const TorusMetric<Real>& metric, Coordinates<Real>& coordinates, SumBlock<Real> sum_block,
                 View<const Point> positions, View<const uint8_t> species, View<Point> forces) {
        give_places(species);
        const View<const uint32_t> places_of = classes.count == 1 ? View<const uint32_t>{} : order.view();
        launch(*context, "forces.place", places(),
               FillPlaces<Real>{positions, places_of, totals.view(), classes, count, metric.scale(box),
                                coordinates.x.view(), coordinates.y.view(), runs.view(), sums.view(), turns.view()});
        const Places<Real> all{metric, coordinates.x.view().data, coordinates.y.view().data, runs.view().data, blocks,
                               parts};
#if defined(__CUDACC__)
        if (context->on_cuda()) {
            const auto function =
                tiling == Tiling::kShuffle ? &sum_all_pairs<Real, Shuffled> : &sum_all_pairs<Real, Shared>;
            const uint64_t tasks = uint64_t(blocks) * (blocks + 1) / 2;
            const auto groups = static_cast<uint32_t>(
                std::min<uint64_t>((tasks + kWarps - 1) / kWarps, detail::kMostThreads / kThreads));
            launch_on_cuda(*context, "forces.all_pairs", uint64_t(count) * count, groups, kThreads, function, all,
                           sums.view().data, turns.view().data);
            launch(*context, "forces.add", places(),
                   AddParts{sums.view(), places(), count, classes, places_of, species, forces});
            return;
        }
#else
        detail::require_host(*context, "forces.all_pairs");
#endif
        Context::Stopwatch stopwatch(*context, "forces.all_pairs", uint64_t(count) * count);
        context->run_chunks(blocks, [&](uint32_t block) {
            BlockSum sum;
            if (!sum_block(all, block, context->cancel_flag(), sum)) return;
            for (uint32_t lane = 0; lane < all.runs[block].count; ++lane) {
                const uint32_t place = block * kBlock + lane, i = places_of ? places_of[place] : place;
                forces[i] = respond(classes.mu[species[i]], sum.x[lane], sum.y[lane]);
            }
        });
    }
};

AllPairs::AllPairs() : impl_(std::make_unique<Impl>()) {}
AllPairs::~AllPairs() = default;
AllPairs::AllPairs(AllPairs&&) noexcept = default;
AllPairs& AllPairs::operator=(AllPairs&&) noexcept = default;

void AllPairs::reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count) {
    Impl& impl = *impl_;
    impl.context = &context;
    impl.box = box;
    impl.count = count;
    impl.precision = precision_in(box, model.precision);
    impl.tiling = model.tiling;
    impl.lanes = lanes_here()[0];
    // Lengths are summed in units of 2^-32 sides, or of the grid.
    const bool in_floats = impl.precision == Precision::kFloat;
    const double unit = in_floats ? box.sides.x * 0x1p-32 : box.grid;
    const double factor = (in_floats ? kFloatScale : 1.0) / unit / unit;
    impl.classes = {};
    for (size_t s = 0; s < model.species.size() && s < kMostSpecies; ++s) {
        Classes& classes = impl.classes;
        const auto end = classes.alpha + classes.count;
        const auto found = std::find(classes.alpha, end, model.species[s].alpha);
        if (found == end) classes.alpha[classes.count++] = model.species[s].alpha;
        classes.of_species[s] = static_cast<uint8_t>(found - classes.alpha);
        classes.mu[s] = model.species[s].mu * factor;
    }
    // Each class may leave a block incomplete.
    impl.blocks = static_cast<uint32_t>((uint64_t(count) + uint64_t(kBlock - 1) * impl.classes.count) / kBlock);
    if (impl.blocks == 0) return;
    impl.parts = std::clamp((kTasksApart + impl.blocks - 1) / impl.blocks, 1u, impl.blocks / 2 + 1);
    if (in_floats) {
        impl.floats.x.resize(context, impl.places(), false);
        impl.floats.y.resize(context, impl.places(), false);
    } else {
        impl.doubles.x.resize(context, impl.places(), false);
        impl.doubles.y.resize(context, impl.places(), false);
    }
    impl.totals.resize(context, impl.classes.count, false);
    impl.runs.resize(context, impl.blocks, false);
    if (impl.classes.count > 1) impl.order.resize(context, impl.places(), false);
    if (context.on_cuda()) {
        impl.sums.resize(context, 2 * size_t(impl.parts) * impl.places(), false);
        impl.turns.resize(context, 1 + 2 * size_t(impl.parts) * impl.blocks, false);
    }
}

void AllPairs::compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces) {
    Impl& impl = *impl_;
    if (impl.count == 0) return;
    if (impl.precision == Precision::kFloat)
        impl.compute(TorusMetric<float>(), impl.floats, impl.lanes.sum_floats, positions, species, forces);
    else
        impl.compute(TorusMetric<double>::of(impl.box), impl.doubles, impl.lanes.sum_doubles, positions, species,
                     forces);
}

void AllPairs::use_instructions(size_t choice) { impl_->lanes = lanes_here()[choice]; }
size_t AllPairs::instruction_sets() { return lanes_here().count; }
const char* AllPairs::instruction_set(size_t choice) { return lanes_here()[choice].name; }

}  // namespace flipscope
