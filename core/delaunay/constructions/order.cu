#include "delaunay/constructions/order.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "compute/primitives.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr int kMostCurveBits = 22;  // per axis

/// Cells per axis of the curve, as a power of two: about sixteen times finer than the mean spacing of uniform points.
int curve_bits(uint32_t n) {
    int bits = 8;
    while (bits < kMostCurveBits && (uint64_t(1) << (2 * (bits - 4))) < n) ++bits;
    return bits;
}

struct BoundsOf {
    View<const Point> points;
    FLIPSCOPE_HD Bounds operator()(uint32_t i) const { return {points[i], points[i]}; }
    FLIPSCOPE_HD static Bounds combine(const Bounds& a, const Bounds& b) { return a.with(b); }
};

/// Position of a cell along the Hilbert curve (Hilbert 1891; the bitwise form after Skilling 2004, in two dimensions).
FLIPSCOPE_HD inline uint64_t hilbert_key(uint32_t x, uint32_t y, int bits) {
    uint64_t key = 0;
    for (int bit = bits - 1; bit >= 0; --bit) {
        const uint32_t right = (x >> bit) & 1u, up = (y >> bit) & 1u;
        key = key << 2 | ((3u * right) ^ up);
        // The two lower quadrants are transposed, the right one also rotated; branch-free, because a branch would be a
        // coin toss.
        const uint32_t lower = up - 1, turned = lower & (0u - right);
        x ^= turned;
        y ^= turned;
        const uint32_t differing = (x ^ y) & lower;
        x ^= differing;
        y ^= differing;
    }
    return key;
}

struct MakeKeys {
    View<const Point> points;
    Bounds bounds;
    int bits;
    double cells_per_unit;
    View<uint64_t> keys;
    View<uint32_t> order;
    FLIPSCOPE_HD uint32_t cell(double offset) const {
        const double cell = offset * cells_per_unit;
        const uint32_t last = (1u << bits) - 1;
        return cell < last ? static_cast<uint32_t>(cell) : last;
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        keys[i] = hilbert_key(cell(points[i].x - bounds.low.x), cell(points[i].y - bounds.low.y), bits);
        order[i] = i;
    }
};

/// The points that share their cell with another: only these can be equal.
struct FindUnsorted {
    View<const uint64_t> keys;
    View<const uint32_t> order;
    uint32_t n;
    View<uint32_t> places, indices;  // empty while counting
    bool leaves_out() const { return true; }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        return (i > 0 && keys[i] == keys[i - 1]) || (i + 1 < n && keys[i] == keys[i + 1]);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code || !places) return;
        places[rank] = i;
        indices[rank] = order[i];
    }
};

/// A double as an integer of the same order; the two zeros are one.
FLIPSCOPE_HD inline uint64_t ordered_bits(double v) {
    v += 0.0;
#if defined(__CUDA_ARCH__)
    const uint64_t bits = static_cast<uint64_t>(__double_as_longlong(v));
#else
    uint64_t bits;
    std::memcpy(&bits, &v, sizeof bits);
#endif
    return bits >> 63 ? ~bits : bits | (uint64_t(1) << 63);
}

enum class SortBy { kX, kY, kCell };

struct UnsortedKeys {
    View<const Point> points;
    View<const uint64_t> cells;     // by place along the curve
    View<const uint32_t> place_of;  // of each unsorted point
    View<const uint32_t> unsorted;  // input indices, or ranks among the unsorted points
    SortBy by;
    View<uint64_t> keys;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t s = unsorted[i];
        keys[i] = by == SortBy::kCell ? cells[place_of[s]] : ordered_bits(by == SortBy::kX ? points[s].x : points[s].y);
    }
};

struct GatherUnsorted {
    View<const Point> points;
    View<const uint32_t> indices;
    View<Point> gathered;
    View<uint32_t> ranks;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        gathered[i] = points[indices[i]];
        ranks[i] = i;
    }
};

struct RequeueEdges {
    View<const uint32_t> places, indices, ranks;
    View<uint32_t> order;
    FLIPSCOPE_HD void operator()(uint32_t i) const { order[places[i]] = indices[ranks[i]]; }
};

/// Equal points have equal keys, so where keys differ no point need be read before it is copied.
struct KeepFirst {
    View<const Point> points;
    View<const uint64_t> keys;  // sorted
    View<const uint32_t> order;
    View<Point> positions;
    View<uint32_t> inputs;
    bool leaves_out() const { return true; }
    /// On CPU threads: prefetches the point, which can be anywhere in memory.
    void prefetch_emit(uint32_t i) const {
        __builtin_prefetch(&points[order[i]]);
        asm volatile("");  // or g++ 12 takes the function for one that does nothing, and leaves it out
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        return i == 0 || keys[i] != keys[i - 1] || !(points[order[i]] == points[order[i - 1]]);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        positions[rank] = points[order[i]];
        inputs[rank] = order[i];
    }
};

