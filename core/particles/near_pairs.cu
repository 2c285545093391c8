#include "particles/near_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "compute/cleared_words.h"
#include "compute/exclusive_sum.h"
#include "compute/launch.h"
#include "compute/launch_on_cuda.h"
#include "particles/pair_forces_torus.h"
#include "particles/repulsion.h"

namespace flipscope {

namespace {

/// A particle as a partner of others.
struct alignas(16) Resident {
    uint32_t x, y;  // TorusMetric<float>
    uint32_t id;
    uint32_t species;
};
static_assert(sizeof(Resident) == 16, "read at once");

struct alignas(8) GridPlace {
    uint32_t x, y;  // TorusMetric<float>
};

/// |d|^2 of two places in a square box, exactly; units of TorusMetric<float>. At most 2^63.
FLIPSCOPE_HD inline uint64_t squared_distance(uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by) {
    const int64_t dx = static_cast<int32_t>(ax - bx), dy = static_cast<int32_t>(ay - by);
    return static_cast<uint64_t>(dx * dx) + static_cast<uint64_t>(dy * dy);
}

/// The same in any box, in units of 2^-32 of its longer side, squared. Rounded in a rectangle, by far less than places
/// are.
struct BoxMetric {
    bool is_square = true;
    Point squares{1, 1};  // squares of the units of TorusMetric<float> along each axis, in such units

    static BoxMetric of(const TorusBox& box) {
        const double x = box.sides.x / box.longer(), y = box.sides.y / box.longer();
        return {box.is_square(), {x * x, y * y}};
    }
    FLIPSCOPE_HD uint64_t squared(uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by) const {
        if (is_square) return squared_distance(ax, ay, bx, by);
        const double dx = static_cast<int32_t>(ax - bx), dy = static_cast<int32_t>(ay - by);
        return static_cast<uint64_t>(dx * dx * squares.x + dy * dy * squares.y);
    }
};

/// Cells large enough that all partners of a particle are in its own cell and the eight around it.
struct CellGrid {
    uint32_t columns = 1, rows = 1;
    FLIPSCOPE_HD uint32_t count() const { return columns * rows; }
    FLIPSCOPE_HD static uint32_t line(uint32_t coordinate, uint32_t lines) {
        return static_cast<uint32_t>(uint64_t(coordinate) * lines >> 32);
    }
    FLIPSCOPE_HD uint32_t cell(uint32_t x, uint32_t y) const { return line(y, rows) * columns + line(x, columns); }

    /// `reach` in units of 2^-32 of the longer side. At most about two cells per particle: empty ones cost time, too.
    static CellGrid of(uint64_t reach, uint32_t particles, const TorusBox& box) {
        const auto lines = [&](double side, double other) {
            const auto most = static_cast<uint64_t>(std::sqrt(2.0 * particles * (side / other))) + 1;
            const auto units = static_cast<uint64_t>(0x1p32 * (side / box.longer()));
            return static_cast<uint32_t>(std::clamp<uint64_t>(units / reach, 1, most));
        };
        if (box.is_cylinder()) {
            // The side across a channel is at least twice its extent, so at least half of the rows have no particle.
            const bool along_y = box.open == OpenAxis::kX;
            const Point lengths = box.lengths();
            const double length = along_y ? lengths.y : lengths.x;
            const auto most = static_cast<uint64_t>(std::sqrt(2.0 * particles * (length / box.extent))) + 1;
            const auto units = static_cast<uint64_t>(0x1p32 * (length / box.longer()));
            const auto along = static_cast<uint32_t>(std::clamp<uint64_t>(units / reach, 1, most));
            const auto across = static_cast<uint32_t>(
                std::clamp<uint64_t>((uint64_t(1) << 32) / reach, 1, uint64_t(4) * particles / along + 1));
            return along_y ? CellGrid{across, along} : CellGrid{along, across};
        }
        return {lines(box.sides.x, box.sides.y), lines(box.sides.y, box.sides.x)};
    }

