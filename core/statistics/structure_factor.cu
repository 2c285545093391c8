// The structure factor by a nonuniform fast Fourier transform: every point is spread over 6 × 6 cells of a grid, the
// grid is transformed, and each mode divided by the transform of the spreading kernel.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "statistics/area_view.h"
#include "statistics/point_statistics.h"

namespace flipscope {

namespace {

constexpr uint32_t kGrid = 512;  // cells a side: twice as many as modes; a power of 8
constexpr int kWidth = 6;        // cells that a point is spread over, each way
constexpr double kShape = 2.3 * kWidth;
constexpr double kUnit = 0x1p-36;  // fixed point: 2^24 points in one cell are below 2^61
constexpr uint64_t kPointsPerTile = 4096;
constexpr uint32_t kMostTilesAcross = 4;
constexpr int kModes = StructureFactor::kModes, kSide = StructureFactor::kSide;

/// exp(β (√(1 - z²) - 1)), the kernel of Barnett, Magland and af Klinteberg, from a table with linear interpolation, so
/// exact that its transform, taken from the function, fits.
constexpr uint32_t kTable = 4096;  // intervals of z in [0, 1]
double kernel_at(double z) {
    return z * z < 1 ? std::exp(kShape * (std::sqrt(1 - z * z) - 1)) : z * z == 1 ? std::exp(-kShape) : 0;
}

/// Equal parts of a window, each with its own grid.
struct Tiles {
    Window window;
    uint32_t across;          // parts of the window, each way
    uint32_t first, counted;  // those that count, each way

    FLIPSCOPE_HD double width() const { return window.width() / across; }
    FLIPSCOPE_HD double height() const { return window.height() / across; }
    FLIPSCOPE_HD uint32_t count() const { return counted * counted; }
};

struct Kernel {
    View<const double> table;  // (kTable + 2)
    FLIPSCOPE_HD double weight(double cells_off) const {
        const double z = (cells_off < 0 ? -cells_off : cells_off) * (2.0 / kWidth);
        if (z >= 1) return 0;
        const auto k = static_cast<uint32_t>(z * kTable);
        const double t = z * kTable - k;
        return table[k] + t * (table[k + 1] - table[k]);
    }
    /// In fixed point, of `high`: the weight in y over the unit.
    FLIPSCOPE_HD static uint64_t product(double high, double weight) {
        return static_cast<uint64_t>(static_cast<int64_t>(rint(high * weight)));
    }
};

/// What Spread adds to each cell of a single tile, from the points around it: without atomics, which take CUDA longer
/// where points are dense.
struct Collect {
    NearPoints near;  // of a window that goes round, as the transform does
    Kernel kernel;
    View<uint64_t> cells;  // (kGrid, kGrid) fixed point
    FLIPSCOPE_HD static double off(double place, uint32_t cell) {
        const auto at = static_cast<int>(cell), side = static_cast<int>(kGrid);
        return place - (place - at > side / 2 ? at + side : place - at < -side / 2 ? at - side : at);
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t column = i % kGrid, row = i / kGrid;
        const Window& w = near.grid.window;
        const double per_width = 1 / w.width(), per_height = 1 / w.height();
        uint64_t sum = 0;
        near.each({w.low.x + column * (w.width() / kGrid), w.low.y + row * (w.height() / kGrid)}, [&](uint32_t rank) {
            const Point p = near.grid.positions[rank];
            const double high = kernel.weight(off((p.y - w.low.y) * per_height * kGrid, row)) * (1 / kUnit);
            if (high > 0) sum += Kernel::product(high, kernel.weight(off((p.x - w.low.x) * per_width * kGrid, column)));
        });
        cells[i] = sum;
    }
};

struct Spread {
    View<const Point> points;
    AreaView area;
    Tiles tiles;
    Kernel kernel;
    View<uint64_t> cells;   // (tiles, kGrid, kGrid) fixed point
    View<uint32_t> counts;  // (tiles)

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = points[i];
        const Window& w = tiles.window;
        if (!area.contains(p)) return;
        // In tiles; the upper sides of the window belong to the last ones.
        const double across = (p.x - w.low.x) * (1 / tiles.width()), up = (p.y - w.low.y) * (1 / tiles.height());
        uint32_t column = static_cast<uint32_t>(across), row = static_cast<uint32_t>(up);
        if (column >= tiles.across) column = tiles.across - 1;
        if (row >= tiles.across) row = tiles.across - 1;
        const double x = (across - column) * kGrid, y = (up - row) * kGrid;
        column -= tiles.first;
        row -= tiles.first;
        if (column >= tiles.counted || row >= tiles.counted) return;
        const uint32_t tile = row * tiles.counted + column;
        atomic_add(counts[tile], 1u);
        // Kernels reach kWidth / 2 cells to both sides of the point; cells beyond a side come back on the other.
        const int left = static_cast<int>(x) - kWidth / 2 + 1, below = static_cast<int>(y) - kWidth / 2 + 1;
        double weights[kWidth];
        for (int k = 0; k < kWidth; ++k) weights[k] = kernel.weight(x - (left + k));
        for (int j = 0; j < kWidth; ++j) {
            const double high = kernel.weight(y - (below + j)) * (1 / kUnit);
            const size_t line = (size_t(tile) * kGrid + static_cast<uint32_t>(below + j) % kGrid) * kGrid;
            for (int k = 0; k < kWidth; ++k) {
                if (const uint64_t value = Kernel::product(high, weights[k]))
                    atomic_add(cells[line + static_cast<uint32_t>(left + k) % kGrid], value);
            }
        }
    }
};

/// Two tiles at once, as real and imaginary part: a pair.
struct ToComplex {
    View<const uint64_t> cells;  // (tiles, kGrid, kGrid)
    View<Point> grids;           // (pairs, kGrid, kGrid) x + iy
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr uint32_t kCells = kGrid * kGrid;
        const size_t first = size_t(i / kCells) * 2 * kCells + i % kCells, second = first + kCells;
        grids[i] = {double(cells[first]) * kUnit, second < cells.count ? double(cells[second]) * kUnit : 0};
    }
};

