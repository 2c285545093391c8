// Weights of a pair of points that make up for unseen pairs beyond the border of a study area: translation (Ohser 1983)
// and isotropic (Ripley 1976). For kernels.
#pragma once

#include "compute/buffer.h"
#include "compute/portable_math.h"
#include "flipscope/spatial.h"
#include "statistics/area_view.h"

namespace flipscope {

struct PairWeights {
    static constexpr double kMost = 100;     // as in spatstat
    static constexpr uint32_t kNodes = 128;  // of the table, from 0 to `reach` along an axis
    AreaView area;
    View<const AreaSide> border;    // the sides of a rectangle, too; without periodic ones
    View<const double> covariance;  // (2 kNodes + 1, kNodes + 1) by y from -reach, x from 0; of a polygon
    double reach = 0;               // of the table, world units

    /// |W| / |W ∩ (W + d)|.
    FLIPSCOPE_HD double translation(double dx, double dy) const {
        const Window& w = area.window;
        double overlap;
        if (area.is_polygon()) {
            if (dx < 0) dx = -dx, dy = -dy;
            const double x = dx / reach * kNodes, y = (dy / reach + 1) * kNodes;
            const auto column = x < kNodes ? static_cast<uint32_t>(x) : kNodes - 1;
            const auto row = y < 2 * kNodes ? y > 0 ? static_cast<uint32_t>(y) : 0 : 2 * kNodes - 1;
            const double s = x - column, t = y - row;
            const double* const node = &covariance[size_t(row) * (kNodes + 1) + column];
            overlap =
                (1 - t) * ((1 - s) * node[0] + s * node[1]) + t * ((1 - s) * node[kNodes + 1] + s * node[kNodes + 2]);
        } else {
            overlap = (w.periodic_x ? w.width() : w.width() - (dx < 0 ? -dx : dx)) *
                      (w.periodic_y ? w.height() : w.height() - (dy < 0 ? -dy : dy));
        }
        return overlap * kMost > area.area ? area.area / overlap : kMost;
    }

    /// The circumference of the circle about p over its part within the area. Where the border leaves the disc, the
    /// circle enters the area, since the area is on the left: so the part is the sum of the angles where the border
    /// enters, less those where it leaves, modulo 2π.
    FLIPSCOPE_HD double isotropic(Point p, double radius) const {
        const double most = radius * radius, turn = 2 * portable::kPi;
        double angle = 0;
        for (size_t i = 0; i < border.count; ++i) {
            const Point a{border[i].from.x - p.x, border[i].from.y - p.y};
            const Point b{border[i].to.x - p.x, border[i].to.y - p.y};
            const bool from_inside = a.x * a.x + a.y * a.y <= most, to_inside = b.x * b.x + b.y * b.y <= most;
            if (from_inside && to_inside) continue;
            const Point e{b.x - a.x, b.y - a.y};
            const double length = e.x * e.x + e.y * e.y, along = -(a.x * e.x + a.y * e.y),
                         cross = a.x * e.y - a.y * e.x;
            double root = most * length - cross * cross;
            if (!from_inside && !to_inside && !(root > 0 && along > 0 && along < length)) continue;
            root = root > 0 ? sqrt(root) : 0;
            const double enters = (along - root) / length, leaves = (along + root) / length;
            if (!from_inside) angle += portable::atan2(a.y + enters * e.y, a.x + enters * e.x);
            if (!to_inside) angle -= portable::atan2(a.y + leaves * e.y, a.x + leaves * e.x);
        }
        const double part = angle - floor(angle / turn) * turn;
        if (!(part > 1e-9)) return 1;  // the other point is on the circle and in the area
        return part * kMost > turn ? turn / part : kMost;
    }
};

/// Fills the table of PairWeights for shifts up to `reach` along an axis. Of γ(d) = -½ Σ s_e s_f ∫ |e(x) - f(x - d_x) -
/// d_y| dx over all pairs of sides e and f, where s is -1 for a side that runs to the right and 1 for one that runs to
/// the left. The indicator of W is the sum of s times that of the region below each side; all terms that are linear in
/// a side cancel. Interpolation between nodes is off by at most (reach / 128)² / 4 times the second derivative of γ.
void tabulate_set_covariance(Context& context, const StudyArea& area, double reach, Buffer<double>& table);

}  // namespace flipscope