/// KeepFirst again, if there are copies: writes for each point which one was kept.
struct FindFirstEqual {
    KeepFirst merge;
    View<const uint32_t> inputs;  // as merge has written them
    View<uint32_t> first_equal;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return merge.code(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        first_equal[merge.order[i]] = inputs[code ? rank : rank - 1];
    }
};

/// An array needed only while points are ordered.
template <class T>
struct Passing : Buffer<T> {
    explicit Passing(const char* name) : Buffer<T>(name, Residence::kTemporary) {}
};

/// Sorts the points of every shared cell by x, y and input index, or by y, x and index: equal ones become neighbours,
/// the first in front.
void sort_unsorted(Context& context, View<const Point> points, Buffer<uint64_t>& cells, int bits,
                   Buffer<uint32_t>& order, uint32_t count, SortBy first, SortBy second) {
    Passing<uint32_t> places("unsorted places"), indices("unsorted indices"), ranks("unsorted ranks"), total("total");
    Passing<Point> gathered("unsorted points");
    Passing<uint64_t> keys("unsorted keys");
    places.resize(context, count);
    indices.resize(context, count);
    ranks.resize(context, count);
    gathered.resize(context, count);
    keys.resize(context, count);
    total.resize(context, 1);
    const uint32_t n = static_cast<uint32_t>(order.size());
    compact(context, "order.unsorted", n, FindUnsorted{cells.view(), order.view(), n, places.view(), indices.view()},
            total.view());
    launch(context, "order.gather", count, GatherUnsorted{points, indices.view(), gathered.view(), ranks.view()});
    // Least significant key first; every sort is stable, and the indices within a cell ascend already.
    for (const SortBy by : {second, first, SortBy::kCell}) {
        launch(context, "order.keys", count,
               UnsortedKeys{gathered.view(), cells.view(), places.view(), ranks.view(), by, keys.view()});
        sort_by_key(context, "order.sort", keys, ranks, by == SortBy::kCell ? bits : 64);
    }
    launch(context, "order.return", count, RequeueEdges{places.view(), indices.view(), ranks.view(), order.view()});
}

/// `any`: one of the points.
Bounds bounds_with(Context& context, View<const Point> points, Point any) {
    return reduce(context, "order.bounds", static_cast<uint32_t>(points.count), BoundsOf{points}, Bounds{any, any});
}

Point first_of(Context& context, View<const Point> points) {
    Point first;
    context.copy(&first, points.data, sizeof first);
    return first;
}

/// The input for kernels, and room for the results.
struct Ordering {
    Passing<Point> uploaded{"input points"};
    View<const Point> points;

    Ordering(Context& context, const InputPoints& input, uint32_t extra, Buffer<Point>& positions,
             Buffer<uint32_t>& inputs, Buffer<uint32_t>* first_equal)
        : points(input.resident), on_host_(!points) {
        if (on_host_) {
            const std::vector<Point>& given = input.geometry->points;
            if (!given.empty()) first_ = given[0];
            points = {given.data(), given.size()};  // on CPU threads they are read where they lie
            if (context.on_cuda()) {
                uploaded.upload(context, given.data(), given.size());
                points = uploaded.view();
            }
        }
        positions.resize(context, points.count + extra, false);
        inputs.resize(context, points.count + extra, false);
        if (first_equal) first_equal->resize(context, 0);
    }
    Bounds bounds(Context& context) const {
        return bounds_with(context, points, on_host_ ? first_ : first_of(context, points));
    }

  private:
    bool on_host_;
    Point first_;
};

}  // namespace

OrderedPoints order_points(Context& context, const InputPoints& input, uint32_t extra, Buffer<Point>& positions,
                           Buffer<uint32_t>& inputs, Buffer<uint32_t>* first_equal) {
    const Ordering ordering(context, input, extra, positions, inputs, first_equal);
    const View<const Point> points = ordering.points;
    const uint32_t n = static_cast<uint32_t>(points.count);
    OrderedPoints ordered;
    if (n == 0) return ordered;

    ordered.bounds = ordering.bounds(context);
    const int bits = curve_bits(n);
    const Bounds& b = ordered.bounds;
    const double extent = std::max(b.high.x - b.low.x, b.high.y - b.low.y);
    const double cells_per_unit = extent > 0 ? double(1u << bits) / extent : 0;

    Passing<uint64_t> cells("curve cells");
    Passing<uint32_t> order("curve order"), total("total");
    cells.resize(context, n);
    order.resize(context, n);
    total.resize(context, 1);
    launch(context, "order.keys", n, MakeKeys{points, b, bits, cells_per_unit, cells.view(), order.view()});
    sort_by_key(context, "order.sort", cells, order, 2 * bits);
    compact(context, "order.unsorted", n, FindUnsorted{cells.view(), order.view(), n, {}, {}}, total.view());
    if (const uint32_t unsorted = total.read(0))
        sort_unsorted(context, points, cells, 2 * bits, order, unsorted, SortBy::kX, SortBy::kY);
    const KeepFirst merge{points, cells.view(), order.view(), positions.view(), inputs.view()};
    compact(context, "order.merge", n, merge, total.view());
    ordered.count = total.read(0);
    if (first_equal && ordered.count < n) {
        first_equal->resize(context, n, false);
        compact(context, "order.copies", n, FindFirstEqual{merge, inputs.view(), first_equal->view()}, total.view());
    }
    return ordered;
}