    /// visit(begin, end) for the residents of the cells around a place, each cell once even if there are few.
    template <class Visit>
    FLIPSCOPE_HD void around(View<const uint32_t> starts, uint32_t x, uint32_t y, const Visit& visit) const {
        // The three cells of a row are contiguous, except at the border.
        const uint32_t column = line(x, columns), row = line(y, rows), around = rows < 3 ? rows : 3;
        const bool whole = columns <= 3;
        const uint32_t from = whole || column == 0 ? 0 : column - 1;
        const uint32_t to = whole || column + 2 > columns ? columns : column + 2;
        const uint32_t across = whole || (column > 0 && column < columns - 1) ? kNone : column == 0 ? columns - 1 : 0;
        uint32_t first = (row > 0 ? row - 1 : rows - 1) * columns;
        for (uint32_t r = 0; r < around; ++r) {
            visit(starts[first + from], starts[first + to]);
            if (across != kNone) visit(starts[first + across], starts[first + across + 1]);
            first += columns;
            if (first == count()) first = 0;
        }
    }
};

/// All particles by cell, in any order within one.
struct CellsView {
    CellGrid grid;
    View<uint32_t> starts;     // (cells + 1); while particles are counted, how many each cell has
    View<uint32_t> ranks;      // (n) within the cell
    View<Resident> residents;  // (n) by cell
};

/// Sum 0: particles that have moved by more than half the skin since the lists were made.
struct LocateParticles {
    View<const Point> positions;
    View<const uint8_t> species;
    Point scale;
    BoxMetric metric;
    View<Resident> now;          // (n) by id
    View<const GridPlace> then;  // (n) when the lists were made; empty: no lists
    uint64_t most_moved;         // squared
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Resident resident = locate(i);
        now[i] = resident;
        if (!then) return;
        const GridPlace before = then[i];
        sums.value[0] += metric.squared(resident.x, resident.y, before.x, before.y) > most_moved;
    }
    FLIPSCOPE_HD Resident locate(uint32_t i) const {
        const Point p = positions[i];
        return {TorusMetric<float>::coordinate(p.x, scale.x), TorusMetric<float>::coordinate(p.y, scale.y), i,
                species[i]};
    }
};

struct CountCells {
    View<const Resident> now;
    CellsView cells;
    FLIPSCOPE_HD void operator()(uint32_t i) const { count(i, now[i]); }
    FLIPSCOPE_HD void count(uint32_t i, const Resident& resident) const {
        cells.ranks[i] = atomic_add(cells.starts[cells.grid.cell(resident.x, resident.y)], 1u);
    }
};

/// Both kernels in one, without lists.
struct LocateAndCount {
    LocateParticles locate;
    CountCells cells;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Resident resident = locate.locate(i);
        locate.now[i] = resident;
        cells.count(i, resident);
    }
};

struct FillCells {
    View<const Resident> now;
    CellsView cells;
    View<GridPlace> then;  // empty: no lists
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Resident resident = now[i];
        cells.residents[cells.starts[cells.grid.cell(resident.x, resident.y)] + cells.ranks[i]] = resident;
        if (then) then[i] = {resident.x, resident.y};
    }
};

/// The range within which pairs count.
struct Range {
    uint64_t surely_below = 0, surely_beyond = 0;  // squared, units of BoxMetric
    float certain = 0, surely_not = 0;             // the same for squares in float, with an error of 2^-21
    double squared_cutoff = 0;                     // world units squared
    TorusBox box;
    View<const Point> positions;

    /// A square of half a side stays undecided: there the image must be determined exactly.
    static Range of(uint64_t surely_below, uint64_t surely_beyond, double squared_cutoff, const TorusBox& box,
                    View<const Point> positions) {
        return {surely_below,
                surely_beyond,
                static_cast<float>(std::min(static_cast<double>(surely_below), 0x1p62) * (1 - 0x1p-20)),
                static_cast<float>(static_cast<double>(surely_beyond) * (1 + 0x1p-20)),
                squared_cutoff,
                box,
                positions};
    }

    FLIPSCOPE_HD bool holds(uint64_t squared, uint32_t a, uint32_t b) const {
        if (squared < surely_below) return true;
        if (squared > surely_beyond) return false;
        const Point d = box.shortest(positions[a], positions[b]);
        return d.x * d.x + d.y * d.y <= squared_cutoff;
    }
};

