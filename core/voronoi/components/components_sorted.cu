// The second method for the sums of components, after Bernaschi, Lulli and Sbragaglia (2016, section III A): sort by
// label, find the end of each bin, and take differences of the cumulative sums. Theirs sorts pixels, ours sorts runs.
#include <bit>

#include "compute/primitives.h"
#include "voronoi/components/components.h"

namespace flipscope {

namespace component_kernels {

/// Index: word. Lists every run with its label, in the order of the pixels.
struct ListRuns {
    RunRows rows;
    View<uint64_t> labels;
    View<uint32_t> nodes;
    FLIPSCOPE_HD uint32_t code(uint32_t word) const {
        const uint32_t bits = rows.bits[word];
        return count_bits(bits & ~(bits << 1));
    }
    FLIPSCOPE_HD void emit(uint32_t word, uint32_t rank, uint32_t) const {
        for (uint32_t rest = rows.bits[word]; rest; ++rank) {
            const uint32_t node = RunRows::node(word, take_run(rest));
            labels[rank] = rows.label(node);
            nodes[rank] = node;
        }
    }
};
struct CountRuns {
    View<const uint32_t> bits;
    FLIPSCOPE_HD uint32_t operator()(uint32_t word) const { return count_bits(bits[word] & ~(bits[word] << 1)); }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a + b; }
};

/// Index: run in sorted order.
struct MeasureRuns {
    RunRows rows;
    View<const uint64_t> labels;
    View<const uint32_t> nodes, windings;
    View<RunSums> sums;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        sums[i] = rows.sums(nodes[i], rows.run_of(nodes[i]), windings[labels[i]]);
    }
};

inline constexpr uint32_t kGroup = 64;

/// Index: group. Makes its sums cumulative, and writes the last of them one level up.
struct AccumulateGroups {
    View<RunSums> sums, totals;
    uint32_t count;
    FLIPSCOPE_HD void operator()(uint32_t group) const {
        const uint32_t first = group * kGroup, end = count - first < kGroup ? count : first + kGroup;
        RunSums sum = sums[first];
        for (uint32_t i = first + 1; i < end; ++i) sum = sums[i] = sum + sums[i];
        totals[group] = sum;
    }
};
/// Index: sum. Adds the total of the groups before.
struct AddGroupsBefore {
    View<RunSums> sums, totals;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i >= kGroup) sums[i] = sums[i] + totals[i / kGroup - 1];
    }
};

/// Index: run in sorted order.
struct FindBinEnds {
    View<const uint64_t> labels;
    View<uint32_t> ends;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i + 1 == labels.count || labels[i] != labels[i + 1]) ends[labels[i]] = i + 1;
    }
};
/// Index: label.
struct TakeDifferences {
    View<const RunSums> cumulative;
    View<const uint32_t> ends;
    View<uint64_t> sums;
    FLIPSCOPE_HD void operator()(uint32_t label) const {
        const RunSums end = cumulative[ends[label] - 1];
        const RunSums begin = label ? cumulative[ends[label - 1] - 1] : RunSums{0, 0, 0};
        sums[3 * size_t(label)] = end.area - begin.area;
        sums[3 * size_t(label) + 1] = end.x - begin.x;
        sums[3 * size_t(label) + 2] = end.y - begin.y;
    }
};

}  // namespace component_kernels

using namespace component_kernels;

namespace {

/// Makes `count` sums cumulative, in place; the memory after them holds the levels above.
void accumulate(Context& context, View<RunSums> sums, uint32_t count) {
    if (count <= 1) return;
    const uint32_t groups = (count + kGroup - 1) / kGroup;
    const View<RunSums> totals{sums.data + count, sums.count - count};
    launch(context, "components.accumulate", groups, AccumulateGroups{sums, totals, count});
    accumulate(context, totals, groups);
    launch(context, "components.accumulate", count, AddGroupsBefore{sums, totals});
}

}  // namespace

void Components::sum_by_sorting(Context& context, Buffer<uint64_t>& sums) {
    const uint32_t words = static_cast<uint32_t>(bits_.size());
    const uint32_t run_count = reduce<uint32_t>(context, "components.list", words, CountRuns{bits_.view()}, 0);
    const uint32_t component_count = read_count(context);
    sums.resize(context, 3 * size_t(component_count));
    if (run_count == 0) return;

    Buffer<uint64_t> labels("sorted labels");
    Buffer<uint32_t> nodes("sorted runs"), ends("bin ends"), total("run count");
    labels.resize(context, run_count);
    nodes.resize(context, run_count);
    ends.resize(context, component_count);
    total.resize(context, 1);
    compact(context, "components.list", words, ListRuns{runs(), labels.view(), nodes.view()}, total.view());
    sort_by_key(context, "components.sort", labels, nodes, std::bit_width(component_count));

    Buffer<RunSums> cumulative("cumulative sums");
    cumulative.resize(context, size_t(run_count) + run_count / (kGroup - 1) + 8);
    launch(context, "components.accumulate", run_count,
           MeasureRuns{runs(), labels.view(), nodes.view(), windings_.view(), cumulative.view()});
    accumulate(context, cumulative.view(), run_count);
    launch(context, "components.bins", run_count, FindBinEnds{labels.view(), ends.view()});
    launch(context, "components.differences", component_count,
           TakeDifferences{cumulative.view(), ends.view(), sums.view()});
}

}  // namespace flipscope
