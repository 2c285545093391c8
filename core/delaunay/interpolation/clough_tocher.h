// The Clough–Tocher element: a cubic in each third of a triangle, whose values and gradients agree with the corners'
// and which has a continuous gradient across edges. Along the middle of an edge the derivative towards the centroid of
// the next triangle is linear, which makes the element invariant under affine maps (P. Alfeld, 1984; G. Farin,
// Triangular Bernstein-Bézier patches, 1986); SciPy has the same element.
#pragma once

#include "geometry/accurate_determinants.h"

namespace flipscope {

/// What the element knows of a triangle; none of it depends on the values.
struct CloughTocher {
    Point corners[3];
    double slants[3];   // of edge k, opposite to corner k: where the derivative across it points to
    double weights[3];  // of the place: >= 0, with the sum 1

    /// The apex of the triangle beyond edge k.
    FLIPSCOPE_HD void set_apex(uint32_t k, Point apex) {
        const Point &a = corners[k], &b = corners[(k + 1) % 3], &c = corners[(k + 2) % 3];
        const double area = accurate_orient2d(a, b, c), last = accurate_orient2d(a, b, apex);
        slants[k] = -1. / 3 - last / (3 * (area - accurate_orient2d(b, c, apex)));
    }
    FLIPSCOPE_HD void set_hull(uint32_t k) { slants[k] = -0.5; }

    /// The value at the place. The Bézier ordinates are called by how often they are multiplied by the weight of each
    /// corner: of corner k, 3; of corner k and the next or the one before, 2 and 1; and of the centroid.
    FLIPSCOPE_HD double value(const double (&values)[3], const Point (&gradients)[3]) const {
        double to_next[3], to_last[3], inner[3], middle[3], low[3], centre = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            to_next[k] = values[k] + along(gradients[k], corners[k], corners[(k + 1) % 3]) / 3;
            to_last[k] = values[k] + along(gradients[k], corners[k], corners[(k + 2) % 3]) / 3;
            inner[k] = (values[k] + to_next[k] + to_last[k]) / 3;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
            middle[k] = (slants[k] * (values[b] - values[a] + 3 * (to_next[a] - to_last[b])) - values[a] +
                         2 * to_next[a] - to_last[b] + inner[a] + inner[b]) /
                        2;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            low[k] = (inner[k] + middle[(k + 1) % 3] + middle[(k + 2) % 3]) / 3;
            centre += low[k] / 3;
        }
        // The third that has the place: opposite to the corner of least weight, which the centroid replaces.
        uint32_t k = weights[1] < weights[0] ? 1 : 0;
        if (weights[2] < weights[k]) k = 2;
        const uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
        const double p = weights[a] - weights[k], q = weights[b] - weights[k], r = 3 * weights[k];
        return p * p * (p * values[a] + 3 * (q * to_next[a] + r * inner[a])) +
               q * q * (q * values[b] + 3 * (p * to_last[b] + r * inner[b])) +
               r * r * (r * centre + 3 * (p * low[a] + q * low[b])) + 6 * p * q * r * middle[k];
    }

  private:
    FLIPSCOPE_HD static double along(Point gradient, Point from, Point to) {
        return gradient.x * (to.x - from.x) + gradient.y * (to.y - from.y);
    }
};

}  // namespace flipscope