struct Charges {
    double alpha[kMostSpecies] = {};  // relative to the greatest
    float alphas[kMostSpecies] = {};  // the same in float
    uint32_t acting = 0;              // bits: species whose α is not 0

    FLIPSCOPE_HD bool acts(uint32_t species) const { return (acting >> species & 1) != 0; }
    double mu[kMostSpecies] = {};  // times all factors common to all pairs
};

/// 2^exponent.
FLIPSCOPE_HD inline float power_of_two(int exponent, float) {
    return std::bit_cast<float>(static_cast<uint32_t>(127 + exponent) << 23);
}
FLIPSCOPE_HD inline double power_of_two(int exponent, double) {
    return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

FLIPSCOPE_HD inline int leading_zeros(uint64_t value) {
#if defined(__CUDA_ARCH__)
    return __clzll(static_cast<long long>(value));
#else
    return std::countl_zero(value);
#endif
}

/// From one particle to another, in units of TorusMetric<Real>.
template <class Real>
struct Separation;
template <>
struct Separation<float> {
    FLIPSCOPE_HD void operator()(const Resident& own, const Resident& other, float& dx, float& dy) const {
        const TorusMetric<float> metric;
        dx = difference_of_pair<0>(metric, other.id < own.id, own.x, other.x);
        dy = difference_of_pair<1>(metric, other.id < own.id, own.y, other.y);
    }
};
template <>
struct Separation<double> {
    TorusMetric<double> metric;
    Point scale;
    View<const Point> positions;
    FLIPSCOPE_HD void operator()(const Resident& own, const Resident& other, double& dx, double& dy) const {
        const Point a = positions[own.id], b = positions[other.id];
        const bool first = other.id < own.id;
        dx = difference_of_pair<0>(metric, first, metric.coordinate(a.x, scale.x), metric.coordinate(b.x, scale.x));
        dy = difference_of_pair<1>(metric, first, metric.coordinate(a.y, scale.y), metric.coordinate(b.y, scale.y));
    }
};

/// Candidates straight from the cells. Slots are residents.
struct FromCells {
    CellsView cells;
    FLIPSCOPE_HD Resident own(uint32_t slot) const { return cells.residents[slot]; }
    FLIPSCOPE_HD Resident at(uint32_t candidate) const { return cells.residents[candidate]; }
    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t, const Resident& own, const Visit& visit) const {
        cells.grid.around(cells.starts, own.x, own.y, [&](uint32_t begin, uint32_t end) {
            for (uint32_t candidate = begin; candidate < end; ++candidate) visit(candidate);
        });
    }
};

/// For every resident, the ids of the particles within cutoff and skin when the lists were made.
struct ListsView {
    uint32_t most = 0;                     // room per list; longer lists are replaced by a search of the cells
    uint32_t slot_stride = 0, stride = 0;  // of an id's place
    View<uint32_t> lengths;                // (n) by slot
    View<uint32_t> ids;                    // (n, most)
    FLIPSCOPE_HD size_t place(uint32_t slot, uint32_t k) const {
        return size_t(slot) * slot_stride + size_t(k) * stride;
    }
};

struct FromLists {
    CellsView cells;  // when lists were made
    ListsView lists;
    View<const Resident> now;
    FLIPSCOPE_HD Resident own(uint32_t slot) const { return now[cells.residents[slot].id]; }
    FLIPSCOPE_HD Resident at(uint32_t candidate) const { return now[candidate]; }
    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t slot, const Resident&, const Visit& visit) const {
        const uint32_t length = lists.lengths[slot];
        if (length <= lists.most) {
            for (uint32_t k = 0; k < length; ++k) visit(lists.ids[lists.place(slot, k)]);
            return;
        }
        const Resident then = cells.residents[slot];
        cells.grid.around(cells.starts, then.x, then.y, [&](uint32_t begin, uint32_t end) {
            for (uint32_t candidate = begin; candidate < end; ++candidate) visit(cells.residents[candidate].id);
        });
    }
};