FLIPSCOPE_HD inline Point sum(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
FLIPSCOPE_HD inline Point difference(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
FLIPSCOPE_HD inline Point product(Point a, Point b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
FLIPSCOPE_HD inline Point quarter_turn_back(Point a) { return {a.y, -a.x}; }  // times -i

/// Four numbers become their transform.
FLIPSCOPE_HD inline void transform_four(Point& a, Point& b, Point& c, Point& d) {
    const Point even = sum(a, c), even_off = difference(a, c);
    const Point odd = sum(b, d), odd_off = quarter_turn_back(difference(b, d));
    a = sum(even, odd);
    b = sum(even_off, odd_off);
    c = difference(even, odd);
    d = difference(even_off, odd_off);
}

/// One pass of Stockham's transform of radix 8 along rows (stride 1) or columns: eight numbers each.
struct TransformPass {
    View<const Point> from;
    View<Point> to;
    View<const Point> roots;  // (kGrid) exp(-2πi k / kGrid)
    uint32_t done;            // 1, 8, 64: length of the transforms that have been made
    uint32_t stride, line_stride;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr uint32_t kPart = kGrid / 8, kThreads = kGrid * kPart;  // of a grid
        const uint32_t pair = i / kThreads, at_grid = i % kThreads;
        // Neighbouring indices are adjacent in memory, in both directions of the lines.
        const uint32_t line = stride == 1 ? at_grid / kPart : at_grid % kGrid;
        const uint32_t j = stride == 1 ? at_grid % kPart : at_grid / kGrid;
        const uint32_t k = j % done, turn = kPart / done;
        const size_t base = size_t(pair) * kGrid * kGrid + size_t(line) * line_stride;
        Point in[8];
        for (uint32_t r = 0; r < 8; ++r) in[r] = from[base + size_t(j + r * kPart) * stride];
        for (uint32_t r = 1; r < 8; ++r) in[r] = product(in[r], roots[r * k * turn]);
        transform_four(in[0], in[2], in[4], in[6]);
        transform_four(in[1], in[3], in[5], in[7]);
        for (uint32_t q = 0; q < 4; ++q) {
            const Point even = in[2 * q], odd = product(in[2 * q + 1], roots[q * kPart]);
            const size_t at = base + size_t(j / done * done * 8 + k + q * done) * stride;
            to[at] = sum(even, odd);
            to[at + size_t(4 * done) * stride] = difference(even, odd);
        }
    }
};

/// Adds |Σ exp(-ik·r)|² / n of the tiles of some pairs to the picture.
struct AddPower {
    View<const Point> grids;        // (pairs, kGrid, kGrid)
    View<const double> correction;  // (kModes + 1) 1 / transform of the kernel
    View<const uint32_t> counts;    // (tiles) points; an odd tile has no second one
    View<const Point> of_area;      // (kSide, kSide) as TransformArea, for one tile; empty: 0
    View<double> picture;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const int m = static_cast<int>(i % kSide) - kModes, l = static_cast<int>(i / kSide) - kModes;
        const auto wrapped = [](int mode) { return static_cast<uint32_t>(mode + static_cast<int>(kGrid)) % kGrid; };
        const size_t at = size_t(wrapped(l)) * kGrid + wrapped(m), opposite = size_t(wrapped(-l)) * kGrid + wrapped(-m);
        const double c = correction[m < 0 ? -m : m] * correction[l < 0 ? -l : l];
        const Point uniform = of_area.count > 0 ? of_area[i] : Point{};
        const auto power_of = [&](size_t tile, double re, double im) {
            const uint32_t n = tile < counts.count ? counts[tile] : 0;
            re = re * c - n * uniform.x;
            im = im * c - n * uniform.y;
            return n > 0 ? (re * re + im * im) / n : 0.0;
        };
        for (size_t pair = 0; 2 * pair < counts.count; ++pair) {
            const Point f = grids[pair * kGrid * kGrid + at], g = grids[pair * kGrid * kGrid + opposite];
            // Of two real functions as one: the even part is that of the first, the odd one that of the second.
            picture[i] += power_of(2 * pair, (f.x + g.x) / 2, (f.y - g.y) / 2) +
                          power_of(2 * pair + 1, (f.y + g.y) / 2, (g.x - f.x) / 2);
        }
    }
};

/// ∫ exp(-ik·(r - low)) dr over a polygon, over its area: i/k² Σ (k × side) exp(-ik·middle) sinc(k·side/2) (Wuttke
/// 2021). Along a run of modes turns are products.
struct TransformArea {
    AreaView area;
    View<Point> transform;  // (kSide, kSide) real and imaginary part
    static constexpr int kRun = 17, kRuns = kSide / kRun;
    static_assert(kRuns * kRun == kSide);

    FLIPSCOPE_HD static Point turn(double angle) {
        const portable::SineCosine of = portable::sine_cosine(angle);
        return {of.cosine, of.sine};
    }
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const Window& w = area.window;
        const double step_x = 2 * portable::kPi / w.width(), step_y = 2 * portable::kPi / w.height();
        const int l = static_cast<int>(run / kRuns) - kModes, first = static_cast<int>(run % kRuns) * kRun - kModes;
        Point sums[kRun] = {};
        for (size_t i = 0; i < area.sides.count; ++i) {
            const auto [from, to] = area.sides[i];
            const Point d{step_x * (to.x - from.x), step_y * (to.y - from.y)};  // angles of a mode
            const Point middle{step_x * ((from.x + to.x) / 2 - w.low.x), step_y * ((from.y + to.y) / 2 - w.low.y)};
            const Point along = turn(middle.x), half_along = turn(d.x / 2);
            Point phase = turn(first * middle.x + l * middle.y), half = turn((first * d.x + l * d.y) / 2);
            for (int k = 0; k < kRun; ++k) {
                const double angle = ((first + k) * d.x + l * d.y) / 2;
                const double sinc = angle > 1e-6 || angle < -1e-6 ? half.y / angle : 1;
                const double flux = ((first + k) * step_x * (to.y - from.y) - l * step_y * (to.x - from.x)) * sinc;
                sums[k] = {sums[k].x + flux * phase.y, sums[k].y + flux * phase.x};
                phase = product(phase, along);
                half = product(half, half_along);
            }
        }
        for (int k = 0; k < kRun; ++k) {
            const double x = (first + k) * step_x, y = l * step_y, scale = area.area * (x * x + y * y);
            transform[size_t(run) * kRun + k] = scale > 0 ? Point{sums[k].x / scale, sums[k].y / scale} : Point{1, 0};
        }
    }
};