// ---- strips ---------------------------------------------------------------------------------------------------------

namespace {

struct SampleX {
    View<const Point> points;
    uint32_t count;  // of samples
    View<uint64_t> keys;
    View<uint32_t> places;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        // A random point of its share: equal steps could hit only every few columns of a lattice.
        const uint64_t begin = uint64_t(i) * points.count / count, end = uint64_t(i + 1) * points.count / count;
        const uint32_t from = static_cast<uint32_t>(begin + mix64(i) % (end - begin));
        keys[i] = ordered_bits(points[from].x);
        places[i] = from;
    }
};

/// The x at which strips begin, and a table that narrows them down without a search.
struct StripBorders {
    View<const double> borders;  // (strips - 1)
    View<const uint32_t> upto;   // (columns + 1) the number of borders in the first columns
    uint32_t columns;
    double low, columns_per_unit;

    FLIPSCOPE_HD uint32_t column(double x) const {  // never decreases with x
        const double column = (x - low) * columns_per_unit;
        return column < double(columns - 1) ? static_cast<uint32_t>(column) : columns - 1;
    }
    /// The number of borders that are not to the right of x.
    FLIPSCOPE_HD uint32_t strip_at(double x) const {
        const uint32_t at = column(x);
        uint32_t first = upto[at], last = upto[at + 1];
        while (first < last) {
            const uint32_t middle = (first + last) / 2;
            if (borders[middle] <= x)
                first = middle + 1;
            else
                last = middle;
        }
        return first;
    }
};

/// Chooses the borders among the samples.
struct ChooseBorders {
    View<const Point> points;
    View<const uint32_t> places;  // of the samples among the points, by x
    uint32_t strips;
    View<double> borders;
    FLIPSCOPE_HD void operator()(uint32_t k) const {
        borders[k] = points[places[static_cast<size_t>(uint64_t(k + 1) * places.count / strips)]].x;
    }
};

struct CountBorders {
    StripBorders table;
    View<uint32_t> upto;
    FLIPSCOPE_HD void operator()(uint32_t c) const {
        uint32_t low = 0, high = static_cast<uint32_t>(table.borders.count);
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (table.column(table.borders[middle]) < c)
                low = middle + 1;
            else
                high = middle;
        }
        upto[c] = low;
    }
};

/// Strip by x, and within it y.
struct StripKeys {
    View<const Point> points;
    StripBorders table;
    Bounds bounds;
    int bits;  // of y
    double cells_per_unit;
    View<uint64_t> keys;
    View<uint32_t> order;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t strip = table.strip_at(points[i].x);
        const double cell = (points[i].y - bounds.low.y) * cells_per_unit;
        const uint64_t last = (uint64_t(1) << bits) - 1;
        const uint64_t y = cell < double(last) ? static_cast<uint64_t>(cell) : last;
        keys[i] = uint64_t(strip) << bits | y;
        order[i] = i;
    }
};

/// KeepFirst that also writes the strip of each kept point.
struct KeepFirstOfStrip {
    KeepFirst merge;
    int bits;
    View<uint32_t> strip_of;
    bool leaves_out() const { return merge.leaves_out(); }
    void prefetch_emit(uint32_t i) const { merge.prefetch_emit(i); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return merge.code(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        merge.emit(i, rank, code);
        if (code) strip_of[rank] = static_cast<uint32_t>(merge.keys[i] >> bits);
    }
};

/// Numbers the strips that have a point.
struct NumberStrips {
    View<const uint32_t> named;
    View<uint32_t> strip_of, begins;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return i == 0 || named[i] != named[i - 1]; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code) begins[rank] = i;
        strip_of[i] = code ? rank : rank - 1;
    }
};

/// Writes the number of vertices after the beginnings of strips, and next to the number of strips, which is read too.
struct EndStrips {
    View<const uint32_t> vertices;  // (1)
    View<uint32_t> strips;          // (2)
    View<uint32_t> begins;
    FLIPSCOPE_HD void operator()(uint32_t) const { begins[strips[0]] = strips[1] = vertices[0]; }
};