struct MakeLists {
    static constexpr uint32_t kIndicesPerPoll = 4;
    CellsView cells;
    ListsView lists;
    BoxMetric metric;
    uint64_t squared_reach;
    FLIPSCOPE_HD void operator()(uint32_t slot) const {
        const Resident own = cells.residents[slot];
        uint32_t length = 0;
        FromCells{cells}.each(slot, own, [&](uint32_t candidate) {
            const Resident other = cells.residents[candidate];
            if (candidate == slot || metric.squared(own.x, own.y, other.x, other.y) > squared_reach) return;
            if (length < lists.most) lists.ids[lists.place(slot, length)] = other.id;
            ++length;
        });
        lists.lengths[slot] = length;
    }
};

/// The sum of one particle's pairs, in integers. Lengths are scaled so that the nearest partner is at a distance of 1 …
/// 2: then no term exceeds 1, and the sum of all terms times 2^bits fits into 64 bits.
template <class Real>
class ForceSum {
  public:
    /// `nearest`: squared, of the partners not coinciding with the particle, as an integer or the bits of a double;
    /// UINT64_MAX: none.
    FLIPSCOPE_HD ForceSum(uint64_t nearest, uint32_t partners) {
        if (nearest == UINT64_MAX) return;
        const int exponent = sizeof(Real) == 8 ? static_cast<int>(nearest >> 52) - 1023 : 63 - leading_zeros(nearest);
        halved_ = exponent / 2;
        bits_ = 61 - (64 - leading_zeros(partners));
        unit_ = power_of_two(-halved_, Real(0));
        scale_ = power_of_two(bits_, Real(0));
    }
    FLIPSCOPE_HD void add(Real dx, Real dy, Real alpha) {
        dx *= unit_;
        dy *= unit_;
        const Real x = dx * dx + dy * dy;
        if (x == 0) return;
        const Real w = alpha / (x * x * x * std::sqrt(x)) * scale_;
        x_ += static_cast<int64_t>(w * dx);
        y_ += static_cast<int64_t>(w * dy);
    }
    FLIPSCOPE_HD Point force(double mu) const {
        if (unit_ == 0) return {0, 0};
        const double back = power_of_two(-bits_, 0.0) * power_of_two(-6 * halved_, 0.0);
        return {static_cast<double>(x_) * back * mu, static_cast<double>(y_) * back * mu};
    }

  private:
    int halved_ = 0, bits_ = 0;
    Real unit_ = 0, scale_ = 0;
    int64_t x_ = 0, y_ = 0;
};

template <class Real, class Candidates>
struct SumNearPairs {
    static constexpr uint32_t kIndicesPerPoll = 4;  // with a cutoff of half the box each is a sum over all particles
    static constexpr uint32_t kMostKept = 32;       // partners found, stored for the second pass
    Candidates candidates;
    Range range;
    Separation<Real> separation;
    BoxMetric metric;
    Charges charges;
    View<Point> forces;

    /// In float the box is a square.
    FLIPSCOPE_HD uint64_t squared(const Resident& own, const Resident& other) const {
        if constexpr (sizeof(Real) == 8) return metric.squared(own.x, own.y, other.x, other.y);
        return squared_distance(own.x, own.y, other.x, other.y);
    }

    FLIPSCOPE_HD bool acts(const Resident& own, const Resident& other, uint64_t squared) const {
        return other.id != own.id && charges.acts(other.species) && range.holds(squared, own.id, other.id);
    }

    FLIPSCOPE_HD void operator()(uint32_t slot) const {
        const Resident own = candidates.own(slot);
        uint32_t kept[kMostKept + 1], count = 0;
        candidates.each(slot, own, [&](uint32_t candidate) {
            const Resident other = candidates.at(candidate);
            // By the upper halves: includes slightly more than the partners.
            const bool near = squared(own, other) >> 32 <= range.surely_beyond >> 32;
#if defined(__CUDA_ARCH__)
            if (near) {
                if (count < kMostKept) kept[count] = candidate;
                ++count;
            }
#else
            kept[count < kMostKept ? count : kMostKept] = candidate;  // without a branch that could be mispredicted
            count += near;
#endif
        });
        if (count > kMostKept) return sum_found_anew(slot, own);
        uint64_t nearest = UINT64_MAX;
        uint32_t partners = 0;
        for (uint32_t k = 0; k < count; ++k) {
            const Resident other = candidates.at(kept[k]);
            const uint64_t distance = squared(own, other);
            if (!acts(own, other, distance)) continue;
            if (distance > 0 && distance < nearest) nearest = distance;
            kept[partners++] = kept[k];
        }
        add_up(own, nearest, partners, [&](const auto& visit) {
            for (uint32_t k = 0; k < partners; ++k) visit(candidates.at(kept[k]));
        });
    }

