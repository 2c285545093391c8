#include "voronoi/components.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "compute/error.h"
#include "compute/launch.h"
#include "voronoi/components_kernels.h"

namespace flipscope {

using namespace component_kernels;

namespace {

/// The float b for which "value < b" says of every float what "value < threshold" says in double precision.
float bound_for(double threshold) {
    const float rounded = static_cast<float>(threshold);
    return static_cast<double>(rounded) < threshold ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                                                    : rounded;
}

/// The most components a lattice can have: no two of them within a square of 2 × 2 sites.
uint64_t most_components(const Lattice& lattice) {
    const auto along = [&](uint64_t n) { return lattice.periodic ? std::max<uint64_t>(n / 2, 1) : (n + 1) / 2; };
    return lattice.site_count() ? along(lattice.width) * along(lattice.height) : 0;
}

void require_room(const Lattice& lattice) {
    const uint64_t width = lattice.width, height = lattice.height;
    const uint64_t words = (width + kWordSites - 1) / kWordSites * height;
    // Offsets are signed 32-bit numbers (see RunRows), indices of sites in whole words unsigned ones.
    const bool fits = width * height < kNone && words < kNone / kWordSites &&
                      (!lattice.periodic || (height + 1) * (2 * width + 3) + width + 1 < (1ull << 31));
    if (fits) return;
    throw Error("a lattice of " + std::to_string(width) + " × " + std::to_string(height) +
                " sites is too large for labelling its components: at most " +
                (lattice.periodic ? "about 2^30 sites when it is periodic" : "2^32 sites, and 2^27 rows") +
                "; take a smaller one");
}

}  // namespace

RunRows Components::runs() const {
    RunRows rows;
    rows.lattice = lattice_;
    rows.row_words = (lattice_.width + kWordSites - 1) / kWordSites;
    rows.bits = bits_.view();
    rows.nodes = nodes_.view();
    return rows;
}

void Components::reset(Context& context, const Lattice& lattice) {
    require_room(lattice);
    lattice_ = lattice;
    most_ = static_cast<uint32_t>(most_components(lattice));
    labelled_ = true;  // nothing belongs, and so everything is labelled
    const uint32_t words = lattice.width ? runs().row_words * lattice.height : 0;
    tree_ = RankTree::of(words);
    labels_.resize(context, lattice.site_count(), false);
    areas_.resize(context, most_, false);
    centres_.resize(context, most_, false);
    windings_.resize(context, most_, false);
    counts_.resize(context, 2, false);
    bits_.resize(context, words, false);
    wound_.resize(context, lattice.periodic ? words : 0, false);
    nodes_.resize(context, size_t(words) * kWordNodes, false);
    root_counts_.resize(context, tree_.entries(), false);
    sums_.resize(context, 3 * size_t(most_), false);
    labels_.fill_bytes(0xFF);
    counts_.fill_bytes(0);
    bits_.fill_bytes(0);
    sums_.fill_bytes(0);
}

void Components::threshold(Context& context, View<const float> field, double threshold, bool below,
                           View<const uint8_t> obstacles) {
    if (field.count != lattice_.site_count() || (obstacles.count && obstacles.count != field.count))
        throw std::logic_error("a field of " + std::to_string(field.count) + " values and " +
                               std::to_string(obstacles.count) + " for obstacles, on a lattice of " +
                               std::to_string(lattice_.site_count()) + " sites");
    if (obstacles.count == 0) obstacles = {};
    labelled_ = false;
    const float bound = below ? bound_for(threshold) : bound_for(-threshold);
    launch(context, "components.threshold", site_indices(context, static_cast<uint32_t>(bits_.size())),
           ChooseSites{runs(), bits_.view(), field, obstacles, bound, below ? 1.0f : -1.0f});
}

void Components::show_threshold(Context& context) {
    launch(context, "components.show", site_indices(context, static_cast<uint32_t>(bits_.size())),
           WriteLabels{runs(), {}, {}, {}, labels_.view(), true});
}

void Components::label(Context& context) {
    if (labelled_) return;
    const uint32_t words = static_cast<uint32_t>(bits_.size());
    const RunRows rows = runs();
    RankTree tree = tree_;
    tree.counts = root_counts_.view();
    const View<uint32_t> wound = lattice_.periodic ? wound_.view() : View<uint32_t>();
    launch(context, "components.join", words, JoinRuns{rows, tree, wound});
    launch(context, "components.roots", words, FindRoots{rows, tree});
    launch(context, "components.rank", words, RankRoots{rows, tree, windings_.view(), counts_.view()});
    launch(context, "components.label", site_indices(context, words),
           WriteLabels{rows, wound, windings_.view(), counts_.view(), labels_.view(), false});
    labelled_ = true;
}

void Components::measure(Context& context, MeasureMethod method) {
    if (!labelled_) throw std::logic_error("components are measured after they were labelled");
    if (method == MeasureMethod::kAtomics)
        launch(context, "components.sum", runs().row_words * ((lattice_.height + kSumRows - 1) / kSumRows),
               AddUp{runs(), windings_.view(), sums_.view()});
    else
        sum_by_sorting(context);
    launch(context, "components.centres", count(), FindCentres{lattice_, sums_.view(), areas_.view(), centres_.view()});
}

uint32_t Components::read_count(Context& context) const {
    context.synchronize();
    return counts_.read(0);
}

uint32_t Components::read_winding_count(Context& context) const {
    context.synchronize();
    return counts_.read(1);
}

}  // namespace flipscope