constexpr uint32_t kSamplesPerStrip = 16, kColumnsPerStrip = 4;

}  // namespace

OrderedPoints order_in_strips(Context& context, const InputPoints& input, uint32_t strips, uint32_t extra,
                              Buffer<Point>& positions, Buffer<uint32_t>& inputs, PointStrips& made,
                              Buffer<uint32_t>* first_equal, const std::optional<Bounds>& known) {
    const Ordering ordering(context, input, extra, positions, inputs, first_equal);
    const View<const Point> points = ordering.points;
    const uint32_t n = static_cast<uint32_t>(points.count);
    OrderedPoints ordered;
    made.count = 0;
    if (n == 0) return ordered;
    strips = std::clamp<uint32_t>(strips, 1, n);
    ordered.bounds = known ? *known : ordering.bounds(context);
    const Bounds& b = ordered.bounds;

    Passing<uint64_t> samples("samples"), keys("strip keys");
    Passing<uint32_t> places("sample places"), order("strip order"), total("total"), named("named strips"),
        numbered("strips and vertices");
    const uint32_t sample_count = static_cast<uint32_t>(std::min<uint64_t>(n, uint64_t(strips) * kSamplesPerStrip));
    samples.resize(context, sample_count);
    places.resize(context, sample_count);
    keys.resize(context, n);
    order.resize(context, n);
    total.resize(context, 1);
    launch(context, "order.sample", sample_count, SampleX{points, sample_count, samples.view(), places.view()});
    sort_by_key(context, "order.sort", samples, places, 64);

    int strip_bits = 0;
    while ((uint64_t(1) << strip_bits) < strips) ++strip_bits;
    const int bits = std::clamp(33 - strip_bits, 22, 40);  // of y: points that collide are compared further
    const double tall = b.high.y - b.low.y;
    const double cells_per_unit = tall > 0 ? double(uint64_t(1) << bits) / tall : 0;
    Passing<double> borders("strip borders");
    Passing<uint32_t> upto("strip columns");
    borders.resize(context, strips - 1);
    const double wide = b.high.x - b.low.x;
    const uint32_t columns = kColumnsPerStrip * strips;
    upto.resize(context, columns + 1);
    launch(context, "order.borders", strips - 1, ChooseBorders{points, places.view(), strips, borders.view()});
    const StripBorders table{borders.view(), upto.view(), columns, b.low.x, wide > 0 ? double(columns) / wide : 0};
    launch(context, "order.columns", columns + 1, CountBorders{table, upto.view()});
    launch(context, "order.keys", n, StripKeys{points, table, b, bits, cells_per_unit, keys.view(), order.view()});
    sort_by_key(context, "order.sort", keys, order, bits + strip_bits);
    compact(context, "order.unsorted", n, FindUnsorted{keys.view(), order.view(), n, {}, {}}, total.view());
    if (const uint32_t unsorted = total.read(0))
        sort_unsorted(context, points, keys, bits + strip_bits, order, unsorted, SortBy::kY, SortBy::kX);

    named.resize(context, n);
    numbered.resize(context, 2);
    const KeepFirst merge{points, keys.view(), order.view(), positions.view(), inputs.view()};
    compact(context, "order.merge", n, KeepFirstOfStrip{merge, bits, named.view()}, total.view());
    made.begins.resize(context, size_t(strips) + 1, false);
    made.strip_of.resize(context, n, false);
    compact(context, "order.strips", Extent(total.view(), n),
            NumberStrips{named.view(), made.strip_of.view(), made.begins.view()}, numbered.view());
    launch(context, "order.end", 1, EndStrips{total.view(), numbered.view(), made.begins.view()});
    uint32_t counts[2];
    numbered.download(counts, 2);
    made.count = counts[0];
    ordered.count = counts[1];
    if (first_equal && ordered.count < n) {
        first_equal->resize(context, n, false);
        compact(context, "order.copies", n, FindFirstEqual{merge, inputs.view(), first_equal->view()}, total.view());
    }
    return ordered;
}

Bounds bounds_of(Context& context, View<const Point> points) {
    return points.count ? bounds_with(context, points, first_of(context, points)) : Bounds{};
}

std::vector<uint32_t> sort_along_line(Context& context, const Buffer<Point>& positions, uint32_t count) {
    Buffer<uint64_t> keys("line keys");
    Buffer<uint32_t> ids("line ids");
    std::vector<uint32_t> path(count);
    std::iota(path.begin(), path.end(), 0u);
    keys.resize(context, count);
    ids.upload(context, path.data(), count);
    for (const SortBy by : {SortBy::kY, SortBy::kX}) {
        launch(context, "order.keys", count, UnsortedKeys{positions.view(), {}, {}, ids.view(), by, keys.view()});
        sort_by_key(context, "order.sort", keys, ids, 64);
    }
    return ids.download();
}

}  // namespace flipscope
