#include "voronoi/components/components.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "compute/error.h"
#include "compute/launch.h"
#include "voronoi/components/component_joining.h"
#include "voronoi/components/component_labelling.h"
#include "voronoi/components/components_kernels.h"

namespace flipscope {

using namespace component_kernels;

namespace {

/// The float b for which "value < b" equals "value < threshold" in double precision for every float.
float bound_for(double threshold) {
    const float rounded = static_cast<float>(threshold);
    return static_cast<double>(rounded) < threshold ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                                                    : rounded;
}

/// The maximum number of components of a lattice: at most one in a square of 2 × 2 pixels.
uint64_t most_components(const Lattice& lattice) {
    const auto along = [](uint64_t n, bool periodic) { return periodic ? std::max<uint64_t>(n / 2, 1) : (n + 1) / 2; };
    if (lattice.pixel_count() == 0) return 0;
    return along(lattice.width, lattice.periodic.x) * along(lattice.height, lattice.periodic.y);
}

void require_room(const Lattice& lattice) {
    const uint64_t width = lattice.width, height = lattice.height;
    const uint64_t words = (width + kWordPixels - 1) / kWordPixels * height;
    // Offsets are signed 32-bit numbers (see RunRows), indices of pixels in whole words unsigned ones.
    const bool fits = width * height < kNone && words < kNone / kWordPixels &&
                      (!lattice.periodic.any() || (height + 1) * (2 * width + 3) + width + 1 < (1ull << 31));
    if (fits) return;
    throw Error("a lattice of " + std::to_string(width) + " × " + std::to_string(height) +
                " pixels is too large for labelling its components: at most " +
                (lattice.periodic.any() ? "about 2^30 pixels when it is periodic" : "2^32 pixels, and 2^27 rows") +
                "; take a smaller one");
}

/// Words, tiles and segments of a lattice, without its views. Tiles are 4 × 32 words on CUDA, so that there are blocks
/// for a whole GPU; wider on the CPU, which reads rows contiguously; and at most as high as the lattice.
RunRows rows_for(const Lattice& lattice, bool cuda) {
    RunRows rows;
    rows.lattice = lattice;
    rows.row_words = (lattice.width + kWordPixels - 1) / kWordPixels;
    if (lattice.pixel_count() == 0) return rows;
    rows.tile_shift = std::min<uint32_t>(cuda ? 2 : 4, std::bit_width(rows.row_words - 1));
    while (rows.tile_height() / 2 >= lattice.height) ++rows.tile_shift;
    rows.segment_shift = 8;
    while (rows.segments() > kSegments) ++rows.segment_shift;
    return rows;
}

}  // namespace

RunRows Components::runs() const {
    RunRows rows = rows_;
    rows.bits = bits_.view();
    rows.nodes = nodes_.view();
    rows.tops = tops_.view();
    rows.firsts = firsts_.view();
    return rows;
}

void Components::reset(Context& context, const Lattice& lattice) {
    require_room(lattice);
    lattice_ = lattice;
    most_ = static_cast<uint32_t>(most_components(lattice));
    labelled_ = true;  // nothing is selected, so everything is labelled
    rows_ = rows_for(lattice, context.on_cuda());
    const uint32_t words = lattice.pixel_count() ? rows_.words() : 0;
    labels_.fill(context, lattice.pixel_count(), 0xFF);
    areas_.resize(context, most_, false);
    centres_of_mass_.resize(context, most_, false);
    windings_.fill(context, most_, 0);
    counts_.fill(context, 2, 0);
    counts_.write(1, 1);
    bits_.fill(context, words, 0);
    tops_.resize(context, words, false);
    wound_.resize(context, lattice.periodic.any() ? words : 0, false);
    nodes_.resize(context, size_t(words) * kWordNodes, false);
    totals_.resize(context, kSegments, false);
    firsts_.resize(context, kSegments, false);
    sums_.fill(context, 3 * size_t(most_), 0);
    shifts_.fill(context, lattice.periodic.any() ? 2 * size_t(most_) : 0, 0);
}

void Components::threshold(Context& context, View<const float> field, double threshold, bool below,
                           View<const uint8_t> obstacles) {
    if (field.count != lattice_.pixel_count() || (obstacles.count && obstacles.count != field.count))
        throw std::logic_error("a field of " + std::to_string(field.count) + " values and " +
                               std::to_string(obstacles.count) + " for obstacles, on a lattice of " +
                               std::to_string(lattice_.pixel_count()) + " pixels");
    if (obstacles.count == 0) obstacles = {};
    if (bits_.empty()) return;
    labelled_ = false;
    const float bound = below ? bound_for(threshold) : bound_for(-threshold);
    launch_blocks(context, "components.threshold", rows_.tiles(),
                  ChooseAndJoin{runs(), bits_.view(), wound_view(), field, obstacles, bound, below ? 1.0f : -1.0f});
}

void Components::show_threshold(Context& context) {
    launch(context, "components.show", lattice_.pixel_count(), ShowChosen{runs(), labels_.view()});
}

void Components::label(Context& context) {
    if (labelled_) return;
    const RunRows rows = runs();
    const View<uint64_t> shifts = lattice_.periodic.any() ? shifts_.view() : View<uint64_t>();
    const uint32_t shares = context.on_cuda() ? 4 : 1;
    const JoinTiles join{rows, shares, wound_view(), windings_.view(), counts_.view(), sums_.view(), shifts};
    launch(context, "components.join", join.indices(), join);
    launch_blocks(context, "components.rank", rows.segments(), RankRoots{rows, totals_.view()});
    if (!context.on_cuda()) count_segments();
    launch_blocks(context, "components.label", rows.tiles(),
                  LabelAndSum{rows, wound_view(), windings_.view(), counts_.view(), labels_.view(), sums_.view(),
                              shifts, totals_.view()});
    labelled_ = true;
}

void Components::take(Context& context, const LabelCells& cells) {
    const auto count = static_cast<uint32_t>(cells.names.size());
    most_ = std::max(most_, count);
    labels_.upload(context, cells.pixels.data(), cells.pixels.size());
    areas_.upload(context, cells.areas.data(), count);
    centres_of_mass_.upload(context, cells.centres.data(), count);
    windings_.upload(context, cells.windings.data(), count);
    const uint32_t counts[] = {count, count + 1};
    counts_.upload(context, counts, 2);
    labelled_ = true;
}

/// Every block of LabelAndSum does this itself on CUDA.
void Components::count_segments() {
    uint32_t count = 0;
    for (uint32_t segment = 0; segment < rows_.segments(); ++segment) {
        firsts_.view()[segment] = count;
        count += totals_.view()[segment];
    }
    counts_.view()[0] = count;
    counts_.view()[1] = count + 1;
}

void Components::measure(Context& context, MeasureMethod method, View<uint32_t> clamped, uint32_t room) {
    if (!labelled_) throw std::logic_error("components are measured after they were labelled");
    View<uint64_t> sums = sums_.view(), shifts = lattice_.periodic.any() ? shifts_.view() : View<uint64_t>();
    Buffer<uint64_t> sorted{"sorted sums"};
    if (method == MeasureMethod::kSortAndDifferences) {
        sum_by_sorting(context, sorted);
        sums = sorted.view();
        shifts = {};
    }
    launch(context, "components.centres", Extent(View<uint32_t>{counts_.view().data + 1, 1}, most_ + 1),
           FindCentresOfMass{lattice_, sums, shifts, windings_.view(), counts_.view(), areas_.view(),
                             centres_of_mass_.view(), clamped, room});
}

uint32_t Components::read_count(Context& context) const {
    context.synchronize();
    return counts_.read(0);
}

}  // namespace flipscope