    FLIPSCOPE_HD void sum_found_anew(uint32_t slot, const Resident& own) const {
        const auto each_partner = [&](const auto& visit) {
            candidates.each(slot, own, [&](uint32_t candidate) {
                const Resident other = candidates.at(candidate);
                if (acts(own, other, squared(own, other))) visit(other);
            });
        };
        uint64_t nearest = UINT64_MAX;
        uint32_t partners = 0;
        each_partner([&](const Resident& other) {
            const uint64_t distance = squared(own, other);
            if (distance > 0 && distance < nearest) nearest = distance;
            ++partners;
        });
        add_up(own, nearest, partners, each_partner);
    }

    /// `nearest`: squared, units of TorusMetric<float>, of the partners not coinciding with the particle; UINT64_MAX:
    /// none.
    template <class EachPartner>
    FLIPSCOPE_HD void add_up(const Resident& own, uint64_t nearest, uint32_t partners,
                             const EachPartner& each_partner) const {
        if constexpr (sizeof(Real) == 8) {  // in units of the grid, where places that coincide in float may differ
            double least = INFINITY;
            each_partner([&](const Resident& other) {
                double dx, dy;
                separation(own, other, dx, dy);
                const double x = dx * dx + dy * dy;
                if (x > 0 && x < least) least = x;
            });
            nearest = least == INFINITY ? UINT64_MAX : std::bit_cast<uint64_t>(least);
        }
        ForceSum<Real> sum(nearest, partners);
        each_partner([&](const Resident& other) {
            Real dx, dy;
            separation(own, other, dx, dy);
            sum.add(dx, dy, static_cast<Real>(charges.alpha[other.species]));
        });
        forces[own.id] = sum.force(charges.mu[own.species]);
    }
};

/// Adds a soft repulsion, in double. Differences of a pair are opposite, and so are its forces.
template <class Candidates>
struct SumRepulsion {
    static constexpr uint32_t kIndicesPerPoll = 4;
    Candidates candidates;
    Separation<double> separation;
    BoxMetric metric;
    uint64_t surely_beyond;
    double grid;  // world units
    Repulsion repulsion;
    SpeciesTable table;
    View<const uint8_t> species;
    View<Point> forces;

    FLIPSCOPE_HD void operator()(uint32_t slot) const {
        const Resident own = candidates.own(slot);
        const double diameter = table.diameter_of(own.id, species);
        int64_t x = 0, y = 0;
        candidates.each(slot, own, [&](uint32_t candidate) {
            const Resident other = candidates.at(candidate);
            if (other.id == own.id || metric.squared(own.x, own.y, other.x, other.y) > surely_beyond) return;
            double dx, dy;
            separation(own, other, dx, dy);
            const Repulsion::Units force =
                repulsion.force({dx * grid, dy * grid}, (diameter + table.diameter_of(other.id, species)) / 2);
            x += force.x;
            y += force.y;
        });
        const Point before = forces[own.id];
        forces[own.id] = {before.x + static_cast<double>(x) * repulsion.unit,
                          before.y + static_cast<double>(y) * repulsion.unit};
    }
};

#if defined(__CUDACC__)

/// SumNearPairs by lists, in float: reads four candidates at a time, and stores partners relative to the particle in
/// shared memory. It waits for memory and for arithmetic in turn, half the time each.
struct SumListedPairs {
    static constexpr uint32_t kThreads = 128, kBlocks = 8, kAtOnce = 4, kMostKept = 24;
    using Kernel = SumNearPairs<float, FromLists>;
    struct Kept {
        float2 offsets[kMostKept][kThreads];
        uint8_t species[kMostKept][kThreads];
    };

