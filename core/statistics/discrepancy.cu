// The L2 star discrepancy in O(n log n). Warnock's formula sums (1 - max(x, x'))(1 - max(y, y')) over all pairs. With
// the points in the order of x, that takes of each the points before it: how many are lower, and the sum of 1 - y of
// those that are higher. A tree over the ranks of y with 16 children a node is built from the root, points staying in
// the order of x within a node, and what lies in lower siblings is added up on the way down. Coordinates are whole
// numbers of 2^-32 of the window, so that all sums are exact.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/primitives.h"
#include "statistics/point_statistics.h"

namespace flipscope {

namespace {

constexpr uint32_t kSumRun = 256;  // points of one index of the sums
constexpr uint32_t kChildren = 16;
constexpr double kScale = 0x1p32;

struct KeyByAxis {
    View<const Point> points;
    Window window;
    bool by_x;
    View<const uint32_t> order;  // or empty: point i is number i
    View<uint64_t> keys;
    View<uint32_t> ids;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = points[order ? order[i] : i];
        const double t = by_x ? (p.x - window.low.x) / window.width() : (p.y - window.low.y) / window.height();
        const double scaled = t * kScale;
        keys[i] = !window.contains(p)   ? uint64_t(1) << 32
                  : scaled < kScale - 1 ? static_cast<uint64_t>(scaled)
                                        : 0xFFFFFFFFu;
        ids[i] = i;
    }
};

struct CountInside {
    View<const uint64_t> keys;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += keys[i] >> 32 == 0; }
};

/// Of a point in the tree: the rank of its y, where it stands in the order of x, how many points are before and below
/// it, and the sum of 1 - y of these.
struct Item {
    uint64_t below_sum;
    uint32_t rank, place, below;
    uint32_t height;  // 1 - y, in 2^-32; 0 stands for 2^-32 or less
};

struct PlaceRanks {
    View<const uint32_t> by_y;  // (n) places in the order of x, by y
    View<const uint64_t> ys;    // (n) ascending
    View<Item> items;
    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t place = by_y[rank];
        items[place] = {0, rank, place, 0, static_cast<uint32_t>(0xFFFFFFFFu - ys[rank])};
    }
};

struct Level {
    uint32_t n, child_bits;  // a child has 2^child_bits ranks, a node 16 times as many
    uint32_t part, group;    // points of one index of the kernels below; parts whose sums are joined
    FLIPSCOPE_HD uint32_t digit(const Item& item) const { return (item.rank >> child_bits) % kChildren; }
    FLIPSCOPE_HD uint32_t end_of(uint32_t at) const {
        const uint64_t end = (uint64_t(at) + 1) * part;
        return end < n ? static_cast<uint32_t>(end) : n;
    }
};

struct CountDigits {
    Level level;
    View<const Item> items;
    View<uint32_t> counts;  // (parts, 16)
    View<uint64_t> sums;    // (parts, 16)
    FLIPSCOPE_HD void operator()(uint32_t part) const {
        uint32_t count[kChildren];
        uint64_t sum[kChildren];
        for (uint32_t d = 0; d < kChildren; ++d) sum[d] = count[d] = 0;
        for (uint32_t i = part * level.part; i < level.end_of(part); ++i) {
            const Item item = items[i];
            const uint32_t d = level.digit(item);
            ++count[d];
            sum[d] += item.height;
        }
        for (uint32_t d = 0; d < kChildren; ++d) {
            counts[size_t(part) * kChildren + d] = count[d];
            sums[size_t(part) * kChildren + d] = sum[d];
        }
    }
};

struct SumGroups {
    uint32_t group;
    View<const uint32_t> counts;
    View<const uint64_t> sums;
    View<uint32_t> group_counts;  // (groups, 16)
    View<uint64_t> group_sums;    // (groups, 16)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const size_t begin = size_t(i / kChildren) * group * kChildren + i % kChildren;
        uint32_t count = 0;
        uint64_t sum = 0;
        for (size_t at = begin; at < begin + group * kChildren && at < counts.count; at += kChildren)
            count += counts[at], sum += sums[at];
        group_counts[i] = count;
        group_sums[i] = sum;
    }
};

