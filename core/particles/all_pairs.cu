#include "particles/all_pairs.h"

#include <algorithm>

#include "compute/launch.h"
#include "compute/launch_on_cuda.h"
#include "compute/primitives.h"
#include "particles/all_pairs_lanes.h"

namespace flipscope {

namespace all_pairs {

namespace {

// About this many tasks, each a block of particles and a segment of partners: some eight times as many as a large GPU
// runs at once.
constexpr uint32_t kTasks = 32768;

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

    FLIPSCOPE_HD uint32_t id(uint32_t place) const { return order ? order[place] : place < count ? place : kNone; }

    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = id(place);
        x[place] = i == kNone ? Coordinate(0) : TorusMetric<Real>::coordinate(positions[i].x, scale.x);
        y[place] = i == kNone ? Coordinate(0) : TorusMetric<Real>::coordinate(positions[i].y, scale.y);
        if (place % kBlock == 0) runs[place / kBlock] = run(place / kBlock);
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

/// Sums the segments of a place.
struct AddSegments {
    View<const Point> sums;  // (segments, places)
    uint32_t places, segments, count;
    Classes classes;
    View<const uint32_t> order;
    View<const uint8_t> species;
    View<Point> forces;
    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = order ? order[place] : place < count ? place : kNone;
        if (i == kNone) return;
        double x = 0, y = 0;
        for (uint32_t segment = 0; segment < segments; ++segment) {
            const Point sum = sums[size_t(segment) * places + place];
            x += sum.x;
            y += sum.y;
        }
        forces[i] = respond(classes.mu[species[i]], x, y);
    }
};

#if defined(__CUDACC__)

constexpr uint32_t kWarps = 4, kThreads = 32 * kWarps;  // blocks of particles, and threads, of a CUDA block
constexpr uint32_t kRows = kBlock / 32;                 // rows of a block, one place per lane
static_assert(kBlock <= kThreads, "each thread loads one place of a tile at most");

/// The partners of a warp, 32 at a time: each lane holds one of each row of a block, and broadcasts it.
template <class Coordinate>
struct Shuffled {
    Coordinate x[kRows], y[kRows];
    struct Row {
        Coordinate x, y;
        __device__ Coordinate x_of(uint32_t k) const { return __shfl_sync(0xFFFFFFFFu, x, k); }
        __device__ Coordinate y_of(uint32_t k) const { return __shfl_sync(0xFFFFFFFFu, y, k); }
    };
    __device__ Row row(uint32_t which) const {
        Row row{x[0], y[0]};  // selected, not indexed: registers have no index
#pragma unroll
        for (uint32_t r = 1; r < kRows; ++r)
            if (which == r) row = {x[r], y[r]};
        return row;
    }
    __device__ void load(const Coordinate* all_x, const Coordinate* all_y, uint32_t block) {
        const uint32_t lane = threadIdx.x % 32;
        for (uint32_t which = 0; which < kRows; ++which) {
            x[which] = all_x[size_t(block) * kBlock + 32 * which + lane];
            y[which] = all_y[size_t(block) * kBlock + 32 * which + lane];
        }
    }
};

/// The same from shared memory, for all warps of a CUDA block.
template <class Coordinate>
struct Shared {
    struct alignas(2 * sizeof(Coordinate)) Pair {
        Coordinate x, y;
    };
    struct Row {
        const Pair* pairs;
        __device__ Coordinate x_of(uint32_t k) const { return pairs[k].x; }
        __device__ Coordinate y_of(uint32_t k) const { return pairs[k].y; }
    };
    const Pair* tile;
    __device__ Row row(uint32_t which) const { return {tile + 32 * which}; }
    __device__ void load(const Coordinate* all_x, const Coordinate* all_y, uint32_t block) {
        __shared__ Pair tiles[2][kBlock];  // alternating: one barrier per block
        Pair* const next = tiles[block % 2];
        if (threadIdx.x < kBlock)
            next[threadIdx.x] = {all_x[size_t(block) * kBlock + threadIdx.x],
                                 all_y[size_t(block) * kBlock + threadIdx.x]};
        __syncthreads();
        tile = next;
    }
};

/// ±1 as a factor for coordinates.
template <class Coordinate>
__device__ Coordinate sign(bool negative) {
    return negative ? static_cast<Coordinate>(-1) : static_cast<Coordinate>(1);
}
/// own + sign · partner, in one operation.
__device__ inline uint32_t add_signed(uint32_t own, uint32_t sign, uint32_t partner) { return own + sign * partner; }
__device__ inline double add_signed(double own, double sign, double partner) { return fma(sign, partner, own); }

/// A block of particles, as many per lane as it has rows, and their sums. While the partners precede the particles,
/// coordinates are kept negated, so that one loop, which must fit the instruction cache, serves both orders.
template <class Real>
struct Pairing {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    Coordinate x[kRows], y[kRows];
    Real sum_x[kRows], sum_y[kRows];
    bool negative = false;