    __device__ static void sum(const Kernel& kernel, uint32_t slot, Kept& kept) {
        const ListsView& lists = kernel.candidates.lists;
        const Resident own = kernel.candidates.own(slot);
        const uint32_t length = lists.lengths[slot];
        if (length > lists.most) return kernel.sum_found_anew(slot, own);
        float nearest = INFINITY;  // squared
        uint32_t partners = 0;
        const uint32_t* const list = lists.ids.data + lists.place(slot, 0);
        for (uint32_t begin = 0; begin < length; begin += kAtOnce) {
            uint32_t ids[kAtOnce];
            Resident others[kAtOnce];
            for (uint32_t k = 0; k < kAtOnce; ++k)
                ids[k] = list[size_t(begin + k < length ? begin + k : begin) * lists.stride];
            for (uint32_t k = 0; k < kAtOnce; ++k) others[k] = kernel.candidates.at(ids[k]);
            for (uint32_t k = 0; k < kAtOnce; ++k) {
                const Resident& other = others[k];
                if (begin + k >= length) continue;
                float dx = static_cast<float>(static_cast<int32_t>(own.x - other.x));
                float dy = static_cast<float>(static_cast<int32_t>(own.y - other.y));
                const float squared = dx * dx + dy * dy;
                if (!(squared < kernel.range.certain)) {
                    if (squared > kernel.range.surely_not) continue;
                    if (!kernel.range.holds(squared_distance(own.x, own.y, other.x, other.y), own.id, other.id))
                        continue;
                    kernel.separation(own, other, dx, dy);
                }
                if (!kernel.charges.acts(other.species)) continue;
                nearest = fminf(nearest, squared);
                if (partners < kMostKept) {
                    kept.offsets[partners][threadIdx.x] = {dx, dy};
                    kept.species[partners][threadIdx.x] = static_cast<uint8_t>(other.species);
                }
                ++partners;
            }
        }
        const uint32_t bits = std::bit_cast<uint32_t>(nearest), exponent = bits >> 23, fraction = bits << 9;
        // Repeats the sum exactly if rounding may have crossed a power of two, or if two particles coincide.
        const bool open = partners > 0 && (exponent < 127 || fraction + (1u << 13) < 1u << 14);
        if (partners > kMostKept || open) return kernel.sum_found_anew(slot, own);
        ForceSum<float> sum(partners ? uint64_t(1) << (exponent - 127) : UINT64_MAX, partners);
        for (uint32_t k = 0; k < partners; ++k) {
            const float2 offset = kept.offsets[k][threadIdx.x];
            sum.add(offset.x, offset.y, kernel.charges.alphas[kept.species[k][threadIdx.x]]);
        }
        kernel.forces[own.id] = sum.force(kernel.charges.mu[own.species]);
    }
};

__global__ void __launch_bounds__(SumListedPairs::kThreads, SumListedPairs::kBlocks)
    sum_listed_pairs(SumListedPairs::Kernel kernel, uint32_t count) {
    detail::wait_for_previous();
    __shared__ SumListedPairs::Kept kept;
    const uint32_t slot = blockIdx.x * blockDim.x + threadIdx.x;
    if (slot < count) SumListedPairs::sum(kernel, slot, kept);
}

#endif

}  // namespace

struct ShortRange::Impl {
    Context* context = nullptr;
    TorusBox box;
    BoxMetric metric;
    uint32_t count = 0;
    Precision precision = Precision::kFloat;
    bool with_lists = false, has_lists = false;
    double squared_cutoff = 0;
    uint64_t surely_below = 0, surely_beyond = 0, squared_reach = 0, most_moved = 0;
    Charges charges;
    Repulsion repulsion;  // instead of the charges, if there is one
    SpeciesTable table;
    CellGrid grid;
    ListsView lists;