/// Sums of the parts before, within a node.
struct AddParts {
    uint32_t group, groups_per_node;
    View<const uint32_t> group_counts;
    View<const uint64_t> group_sums;
    View<uint32_t> counts;
    View<uint64_t> sums;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t own = i / kChildren, d = i % kChildren;
        uint32_t count = 0;
        uint64_t sum = 0;
        for (uint32_t k = own / groups_per_node * groups_per_node; k < own; ++k) {
            count += group_counts[size_t(k) * kChildren + d];
            sum += group_sums[size_t(k) * kChildren + d];
        }
        const size_t begin = size_t(own) * group * kChildren + d;
        for (size_t at = begin; at < begin + group * kChildren && at < counts.count; at += kChildren) {
            const uint32_t own_count = counts[at];
            const uint64_t own_sum = sums[at];
            counts[at] = count;
            sums[at] = sum;
            count += own_count;
            sum += own_sum;
        }
    }
};

struct Descend {
    Level level;
    View<const Item> items;
    View<const uint32_t> counts;
    View<const uint64_t> sums;
    View<Item> to;
    FLIPSCOPE_HD void operator()(uint32_t part) const {
        uint32_t count[kChildren];
        uint64_t sum[kChildren];
        for (uint32_t d = 0; d < kChildren; ++d) {
            count[d] = counts[size_t(part) * kChildren + d];
            sum[d] = sums[size_t(part) * kChildren + d];
        }
        for (uint32_t i = part * level.part; i < level.end_of(part); ++i) {
            Item item = items[i];
            const uint32_t d = level.digit(item);
            for (uint32_t lower = 0; lower < d; ++lower) {
                item.below += count[lower];
                item.below_sum += sum[lower];
            }
            const uint32_t child = item.rank >> level.child_bits << level.child_bits;
            to[child + count[d]] = item;
            ++count[d];
            sum[d] += item.height;
        }
    }
};

/// The last level: within a node of 16 ranks all are compared.
struct FinishNode {
    uint32_t n;
    View<const Item> items;
    View<Item> to;  // by place in the order of x
    FLIPSCOPE_HD void operator()(uint32_t node) const {
        uint32_t heights[kChildren], ranks[kChildren];
        const uint32_t begin = node * kChildren, count = begin + kChildren < n ? kChildren : n - begin;
        for (uint32_t i = 0; i < count; ++i) {
            Item item = items[begin + i];
            heights[i] = item.height;
            ranks[i] = item.rank;
            for (uint32_t before = 0; before < i; ++before)
                if (ranks[before] < item.rank) {
                    ++item.below;
                    item.below_sum += heights[before];
                }
            to[item.place] = item;
        }
    }
};

struct SumHeights {
    uint32_t n;
    View<const Item> items;
    View<uint64_t> sums;  // (chunks)
    FLIPSCOPE_HD void operator()(uint32_t chunk) const {
        const uint64_t end = (uint64_t(chunk) + 1) * kSumRun < n ? (uint64_t(chunk) + 1) * kSumRun : n;
        uint64_t sum = 0;
        for (uint64_t i = uint64_t(chunk) * kSumRun; i < end; ++i) sum += items[i].height;
        sums[chunk] = sum;
    }
};

/// Both sums of Warnock's formula over the points of a chunk.
struct SumTerms {
    uint32_t n;
    View<const Item> items;               // by place in the order of x
    View<const uint64_t> xs;              // (n) ascending
    View<const uint64_t> heights_before;  // (chunks)
    View<Point> terms;                    // (chunks) of single points and of pairs
    FLIPSCOPE_HD void operator()(uint32_t chunk) const {
        const uint64_t end = (uint64_t(chunk) + 1) * kSumRun < n ? (uint64_t(chunk) + 1) * kSumRun : n;
        uint64_t before = heights_before[chunk];
        Point sum{0, 0};
        for (uint64_t i = uint64_t(chunk) * kSumRun; i < end; ++i) {
            const Item& item = items[i];
            // Half a unit more: the middle of the cell of 2^-32 that the point lies in.
            const double u = (double(0xFFFFFFFFu - xs[i]) + 0.5) / kScale, v = (item.height + 0.5) / kScale;
            const double x = 1 - u, y = 1 - v;
            sum.x += (1 - x * x) * (1 - y * y);
            // (i, i) once, and each pair with an earlier one twice.
            const double higher = double(before - item.below_sum) / kScale + 0.5 * double(i - item.below) / kScale;
            sum.y += u * v + 2 * u * (v * item.below + higher);
            before += item.height;
        }
        terms[chunk] = sum;
    }
};

}  // namespace

