// Bubbles by a threshold on a random field, like the sample of Bernaschi, Lulli and Sbragaglia (2016, section I). Ours
// is smooth noise: random numbers at the nodes of a coarse grid, interpolated by nearly isotropic cubic B-splines. It
// drifts, and turns into another field over its lifetime. No state is carried from one moment to the next, so every
// moment costs the same and can be computed directly.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/launch.h"
#include "compute/random.h"
#include "events/sources/source_parts.h"

namespace flipscope {

namespace bubbles {

constexpr double kSigmas = 0.8;      // threshold above the mean, in standard deviations
constexpr double kDeviation = 0.25;  // of the field
constexpr double kUsual = 0.5;       // the threshold
constexpr double kNodesEach = 22;    // nodes of the coarse grid per bubble, an empirical number
constexpr double kLeastSpacing = 2;  // of that grid, pixels

/// Weights of the four nodes around a place, at t from the second to the third; they sum to 1.
template <class Number>
struct Spline {
    Number w[4];
    FLIPSCOPE_HD explicit Spline(Number t) {
        const Number s = 1 - t, sixth = Number(1) / 6;
        w[0] = s * s * s * sixth;
        w[1] = (t * t * (3 * t - 6) + 4) * sixth;
        w[2] = (s * s * (3 * s - 6) + 4) * sixth;
        w[3] = t * t * t * sixth;
    }
};

/// The window of nodes under the lattice at this moment, along one axis.
struct Axis {
    double per_pixel = 1;  // nodes per pixel
    double offset = 1;     // of pixel 0 from the first node of the window, in nodes; at least 1
    int64_t first = 0;     // the first node of the window
    int64_t period = 0;    // nodes per period; 0: open
    uint32_t nodes = 0;    // in the window

    FLIPSCOPE_HD int64_t node(uint32_t k) const {
        const int64_t at = first + k;
        return period ? (at % period + period) % period : at;
    }
};

/// Random numbers of four layers in time at each node, blended by a spline through time, with variance 1 at every
/// moment.
struct FillNodes {
    Axis x, y;
    uint64_t seed;
    int64_t layer;  // the first of four
    double weight[4];
    View<float> nodes;  // (ny, nx)

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint64_t column = static_cast<uint32_t>(x.node(i % x.nodes));
        const uint64_t row = static_cast<uint32_t>(y.node(i / x.nodes));
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            if (weight[k] == 0) continue;
            const uint64_t key = seed | uint64_t(static_cast<uint32_t>(layer + k)) << 32;
            sum += weight[k] * (random_pair(key, column | row << 32).first - 0.5);
        }
        nodes[i] = static_cast<float>(sum);
    }
};

/// A run of pixels in one row, so that shared terms are computed once.
struct PaintField {
    Axis x, y;
    uint32_t width, run, runs;  // pixels per row, pixels per run, runs per row
    View<const float> nodes;    // (ny, nx)
    View<float> field;          // (h, w)

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t row = i / runs, begin = i % runs * run;
        const uint32_t end = begin + run < width ? begin + run : width;
        const double at_y = row * y.per_pixel + y.offset;
        const uint32_t cell_y = static_cast<uint32_t>(at_y);
        const Spline<float> across(static_cast<float>(at_y - cell_y));
        const float* below = nodes.data + size_t(cell_y - 1) * x.nodes;
        uint32_t cell = 0;
        float a0 = 0, a1 = 0, a2 = 0, a3 = 0;  // the spline between two nodes, as a polynomial
        for (uint32_t pixel = begin; pixel < end; ++pixel) {
            const double at_x = pixel * x.per_pixel + x.offset;
            const uint32_t cell_x = static_cast<uint32_t>(at_x);
            if (cell_x != cell) {
                cell = cell_x;
                float c[4];
                for (uint32_t k = 0; k < 4; ++k) {
                    const float* node = below + (cell - 1 + k);
                    c[k] = across.w[0] * node[0] + across.w[1] * node[x.nodes] + across.w[2] * node[2 * x.nodes] +
                           across.w[3] * node[3 * x.nodes];
                }
                constexpr float kSixth = 1.0f / 6;
                a0 = (c[0] + 4 * c[1] + c[2]) * kSixth;
                a1 = (c[2] - c[0]) * 0.5f;
                a2 = (c[0] - 2 * c[1] + c[2]) * 0.5f;
                a3 = (c[3] - c[0] + 3 * (c[1] - c[2])) * kSixth;
            }
            const float t = static_cast<float>(at_x - cell_x);
            const float z = a0 + t * (a1 + t * (a2 + t * a3));
            field[size_t(row) * width + pixel] =
                static_cast<float>(kDeviation) * (z - static_cast<float>(kSigmas)) + static_cast<float>(kUsual);
        }
    }
};

}  // namespace bubbles