/// 1 / transform of the kernel, of every mode: ∫ kernel · cos over its width in cells, by the midpoint rule on the
/// interpolated table itself. Made once.
const std::vector<double>& corrections(const std::vector<double>& table) {
    static const std::vector<double> made = [&] {
        std::vector<double> correction(kModes + 1);
        constexpr int kSteps = 4 * kTable;
        for (int m = 0; m <= kModes; ++m) {
            double sum = 0;
            for (int s = 0; s < kSteps; ++s) {
                const double z = (s + 0.5) / kSteps, at = z * kTable;
                const auto k = static_cast<uint32_t>(at);
                const double value = table[k] + (at - k) * (table[k + 1] - table[k]);
                sum += value * std::cos(2 * std::numbers::pi * m / kGrid * z * (kWidth / 2.0));
            }
            correction[m] = 1 / (sum / kSteps * kWidth);
        }
        return correction;
    }();
    return made;
}

class Transform {
  public:
    Transform(Context& context, const StudyArea& area) : context_(context) {
        area_.upload(context, area);
        if (area.is_polygon()) {
            of_area_.resize(context, size_t(kSide) * kSide, false);
            launch(context, "statistics.transform_area", uint32_t(kSide) * TransformArea::kRuns,
                   TransformArea{area_.view(), of_area_.view()});
        }
        static const std::vector<double> table = [] {
            std::vector<double> values(kTable + 2);
            for (uint32_t k = 0; k <= kTable; ++k) values[k] = kernel_at(double(k) / kTable);
            return values;
        }();
        table_.upload(context, table.data(), table.size());
        static const std::vector<Point> roots = [] {
            std::vector<Point> values(kGrid);
            for (uint32_t k = 0; k < kGrid; ++k) {
                const double angle = 2 * std::numbers::pi * k / kGrid;
                values[k] = {std::cos(angle), -std::sin(angle)};
            }
            return values;
        }();
        roots_.upload(context, roots.data(), roots.size());
        const std::vector<double>& correction = corrections(table);
        correction_.upload(context, correction.data(), correction.size());
    }