double l2_star_discrepancy(Context& context, const Window& window, View<const Point> points) {
    auto n = static_cast<uint32_t>(points.count);
    if (n == 0 || !(window.area() > 0)) return std::numeric_limits<double>::quiet_NaN();
    Buffer<uint64_t> xs("x"), ys("y");
    Buffer<uint32_t> by_x("points by x"), by_y("points by y");
    for (Buffer<uint64_t>* each : {&xs, &ys}) each->resize(context, n);
    for (Buffer<uint32_t>* each : {&by_x, &by_y}) each->resize(context, n);
    launch(context, "statistics.keys_x", n, KeyByAxis{points, window, true, {}, xs.view(), by_x.view()});
    if (n > 1) sort_by_key(context, "statistics.sort_x", xs, by_x, 33);
    launch(context, "statistics.keys_y", n, KeyByAxis{points, window, false, by_x.view(), ys.view(), by_y.view()});
    if (n > 1) sort_by_key(context, "statistics.sort_y", ys, by_y, 33);
    // Points beyond the window are last in both orders.
    n = static_cast<uint32_t>(sums_of(context, "statistics.inside", n, CountInside{xs.view()}).value[0]);
    if (n == 0) return std::numeric_limits<double>::quiet_NaN();

    const uint32_t chunks = (n + kSumRun - 1) / kSumRun;
    const uint32_t part = context.on_cuda() ? 64 : 256, parts = (n + part - 1) / part;
    Buffer<Item> items("discrepancy items"), other("discrepancy items");
    Buffer<uint32_t> counts("digits"), group_counts("digits of groups");
    Buffer<uint64_t> sums("digit sums"), group_sums("digit sums of groups");
    for (Buffer<Item>* each : {&items, &other}) each->resize(context, n);
    counts.resize(context, size_t(parts) * kChildren);
    sums.resize(context, size_t(parts) * kChildren);
    group_counts.resize(context, size_t(parts) * kChildren);
    group_sums.resize(context, size_t(parts) * kChildren);
    launch(context, "statistics.ranks", n, PlaceRanks{by_y.view(), ys.view(), items.view()});
    uint32_t child_bits = 4;
    while (child_bits + 4 < 32 && uint64_t(kChildren) << child_bits < n) child_bits += 4;
    for (bool more = n > kChildren; more; child_bits -= 4) {
        more = child_bits > 4;
        const uint32_t parts_per_node = (kChildren << child_bits) / part, group = std::min(64u, parts_per_node);
        const uint32_t groups = (parts + group - 1) / group;
        const Level level{n, child_bits, part, group};
        const size_t joined = size_t(groups) * kChildren;
        launch(context, "statistics.digits", parts, CountDigits{level, items.view(), counts.view(), sums.view()});
        launch(context, "statistics.digit_groups", groups * kChildren,
               SumGroups{group, counts.view(), sums.view(), group_counts.view(joined), group_sums.view(joined)});
        launch(context, "statistics.digit_sums", groups * kChildren,
               AddParts{group, parts_per_node / group, group_counts.view(joined), group_sums.view(joined),
                        counts.view(), sums.view()});
        launch(context, "statistics.descend", parts,
               Descend{level, items.view(), counts.view(), sums.view(), other.view()});
        items.swap_memory(other);
    }
    launch(context, "statistics.last_nodes", (n + kChildren - 1) / kChildren,
           FinishNode{n, items.view(), other.view()});

    Buffer<uint64_t> heights("heights");
    Buffer<Point> terms("discrepancy terms");
    heights.resize(context, chunks);
    terms.resize(context, chunks);
    launch(context, "statistics.heights", chunks, SumHeights{n, other.view(), heights.view()});
    std::vector<uint64_t> before = heights.download();
    uint64_t sum = 0;
    for (uint64_t& each : before) sum += std::exchange(each, sum);
    heights.upload(context, before.data(), before.size());
    launch(context, "statistics.discrepancy", chunks,
           SumTerms{n, other.view(), xs.view(), heights.view(), terms.view()});
    double singles = 0, pairs = 0;
    for (const Point& term : terms.download()) {
        singles += term.x;
        pairs += term.y;
    }
    const double squared = 1.0 / 9 - singles / (2 * double(n)) + pairs / (double(n) * double(n));
    return squared > 0 ? std::sqrt(squared) : 0;
}

}  // namespace flipscope