namespace {

using namespace bubbles;

class Bubbles final : public Frames {
  public:
    Bubbles(Context& context, const SourceParameters& parameters)
        : parameters_(parameters), lattice_(checked_lattice(parameters)) {
        const double area = double(lattice_.width) * lattice_.height;
        const double spacing = std::max(kLeastSpacing, std::sqrt(area / (kNodesEach * std::max(1, parameters.count))));
        // Along a periodic axis a whole number of nodes, at least four; with fewer a node would be blended with itself.
        const auto around = [&](uint32_t pixels) { return std::max(4.0, std::round(pixels / spacing)); };
        per_pixel_x_ = lattice_.periodic.x ? around(lattice_.width) / lattice_.width : 1 / spacing;
        per_pixel_y_ = lattice_.periodic.y ? around(lattice_.height) / lattice_.height : 1 / spacing;
        period_x_ = lattice_.periodic.x ? static_cast<int64_t>(around(lattice_.width)) : 0;
        period_y_ = lattice_.periodic.y ? static_cast<int64_t>(around(lattice_.height)) : 0;
        show(context);
    }

    Lattice lattice() const override { return lattice_; }
    const char* time_unit() const override { return "steps"; }
    Buffer<float>* field() override { return &field_; }
    double usual_threshold() const override { return kUsual; }
    uint32_t usual_interval() const override { return 20; }
    std::vector<SourceNote> notes() const override {
        constexpr double kPixelsEach = kNodesEach * kLeastSpacing * kLeastSpacing;
        const double room = static_cast<double>(lattice_.pixel_count()) / kPixelsEach;
        const double made = per_pixel_x_ * lattice_.width * per_pixel_y_ * lattice_.height / kNodesEach;
        const double asked = parameters_.count;
        if (made > 1.5 * asked + 1) return {{SourceNote::Kind::kMoreBubbles, asked, std::round(made)}};
        if (asked <= std::max(1.0, room)) return {};
        return {{SourceNote::Kind::kFewerBubbles, asked, std::max(1.0, std::round(room)),
                 static_cast<uint64_t>(std::lround(kPixelsEach))}};
    }
    SourceDescription description() const override { return {SourceDescription::Kind::kBubbles}; }

  private:
    Axis axis(double per_pixel, int64_t period, double drift, uint32_t pixels) const {
        Axis axis;
        axis.per_pixel = per_pixel;
        axis.period = period;
        double from = -drift * static_cast<double>(frame_) * per_pixel;
        if (period) from -= std::floor(from / static_cast<double>(period)) * static_cast<double>(period);
        const double whole = std::floor(from);
        axis.first = static_cast<int64_t>(whole) - 1;
        axis.offset = from - whole + 1;
        axis.nodes = static_cast<uint32_t>((pixels - 1) * per_pixel + axis.offset) + 3;
        return axis;
    }

    uint64_t frame_count() const override { return std::numeric_limits<uint64_t>::max(); }
    void show(Context& context) override {
        if (parameters_.drift_x == 0 && parameters_.drift_y == 0 && !(parameters_.lifetime > 0) && !field_.empty())
            return;
        const Axis x = axis(per_pixel_x_, period_x_, parameters_.drift_x, lattice_.width);
        const Axis y = axis(per_pixel_y_, period_y_, parameters_.drift_y, lattice_.height);
        FillNodes fill{x, y, static_cast<uint32_t>(parameters_.seed), 0, {1, 0, 0, 0}, {}};
        if (parameters_.lifetime > 0) {
            // A spline spans four layers, half a lifetime apart: after one lifetime little of a moment is left.
            const double at = static_cast<double>(frame_) / (0.5 * parameters_.lifetime), whole = std::floor(at);
            const Spline<double> through(at - whole);
            fill.layer = static_cast<int64_t>(whole);
            std::copy_n(through.w, 4, fill.weight);
        }
        double squares = 0;
        for (const double w : fill.weight) squares += w * w;
        constexpr double kSplineSquared = 151.0 / 315;  // mean of the sum of a spline's squared weights
        for (double& w : fill.weight) w *= std::sqrt(12 / squares) / kSplineSquared;

        nodes_.resize(context, size_t(x.nodes) * y.nodes, false);
        field_.resize(context, lattice_.pixel_count(), false);
        fill.nodes = nodes_.view();
        launch(context, "source.nodes", x.nodes * y.nodes, fill);
        // Neighbouring threads of a GPU should write neighbouring pixels; a CPU thread should write many.
        const uint32_t run = context.on_cuda() ? 4 : 128, runs = (lattice_.width + run - 1) / run;
        launch(context, "source.field", runs * lattice_.height,
               PaintField{x, y, lattice_.width, run, runs, nodes_.view(), field_.view()});
    }

    SourceParameters parameters_;
    Lattice lattice_;
    double per_pixel_x_, per_pixel_y_;
    int64_t period_x_, period_y_;
    Buffer<float> nodes_{"noise nodes"}, field_{"field", Residence::kDrawn};
};

}  // namespace

std::unique_ptr<Source> make_bubbles(Context& context, const SourceParameters& parameters) {
    return std::make_unique<Bubbles>(context, parameters);
}

}  // namespace flipscope