    Buffer<Resident> now{"near pairs: places"};                                 // (n)
    Buffer<GridPlace> then{"near pairs: listed places"};                        // (n)
    Buffer<Resident> residents{"near pairs: residents"};                        // (n)
    Buffer<uint32_t> starts{"near pairs: starts"};                              // (cells + 1)
    Buffer<uint32_t> ranks{"near pairs: ranks"};                                // (n)
    Buffer<uint32_t> lengths{"near pairs: lengths"}, ids{"near pairs: lists"};  // (n), (n, most)
    ClearedWords far{"near pairs: far ones"};                                   // (kSumCount)

    CellsView cells() const { return {grid, starts.view(), ranks.view(), residents.view()}; }

    void fill_cells() {
        exclusive_sum(*context, "forces.cells", starts.view());
        launch(*context, "forces.cells", count,
               FillCells{now.view(), cells(), with_lists ? then.view() : View<GridPlace>{}});
    }

    template <class Real, class Candidates>
    void sum(const Separation<Real>& separation, const Candidates& candidates, View<const Point> positions,
             View<Point> forces) {
        const SumNearPairs<Real, Candidates> kernel{
            candidates, Range::of(surely_below, surely_beyond, squared_cutoff, box, positions),
            separation, metric,
            charges,    forces};
#if defined(__CUDACC__)
        if constexpr (std::is_same_v<SumNearPairs<Real, Candidates>, SumListedPairs::Kernel>) {
            if (context->on_cuda()) {
                constexpr uint32_t kThreads = SumListedPairs::kThreads;
                launch_on_cuda(*context, "forces.near", count, (count - 1) / kThreads + 1, kThreads, &sum_listed_pairs,
                               kernel, count);
                return;
            }
        }
#endif
        launch(*context, "forces.near", count, kernel);
    }
    template <class Candidates>
    void sum(const Candidates& candidates, View<const Point> positions, View<const uint8_t> species,
             View<Point> forces) {
        if (repulsion)
            launch(*context, "forces.repulsion", count,
                   SumRepulsion<Candidates>{candidates,
                                            {TorusMetric<double>::of(box), TorusMetric<double>::scale(box), positions},
                                            metric,
                                            surely_beyond,
                                            box.grid,
                                            repulsion,
                                            table,
                                            species,
                                            forces});
        else if (precision == Precision::kFloat)
            sum(Separation<float>{}, candidates, positions, forces);
        else
            sum(Separation<double>{TorusMetric<double>::of(box), TorusMetric<double>::scale(box), positions},
                candidates, positions, forces);
    }

    LocateParticles locate(View<const Point> positions, View<const uint8_t> species) const {
        return {positions, species,    TorusMetric<float>::scale(box),
                metric,    now.view(), has_lists ? then.view() : View<GridPlace>{},
                most_moved};
    }

    void look(View<const Point> positions, View<const uint8_t> species, const Extent& extent, View<uint64_t> sums) {
        launch(*context, "forces.moved", extent, locate(positions, species), sums);
    }
    bool look_and_wait(View<const Point> positions, View<const uint8_t> species) {
        far.begin();
        look(positions, species, count, far.view());
        uint64_t moved_far = 0;
        far.read(&moved_far, 1);
        return moved_far > 0;
    }

    void make_lists() {
        has_lists = false;  // in case it is cancelled
        starts.fill_bytes(0);
        launch(*context, "forces.cells", count, CountCells{now.view(), cells()});
        fill_cells();
        launch(*context, "forces.lists", count, MakeLists{cells(), lists, metric, squared_reach});
        has_lists = true;
    }

    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                 std::optional<bool> moved_far) {
        if (!with_lists) {
            starts.fill_bytes(0);
            launch(*context, "forces.cells", count, LocateAndCount{locate(positions, species), {now.view(), cells()}});
            fill_cells();
            sum(FromCells{cells()}, positions, species, forces);
            return;
        }
        const bool are_stale = moved_far ? *moved_far : look_and_wait(positions, species);
        if (are_stale || !has_lists) make_lists();
        sum(FromLists{cells(), lists, now.view()}, positions, species, forces);
    }
};