    __device__ void face(bool before) {
        if (negative == before) return;
        negative = before;
#pragma unroll
        for (uint32_t n = 0; n < kRows; ++n) {
            x[n] = -x[n];
            y[n] = -y[n];
        }
    }
    /// Adds the first `count` places of another block.
    template <class Tile>
    __device__ void add(const TorusMetric<Real>& metric, const Tile& tile, uint32_t count) {
        const Coordinate factor = sign<Coordinate>(!negative);
#pragma unroll 1
        for (uint32_t row = 0; 32 * row < count; ++row) {
            const auto partners = tile.row(row);
            const uint32_t end = min(count - 32 * row, 32u);
#pragma unroll 8
            for (uint32_t k = 0; k < end; ++k) {
                const Coordinate xk = partners.x_of(k), yk = partners.y_of(k);
#pragma unroll
                for (uint32_t n = 0; n < kRows; ++n)
                    add_term(metric.template wrap<0>(add_signed(x[n], factor, xk)),
                             metric.template wrap<1>(add_signed(y[n], factor, yk)), sum_x[n], sum_y[n]);
            }
        }
    }
    /// Adds the first `count` places of its own block.
    template <class Tile>
    __device__ void add_own(const TorusMetric<Real>& metric, const Tile& tile, uint32_t count) {
        const uint32_t lane = threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t row = 0; 32 * row < count; ++row) {
            const auto partners = tile.row(row);
            const uint32_t end = min(count - 32 * row, 32u);
#pragma unroll 1
            for (uint32_t k = 0; k < end; ++k) {
                const Coordinate xk = partners.x_of(k), yk = partners.y_of(k);
#pragma unroll
                for (uint32_t n = 0; n < kRows; ++n)
                    add_pair_within(metric, 32 * row + k < 32 * n + lane, x[n], y[n], xk, yk, sum_x[n], sum_y[n]);
            }
        }
    }
};

/// One warp per block of particles and segment of partners.
template <class Real, template <class> class Tile>
__global__ void __launch_bounds__(kThreads, sizeof(Real) == 4 ? 6 : 4) sum_all_pairs(Places<Real> places, Point* sums) {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    detail::wait_for_previous();
    const uint32_t groups = (places.blocks + kWarps - 1) / kWarps;
    const uint32_t segment = blockIdx.x / groups, lane = threadIdx.x % 32;
    // A warp beyond the last block repeats that block: the barriers need it, and it writes the same values.
    const uint32_t block = min(blockIdx.x % groups * kWarps + threadIdx.x / 32, places.blocks - 1);
    Pairing<Real> own;
    Point total[kRows];
#pragma unroll
    for (uint32_t n = 0; n < kRows; ++n) {
        own.x[n] = places.x[size_t(block) * kBlock + 32 * n + lane];
        own.y[n] = places.y[size_t(block) * kBlock + 32 * n + lane];
    }
    Tile<Coordinate> tile;
    const uint32_t end = places.begin(segment + 1);
    for (uint32_t partners = places.begin(segment); partners < end; ++partners) {
        tile.load(places.x, places.y, partners);
        const Run run = places.runs[partners];
#pragma unroll
        for (uint32_t n = 0; n < kRows; ++n) own.sum_x[n] = own.sum_y[n] = 0;
        own.face(partners < block);
        if (partners != block)
            own.add(places.metric, tile, run.count);
        else
            own.add_own(places.metric, tile, run.count);
        const double alpha = partners < block ? -run.alpha : run.alpha;
#pragma unroll
        for (uint32_t n = 0; n < kRows; ++n) {
            total[n].x = fma(alpha, static_cast<double>(own.sum_x[n]), total[n].x);
            total[n].y = fma(alpha, static_cast<double>(own.sum_y[n]), total[n].y);
        }
    }
#pragma unroll
    for (uint32_t n = 0; n < kRows; ++n)
        sums[(size_t(segment) * places.blocks + block) * kBlock + 32 * n + lane] = total[n];
}

#endif

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
    uint32_t count = 0, blocks = 0, segments = 1;
    Precision precision = Precision::kFloat;
    Tiling tiling = Tiling::kShuffle;
    Lanes lanes{};
    Classes classes;
    Coordinates<float> floats;
    Coordinates<double> doubles;
    Buffer<uint32_t> order{"all pairs: order"};    // (places) id, or kNone; empty with one class
    Buffer<uint32_t> totals{"all pairs: totals"};  // (classes) particles
    Buffer<Run> runs{"all pairs: runs"};           // (blocks)
    Buffer<Point> sums{"all pairs: sums"};         // (segments, places), on CUDA

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
                                coordinates.x.view(), coordinates.y.view(), runs.view()});
        const Places<Real> all{metric,  coordinates.x.view().data, coordinates.y.view().data, runs.view().data, blocks,
                               segments};
#if defined(__CUDACC__)
        if (context->on_cuda()) {
            const auto function =
                tiling == Tiling::kShuffle ? &sum_all_pairs<Real, Shuffled> : &sum_all_pairs<Real, Shared>;
            launch_on_cuda(*context, "forces.all_pairs", uint64_t(count) * count,
                           (blocks + kWarps - 1) / kWarps * segments, kThreads, function, all, sums.view().data);
            launch(*context, "forces.add", places(),
                   AddSegments{sums.view(), places(), segments, count, classes, places_of, species, forces});
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
    impl.segments = std::clamp((kTasks + impl.blocks - 1) / impl.blocks, 1u, impl.blocks);
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
    if (context.on_cuda()) impl.sums.resize(context, size_t(impl.segments) * impl.places(), false);
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
