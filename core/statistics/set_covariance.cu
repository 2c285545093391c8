#include "statistics/set_covariance.h"

#include <algorithm>

#include "compute/launch.h"

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
        double sum = 0;
        for (size_t i = 0; i < slopes.count; ++i) {
            const Slope e = slopes[i];
            size_t first = 0, end = slopes.count;
            while (first < end) {  // the first that can reach beyond the left end of e
                const size_t middle = (first + end) / 2;
                if (slopes[middle].left + dx + widest <= e.left)
                    first = middle + 1;
                else
                    end = middle;
            }
            for (; first < slopes.count && slopes[first].left + dx < e.right; ++first) {
                const Slope f = slopes[first];
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
    std::vector<Slope> slopes;
    double widest = 0;
    for (const AreaSide& side : sides_of(area)) {
        if (side.from.x == side.to.x) continue;
        const bool right = side.from.x < side.to.x;
        const Point a = right ? side.from : side.to, b = right ? side.to : side.from;
        slopes.push_back({a.x, b.x, a.y, (b.y - a.y) / (b.x - a.x), right ? -1.0 : 1.0});
        widest = std::max(widest, b.x - a.x);
    }
    std::ranges::stable_sort(slopes, {}, &Slope::left);
    Buffer<Slope> on_device("slopes of the study area");
    on_device.upload(context, slopes.data(), slopes.size());
    constexpr uint32_t kCount = (2 * PairWeights::kNodes + 1) * (PairWeights::kNodes + 1);
    table.resize(context, kCount, false);
    launch(context, "spatial.set_covariance", kCount, SetCovariance{on_device.view(), widest, reach, table.view()});
}

}  // namespace flipscope