    struct Counted {
        uint64_t points = 0;
        uint32_t tiles = 0;  // with a point in them
    };
    /// Adds the power of all tiles to the picture. `grid`: of the points in the area, if they are sorted.
    Counted add(const Tiles& tiles, View<const Point> points, const PointGrid* grid, Buffer<double>& picture) {
        const double cell = std::max(tiles.width(), tiles.height()) / kGrid;
        if (context_.on_cuda() && grid && tiles.across == 1 && grid->count() > kCells) {
            NearPoints near{grid->view(), cell * (kWidth / 2)};
            near.grid.window.periodic_x = near.grid.window.periodic_y = true;
            cells_.resize(context_, kCells, false);
            launch(context_, "statistics.collect", uint32_t(kCells), Collect{near, {table_.view()}, cells_.view()});
            const uint32_t n = grid->count();
            counts_.upload(context_, &n, 1);
        } else {
            cells_.fill(context_, tiles.count() * kCells, 0);
            counts_.fill(context_, tiles.count(), 0);
            launch(context_, "statistics.spread", static_cast<uint32_t>(points.count),
                   Spread{points, area_.view(), tiles, {table_.view()}, cells_.view(), counts_.view()});
        }
        // CUDA transforms all pairs at once; CPU threads one by one, since one fits into a cache.
        const uint32_t tiles_at_once = context_.on_cuda() ? 2 * ((tiles.count() + 1) / 2) : 2;
        const size_t room = tiles_at_once / 2 * kCells;
        for (Buffer<Point>* each : {&first_, &second_}) each->resize(context_, room, false);
        for (uint32_t tile = 0; tile < tiles.count(); tile += tiles_at_once) {
            const uint32_t count = std::min(tiles_at_once, tiles.count() - tile), pairs = (count + 1) / 2;
            launch(context_, "statistics.to_complex", static_cast<uint32_t>(pairs * kCells),
                   ToComplex{cells_.view().part(tile * kCells, count * kCells), first_.view()});
            Buffer<Point>*from = &first_, *to = &second_;
            for (const bool rows : {true, false})
                for (uint32_t done = 1; done < kGrid; done *= 8) {
                    launch(context_, "statistics.transform", pairs * kGrid * (kGrid / 8),
                           TransformPass{from->view(), to->view(), roots_.view(), done, rows ? 1u : kGrid,
                                         rows ? kGrid : 1u});
                    std::swap(from, to);
                }
            launch(context_, "statistics.power", uint32_t(kSide) * kSide,
                   AddPower{from->view(), correction_.view(), counts_.view().part(tile, count), of_area_.view(),
                            picture.view()});
        }
        Counted counted;
        for (const uint32_t n : counts_.download()) {
            counted.points += n;
            counted.tiles += n > 0;
        }
        return counted;
    }

