// The set covariance |W ∩ (W + d)| of polygons with holes, exact at the nodes of a lattice of shifts.
#include <algorithm>
#include <cmath>

#include "compute/launch.h"
#include "statistics/pair_weights.h"

namespace flipscope {

namespace {

/// A side that is not vertical, from left to right.
struct Slope {
    double left, right;   // x
    double start, slope;  // y at the left end; rise per unit
    double sign;
};

struct SetCovariance {
    View<const Slope> slopes;  // by their left ends
    double widest;             // of any slope
    double reach;
    View<double> table;
    static constexpr uint32_t kIndicesPerPoll = 1;
    FLIPSCOPE_HD void operator()(uint32_t node) const {
        constexpr uint32_t kNodes = PairWeights::kNodes;
        const double dx = reach / kNodes * (node % (kNodes + 1));
        const double dy = reach / kNodes * (double(node / (kNodes + 1)) - kNodes);
        table[node] = 0;
        if (sqrt(dx * dx + dy * dy) > reach * (1 + 2.0 / kNodes)) return;  // no shift within reach is next to it
        double sum = 0;
        size_t first = 0;  // that can reach beyond the left end of e
        for (size_t i = 0; i < slopes.count; ++i) {
            const Slope e = slopes[i];
            while (first < slopes.count && slopes[first].left + dx + widest <= e.left) ++first;
            for (size_t k = first; k < slopes.count && slopes[k].left + dx < e.right; ++k) {
                const Slope f = slopes[k];
                const double left = e.left > f.left + dx ? e.left : f.left + dx;
                const double right = e.right < f.right + dx ? e.right : f.right + dx;
                if (!(left < right)) continue;
                const auto gap = [&](double x) {
                    return e.start + e.slope * (x - e.left) - f.start - f.slope * (x - dx - f.left) - dy;
                };
                const double a = gap(left), b = gap(right), above = a < 0 ? -a : a, below = b < 0 ? -b : b;
                const double between = a * b < 0 ? (a * a + b * b) / (2 * (above + below)) : (above + below) / 2;
                sum += e.sign * f.sign * (right - left) * between;
            }
        }
        table[node] = -sum / 2;
    }
};

}  // namespace

void tabulate_set_covariance(Context& context, const StudyArea& area, double reach, Buffer<double>& table) {
    const std::vector<AreaSide> sides = sides_of(area);
    double width = 0;
    for (const AreaSide& side : sides) width += std::abs(side.to.x - side.from.x) / double(sides.size());
    std::vector<Slope> slopes;
    double widest = 0;
    for (const AreaSide& side : sides) {
        if (side.from.x == side.to.x) continue;
        const bool right = side.from.x < side.to.x;
        const Point a = right ? side.from : side.to, b = right ? side.to : side.from;
        const double slope = (b.y - a.y) / (b.x - a.x);
        // Wide sides in parts, since every side is tested against all that begin within the greatest width of it.
        const double parts = std::ceil((b.x - a.x) / (4 * width)), part = (b.x - a.x) / parts;
        for (double k = 0; k < parts; ++k) {
            const double left = a.x + k * part, end = k + 1 < parts ? a.x + (k + 1) * part : b.x;
            slopes.push_back({left, end, a.y + slope * (left - a.x), slope, right ? -1.0 : 1.0});
            widest = std::max(widest, end - left);
        }
    }
    std::ranges::stable_sort(slopes, {}, &Slope::left);
    Buffer<Slope> on_device("slopes of the study area");
    on_device.upload(context, slopes.data(), slopes.size());
    constexpr uint32_t kCount = (2 * PairWeights::kNodes + 1) * (PairWeights::kNodes + 1);
    table.resize(context, kCount, false);
    launch(context, "spatial.set_covariance", kCount, SetCovariance{on_device.view(), widest, reach, table.view()});
}

}  // namespace flipscope