ShortRange::ShortRange() : impl_(std::make_unique<Impl>()) {}
ShortRange::~ShortRange() = default;
ShortRange::ShortRange(ShortRange&&) noexcept = default;
ShortRange& ShortRange::operator=(ShortRange&&) noexcept = default;

void ShortRange::reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count) {
    Impl& impl = *impl_;
    impl.context = &context;
    impl.box = box;
    impl.count = count;
    impl.repulsion = {};
    impl.metric = BoxMetric::of(box);
    impl.precision = precision_in(box, model.precision);
    impl.with_lists = model.near_pairs == NearPairs::kVerlet;
    impl.has_lists = false;
    if (count == 0) return;

    // A difference of two places, each rounded to a unit, has an error of less than 2 units.
    const double units = 0x1p32 / box.longer();  // of BoxMetric, per world unit
    const double cutoff = model.cutoff * units;
    const double skin = impl.with_lists ? std::clamp(model.skin, 0.0, box.shorter() / 2 - model.cutoff) * units : 0;
    impl.squared_cutoff = model.cutoff * model.cutoff;
    impl.surely_below = cutoff > 2 ? static_cast<uint64_t>((cutoff - 2) * (cutoff - 2)) : 0;
    impl.surely_beyond = static_cast<uint64_t>((cutoff + 2) * (cutoff + 2)) + 1;
    const auto reach = static_cast<uint64_t>(cutoff + skin) + 4;
    impl.squared_reach = reach * reach;
    const auto most_moved = static_cast<uint64_t>(std::max(0.0, skin / 2 - 2));
    impl.most_moved = most_moved * most_moved;
    impl.grid = CellGrid::of(reach, count, box);

    impl.charges = {};
    double greatest = 0;
    for (const Species& species : model.species) greatest = std::max(greatest, std::abs(species.alpha));
    if (greatest == 0) greatest = 1;
    const double unit = impl.precision == Precision::kFloat ? units : 1 / box.grid;
    const double factor = greatest * (unit * unit * unit) * (unit * unit * unit);
    for (size_t s = 0; s < model.species.size() && s < kMostSpecies; ++s) {
        impl.charges.alpha[s] = model.species[s].alpha / greatest;
        impl.charges.alphas[s] = static_cast<float>(impl.charges.alpha[s]);
        impl.charges.acting |= uint32_t(impl.charges.alpha[s] != 0) << s;
        impl.charges.mu[s] = model.species[s].mu * factor;
    }

    impl.now.resize(context, count, false);
    impl.residents.resize(context, count, false);
    impl.starts.resize(context, impl.grid.count() + 1, false);
    impl.ranks.resize(context, count, false);
    impl.far.resize(context, kSumCount);
    if (!impl.with_lists) return;
    // Room for 1.5 times the average number, and for a dense packing of discs.
    const double within = model.cutoff + skin / units;
    const double mean = 3.15 * within * within * count / box.area();
    const double most = std::min({std::max(1.5 * mean + 16, 40.0), double(1 << 28) / count, double(count)});
    impl.lists.most = static_cast<uint32_t>(most);
    impl.lists.slot_stride = context.on_cuda() ? 1 : impl.lists.most;
    impl.lists.stride = context.on_cuda() ? count : 1;
    impl.then.resize(context, count, false);
    impl.lengths.resize(context, count, false);
    impl.ids.resize(context, size_t(count) * impl.lists.most, false);
    impl.lists.lengths = impl.lengths.view();
    impl.lists.ids = impl.ids.view();
}

void ShortRange::reset_repulsion(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count,
                                 double largest_diameter) {
    ParticleModel near = model;
    near.cutoff = Repulsion::of(model, largest_diameter).reach;
    reset(context, box, near, count);
    impl_->repulsion = Repulsion::of(model, largest_diameter);
    impl_->table = table_of(model);
}

void ShortRange::look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums) {
    if (impl_->count > 0 && impl_->with_lists) impl_->look(positions, species, count, sums);
}

void ShortRange::compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                         std::optional<bool> moved_far, View<const double> diameters) {
    impl_->table.diameters = diameters;
    if (impl_->count > 0) impl_->compute(positions, species, forces, moved_far);
}

}  // namespace flipscope
