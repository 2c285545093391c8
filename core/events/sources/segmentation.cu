#include "events/sources/segmentation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "compute/disjoint_sets.h"
#include "compute/error.h"
#include "compute/primitives.h"
#include "events/sources/segmentation_kernels.h"

namespace flipscope {

using namespace segmentation_kernels;

namespace {

/// The weights of a Gaussian by distance, cut off at 4 standard deviations; all taps together are 2^31.
std::vector<uint32_t> gaussian_weights(double deviation) {
    const auto radius = static_cast<uint32_t>(4 * deviation + 0.5);
    std::vector<double> exact;
    double sum = 0;
    for (uint32_t k = 0; k <= radius; ++k) {
        exact.push_back(std::exp(-0.5 * k * k / (deviation * deviation)));
        sum += k == 0 ? 1 : 2 * exact[k];
    }
    std::vector<uint32_t> weights{uint32_t(1) << 31};
    for (uint32_t k = 1; k <= radius; ++k) {
        weights.push_back(static_cast<uint32_t>(std::llround(exact[k] / sum * 0x1p31)));
        weights[0] -= 2 * weights[k];
    }
    return weights;
}

int64_t pixels_of_window(int radius) { return (2 * int64_t(radius) + 1) * (2 * int64_t(radius) + 1); }

void require_between(const char* name, double value, double most) {
    if (!(value >= 0 && value <= most))
        throw Error(std::string(name) + ": expected a number from 0 to " + std::to_string(std::lround(most)) +
                    " pixels, found " + std::to_string(value));
}

/// The watershed of a distance map: basins of pixels that ascend to the same peak, merged where the ground between two
/// peaks is hardly lower than the lower one.
///
/// Merges basins until every peak rises by at least `height` above the highest pass that leads to a higher peak: the
/// markers are then the h-maxima of P. Soille, Morphological Image Analysis (2003), and the basins their watershed
/// without lines between (F. Meyer, Topographic distance and watershed lines, 1994). Of equal peaks the one with the
/// larger index is the higher one. `roots`: (h, w) the peak of each pixel, kNone in the background; replaced by those
/// that remain. `squares`: (h, w) squared distances.
void split_by_watershed(std::vector<uint32_t>& roots, const std::vector<uint32_t>& squares,
                        std::vector<BasinContact> contacts, double height) {
    sort_or_cancel(contacts.begin(), contacts.end(), [](const BasinContact& p, const BasinContact& q) {
        return std::tie(q.square, p.a, p.b) < std::tie(p.square, q.a, q.b);
    });
    CancelPoll poll;
    // From the highest pass down. A connected region has its highest peak as representative; a region that rises too
    // little joins the basin on the other side of the pass.
    std::vector<uint32_t> regions(roots.size());
    std::iota(regions.begin(), regions.end(), 0u);
    std::vector<uint32_t> basins = regions;
    for (const BasinContact& contact : contacts) {
        poll();
        uint32_t lower = root_of(regions, contact.a), higher = root_of(regions, contact.b);
        if (lower == higher) continue;
        const bool swaps = std::tie(squares[lower], lower) > std::tie(squares[higher], higher);
        if (swaps) std::swap(lower, higher);
        regions[lower] = higher;
        if (std::sqrt(double(squares[lower])) - std::sqrt(double(contact.square)) < height)
            basins[root_of(basins, lower)] = root_of(basins, swaps ? contact.a : contact.b);
    }
    for (uint32_t& root : roots) {
        poll();
        if (root != kNone) root = root_of(basins, root);
    }
}

}  // namespace

Segmentation::Segmentation(const SegmentationParameters& parameters, const Lattice& lattice, double low, double high)
    : parameters_(parameters), lattice_(lattice), low_(low) {
    using P = SegmentationParameters;
    require_between("smoothing", parameters.smoothing, P::kMostSmoothing);
    require_between("radius of the background", parameters.background_radius, P::kMostRadius);
    require_between("radius of the local threshold", parameters.local_radius, P::kMostRadius);
    require_between("opening", parameters.opening, P::kMostDisc);
    require_between("closing", parameters.closing, P::kMostDisc);
    if (std::max(lattice.width, lattice.height) >= kFar)
        throw Error("frames of " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                    " pixels are too large to find bubbles in: expected fewer than " + std::to_string(kFar) +
                    " pixels in each direction");
    int exponent = 0;
    if (high > low) std::frexp(high - low, &exponent);       // high - low <= 2^exponent
    scale_ = std::ldexp(1., 30 - std::max(exponent, -900));  // finite
    if (parameters.smoothing > 0) weights_ = gaussian_weights(parameters.smoothing);
}

template <class Number>
std::vector<double> Segmentation::prepare(Context& context, const Number* frame) {
    const uint32_t count = lattice_.pixel_count();
    CancelPoll poll;
    std::vector<int32_t> whole(count);
    for (uint32_t i = 0; i < count; ++i) {
        poll();
        whole[i] = static_cast<int32_t>(std::lround((double(frame[i]) - low_) * scale_));
    }
    values_.upload(context, whole.data(), count);
    if (!weights_.empty()) smooth(context);
    const int radius = parameters_.background_radius;
    if (radius > 0) {
        sum_windows(context, static_cast<uint32_t>(radius));
        launch(context, "segment.background", count,
               SubtractMean{values_.view(), sums_.view(), pixels_of_window(radius)});
    }
    values_.download(whole.data(), count);
    std::vector<double> prepared(count);
    for (uint32_t i = 0; i < count; ++i) {
        poll();
        prepared[i] = whole[i] / scale_ + (radius > 0 ? 0 : low_);
    }
    return prepared;
}
template std::vector<double> Segmentation::prepare(Context&, const float*);
template std::vector<double> Segmentation::prepare(Context&, const double*);

void Segmentation::smooth(Context& context) {
    const uint32_t count = lattice_.pixel_count();
    tap_weights_.upload(context, weights_.data(), weights_.size());
    turned_.resize(context, count, false);
    launch(context, "segment.smooth", count,
           SmoothRows{values_.view(), turned_.view(), tap_weights_.view(), lattice_.width, lattice_.height,
                      lattice_.periodic.x});
    launch(context, "segment.smooth", count,
           SmoothRows{turned_.view(), values_.view(), tap_weights_.view(), lattice_.height, lattice_.width,
                      lattice_.periodic.y});
}

/// Sets sums_.
void Segmentation::sum_windows(Context& context, uint32_t radius) {
    const uint32_t width = lattice_.width, height = lattice_.height;
    row_sums_.resize(context, lattice_.pixel_count(), false);
    sums_.resize(context, lattice_.pixel_count(), false);
    launch(context, "segment.windows", height * SumRows<int32_t>::parts(width),
           SumRows<int32_t>{values_.view(), row_sums_.view(), width, height, radius, lattice_.periodic.x});
    launch(context, "segment.windows", width * SumRows<int64_t>::parts(height),
           SumRows<int64_t>{row_sums_.view(), sums_.view(), height, width, radius, lattice_.periodic.y});
}

LabelCells Segmentation::cells(Context& context, View<const float> field, double threshold, bool below) {
    const bool local = parameters_.local_radius > 0;
    if (local) sum_windows(context, static_cast<uint32_t>(parameters_.local_radius));
    mask_.resize(context, lattice_.pixel_count(), false);
    launch(context, "segment.select", lattice_.pixel_count(),
           SelectPixels{field, values_.view(), local ? sums_.view() : View<int64_t>(),
                        double(pixels_of_window(parameters_.local_radius)), parameters_.local_offset * scale_,
                        threshold, below, mask_.view()});
    for (const bool erodes : {true, false}) apply_disc(context, parameters_.opening, erodes);
    for (const bool erodes : {false, true}) apply_disc(context, parameters_.closing, erodes);
    if (parameters_.hole_area > 0) fill_holes(context);
    return number(find_bubbles(context));
}

/// Sets squares_.
void Segmentation::measure_distances(Context& context, uint8_t target, uint32_t limit) {
    along_x_.resize(context, lattice_.pixel_count(), false);
    squares_.resize(context, lattice_.pixel_count(), false);
    launch(context, "segment.rows", lattice_.height,
           MeasureAlongRows{mask_.view(), along_x_.view(), lattice_.width, target, lattice_.periodic.x});
    launch(context, "segment.distances", lattice_.pixel_count(),
           MeasureSquares{along_x_.view(), squares_.view(), lattice_, limit});
}

void Segmentation::apply_disc(Context& context, int radius, bool erodes) {
    if (radius == 0) return;
    const uint32_t square = static_cast<uint32_t>(radius) * static_cast<uint32_t>(radius);
    measure_distances(context, erodes ? 0 : 1, square + 1);
    launch(context, "segment.disc", lattice_.pixel_count(), ApplyDisc{squares_.view(), mask_.view(), square, erodes});
}

/// Sets roots_.
void Segmentation::join(Context& context, uint8_t target, bool corners) {
    const uint32_t count = lattice_.pixel_count();
    parents_.resize(context, count, false);
    roots_.resize(context, count, false);
    launch(context, "segment.start", count, StartAlone{parents_.view()});
    launch(context, "segment.join", count, JoinPixels{mask_.view(), {parents_.view()}, lattice_, target, corners});
    launch(context, "segment.roots", count, FindRoots{mask_.view(), {parents_.view()}, roots_.view(), target});
}

void Segmentation::fill_holes(Context& context) {
    const uint32_t count = lattice_.pixel_count(), enough = static_cast<uint32_t>(parameters_.hole_area);
    join(context, 0, false);
    hole_areas_.fill(context, count, 0);
    launch(context, "segment.holes", count, CountHolePixels{roots_.view(), hole_areas_.view(), enough});
    launch(context, "segment.fill", count, FillHoles{roots_.view(), hole_areas_.view(), mask_.view(), enough});
}

/// (h, w) the same pixel for all of a bubble; kNone: background.
std::vector<uint32_t> Segmentation::find_bubbles(Context& context) {
    if (!(parameters_.split_height > 0)) {
        join(context, 1, true);
        return roots_.download();
    }
    const uint32_t count = lattice_.pixel_count();
    measure_distances(context, 0, kNone);
    parents_.resize(context, count, false);
    roots_.resize(context, count, false);
    launch(context, "segment.ascend", count, AscendToPeak{mask_.view(), squares_.view(), parents_.view(), lattice_});
    launch(context, "segment.roots", count, FindRoots{mask_.view(), {parents_.view()}, roots_.view(), 1});
    ListContacts list{roots_.view(), squares_.view(), lattice_, {}};
    const uint64_t contact_count = sums_of(context, "segment.count", count, list).value[0];
    Buffer<BasinContact> contacts("contacts of basins");
    Buffer<uint32_t> total("number of contacts");
    contacts.resize(context, contact_count);
    total.resize(context, 1);
    list.out = contacts.view();
    compact(context, "segment.contacts", count, list, total.view());
    std::vector<uint32_t> bubbles = roots_.download();
    split_by_watershed(bubbles, squares_.download(), contacts.download(), parameters_.split_height);
    return bubbles;
}

/// Leaves out bubbles that are too small or touch an open border, and numbers the others.
LabelCells Segmentation::number(const std::vector<uint32_t>& bubbles) const {
    const Lattice& lattice = lattice_;
    CancelPoll poll;
    std::vector<uint32_t> areas(bubbles.size(), 0);  // by bubble; 0: left out
    const auto least = static_cast<uint32_t>(std::max(1, parameters_.least_area));
    for (const uint32_t bubble : bubbles) {
        poll();
        if (bubble != kNone) ++areas[bubble];
    }
    for (uint32_t& area : areas) area = area < least ? 0 : area;
    const auto leave_out = [&](uint32_t x, uint32_t y) {
        if (const uint32_t bubble = bubbles[lattice.pixel(x, y)]; bubble != kNone) areas[bubble] = 0;
    };
    const bool ends_in_x = parameters_.inner_only && !lattice.periodic.x,
               ends_in_y = parameters_.inner_only && !lattice.periodic.y;
    for (uint32_t y = 0; ends_in_x && y < lattice.height; ++y) leave_out(0, y), leave_out(lattice.width - 1, y);
    for (uint32_t x = 0; ends_in_y && x < lattice.width; ++x) leave_out(x, 0), leave_out(x, lattice.height - 1);
    std::vector<uint32_t> numbers(bubbles.size(), 0);
    FieldStack stack;
    stack.name = "segmentation";
    stack.width = lattice.width;
    stack.height = lattice.height;
    stack.whole = 1;
    stack.exact.resize(bubbles.size(), 0);
    uint32_t next = 1;
    for (size_t i = 0; i < bubbles.size(); ++i) {
        poll();
        if (bubbles[i] == kNone || areas[bubbles[i]] == 0) continue;
        uint32_t& number = numbers[bubbles[i]];
        if (number == 0) number = next++;
        stack.exact[i] = number;
    }
    return label_cells(lattice, stack, 0);
}

}  // namespace flipscope