  private:
    static constexpr size_t kCells = size_t(kGrid) * kGrid;
    Context& context_;
    AreaOnDevice area_;
    Buffer<Point> of_area_{"transform of the area"};
    Buffer<double> table_{"kernel table"}, correction_{"kernel transform"};
    Buffer<Point> roots_{"roots of unity"}, first_{"transform"}, second_{"transform"};
    Buffer<uint64_t> cells_{"spread points"};
    Buffer<uint32_t> counts_{"points spread"};
};

struct Rings {
    std::vector<double> sums, ks;
    std::vector<uint64_t> counts;
};

/// Means over rings of the picture one step wide, of all modes but the one at 0 and those beyond the picture's sides. A
/// mode and its opposite have the same power, so one of the two counts.
Rings rings_of(const std::vector<double>& picture, double step_x, double step_y) {
    const double step = std::max(step_x, step_y), reach = std::min(step_x, step_y) * kModes;
    Rings rings;
    const auto count = static_cast<size_t>(reach / step);
    rings.sums.resize(count + 2);
    rings.ks.resize(count + 2);
    rings.counts.resize(count + 2);
    for (int l = 0; l <= kModes; ++l)
        for (int m = l > 0 ? -kModes : 1; m <= kModes; ++m) {
            const double x = m * step_x, y = l * step_y, k = std::sqrt(x * x + y * y);
            if (k > reach) continue;
            const auto ring = static_cast<size_t>(k / step + 0.5);
            rings.sums[ring] += picture[size_t(l + kModes) * kSide + size_t(m + kModes)];
            rings.ks[ring] += k;
            ++rings.counts[ring];
        }
    return rings;
}

void append(const Rings& rings, double above, StructureFactor& into) {
    for (size_t i = 0; i < rings.sums.size(); ++i) {
        if (rings.counts[i] == 0) continue;
        const double k = rings.ks[i] / double(rings.counts[i]);
        if (k <= above) continue;
        into.k.push_back(k);
        into.values.push_back(rings.sums[i] / double(rings.counts[i]));
    }
}

}  // namespace

StructureFactor structure_factor(Context& context, const StudyArea& area, View<const Point> points,
                                 const PointGrid* grid) {
    StructureFactor result;
    const Window window = window_of(area);
    const auto n = points.count;
    if (n < 2 || !(window.area() > 0)) return result;
    Transform transform(context, area);
    Buffer<double> picture("structure factor");
    picture.fill(context, size_t(kSide) * kSide, 0);
    constexpr double kTurn = 2 * std::numbers::pi;

    // Parts of the window, if it has points enough, from its middle, so that k reaches as far as two or so mean
    // spacings; then the whole for small k.
    const auto parts = static_cast<uint32_t>(std::sqrt(double(n) / double(kPointsPerTile)));
    const uint32_t across = area.is_polygon() ? 1 : std::max(1u, parts);
    const uint32_t used = std::min(across, kMostTilesAcross), skipped = (across - used) / 2;
    const double wide = window.width() / across, high = window.height() / across;
    const Transform::Counted counted = transform.add({window, across, skipped, used}, points, grid, picture);
    if (counted.tiles == 0) return result;
    result.tiles = counted.tiles;
    result.points_per_tile = counted.points / counted.tiles;
    result.picture = picture.download();
    for (double& value : result.picture) value /= result.tiles;
    result.step_x = kTurn / wide;
    result.step_y = kTurn / high;
    const Rings fine = rings_of(result.picture, result.step_x, result.step_y);
    double above = 0;
    if (across > 1) {
        picture.fill_bytes(0);
        transform.add({window, 1, 0, 1}, points, grid, picture);
        const double step_x = kTurn / window.width(), step_y = kTurn / window.height();
        append(rings_of(picture.download(), step_x, step_y), 0, result);
        if (!result.k.empty()) above = result.k.back();
    }
    append(fine, above, result);
    return result;
}

StructureFactor structure_factor(Context& context, std::span<const Point> points, const StudyArea& area) {
    Buffer<Point> uploaded("input points");
    uploaded.upload(context, points.data(), points.size());
    return structure_factor(context, area, View<const Point>(uploaded.view()));
}

}  // namespace flipscope
