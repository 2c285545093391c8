// The two-component lattice Boltzmann fluid of the emulsion, pixel by pixel: nine directions per component (D2Q9),
// relaxation to one common equilibrium (BGK), and forces between nearby densities after X. Shan and H. Chen (1993),
// applied after Z. Guo, C. Zheng and B. Shi (2002). The authors prevent droplets from merging by competing forces of a
// component on itself (R. Benzi and others, 2009); those opened the film only where they removed all tension from the
// interface. Instead, each pixel has an owner, its droplet, and fluids of two owners repel each other over 24
// neighbours, as with a surfactant. Only + - * / on floats, in one order: the same on every device.
#pragma once

#include <bit>
#include <cstdint>

#include "compute/atomics.h"
#include "compute/view.h"
#include "events/sources/source_parts.h"

namespace flipscope::emulsion {

// The whole step of a pixel must be inlined into one body; otherwise the compiler does not vectorise the loop over a
// row.
#define FLIPSCOPE_PIXEL FLIPSCOPE_HD __attribute__((always_inline)) inline

constexpr uint32_t kWays = 9;  // per component: rest, right, up, left, down, and the diagonals from up right on

/// The densities that arrive at one pixel.
struct Nine {
    float rest, e, n, w, s, ne, nw, sw, se;
    FLIPSCOPE_PIXEL float sum() const { return rest + (((e + w) + (n + s)) + ((ne + sw) + (nw + se))); }
    FLIPSCOPE_PIXEL float along_x() const { return (e - w) + ((ne - sw) + (se - nw)); }
    FLIPSCOPE_PIXEL float along_y() const { return (n - s) + ((ne - sw) + (nw - se)); }
};

struct Pair {
    float x, y;
};

/// Offsets of the rows around a row, and of the pixels around a pixel in its row, both on the torus.
struct Around {
    size_t below2, below, row, above, above2;
    size_t left2, left, x, right, right2;
    FLIPSCOPE_PIXEL size_t pixel() const { return row + x; }
};

/// The densities that arrived from the neighbours in the last step (pull scheme).
FLIPSCOPE_PIXEL Nine pulled(const float* from, size_t stride, const Around& at) {
    return {from[at.row + at.x],
            from[1 * stride + at.row + at.left],
            from[2 * stride + at.below + at.x],
            from[3 * stride + at.row + at.right],
            from[4 * stride + at.above + at.x],
            from[5 * stride + at.below + at.left],
            from[6 * stride + at.below + at.right],
            from[7 * stride + at.above + at.right],
            from[8 * stride + at.above + at.left]};
}

FLIPSCOPE_PIXEL void put(float* to, size_t stride, size_t pixel, const Nine& out) {
    to[pixel] = out.rest;
    to[1 * stride + pixel] = out.e;
    to[2 * stride + pixel] = out.n;
    to[3 * stride + pixel] = out.w;
    to[4 * stride + pixel] = out.s;
    to[5 * stride + pixel] = out.ne;
    to[6 * stride + pixel] = out.nw;
    to[7 * stride + pixel] = out.sw;
    to[8 * stride + pixel] = out.se;
}

/// The gradient of a linear function, from 8 neighbours, isotropic up to fourth order.
FLIPSCOPE_PIXEL Pair near_sum(const float* v, const Around& a) {
    const float e = v[a.row + a.right], w = v[a.row + a.left], n = v[a.above + a.x], s = v[a.below + a.x];
    const float ne = v[a.above + a.right], nw = v[a.above + a.left], se = v[a.below + a.right],
                sw = v[a.below + a.left];
    constexpr float kStraight = 1.f / 3, kDiagonal = 1.f / 12;
    return {kStraight * (e - w) + kDiagonal * ((ne - sw) + (se - nw)),
            kStraight * (n - s) + kDiagonal * ((ne - sw) + (nw - se))};
}

/// The same from 24 neighbours, up to eighth order, over values of other owners only.
struct OthersSum {
    const float* values;
    const uint32_t* owners;
    uint32_t own;

    FLIPSCOPE_PIXEL float at(size_t pixel) const {
        const uint32_t differ = owners[pixel] ^ own, all = 0 - ((differ | (0 - differ)) >> 31);  // all bits or none
        return std::bit_cast<float>(std::bit_cast<uint32_t>(values[pixel]) & all);
    }
    FLIPSCOPE_PIXEL Pair of(const Around& a) const {
        constexpr float k1 = 4.f / 21, k2 = 4.f / 45, k4 = 1.f / 60, k5 = 2.f / 315, k8 = 1.f / 5040;  // squared length
        const float e = at(a.row + a.right) - at(a.row + a.left), n = at(a.above + a.x) - at(a.below + a.x);
        const float ne = at(a.above + a.right) - at(a.below + a.left),
                    nw = at(a.above + a.left) - at(a.below + a.right);
        const float e2 = at(a.row + a.right2) - at(a.row + a.left2), n2 = at(a.above2 + a.x) - at(a.below2 + a.x);
        const float nee = at(a.above + a.right2) - at(a.below + a.left2),
                    nww = at(a.above + a.left2) - at(a.below + a.right2);
        const float nne = at(a.above2 + a.right) - at(a.below2 + a.left),
                    nnw = at(a.above2 + a.left) - at(a.below2 + a.right);
        const float far_ne = at(a.above2 + a.right2) - at(a.below2 + a.left2),
                    far_nw = at(a.above2 + a.left2) - at(a.below2 + a.right2);
        return {
            k1 * e + k2 * (ne - nw) + 2 * k4 * e2 + k5 * (2 * (nee - nww) + (nne - nnw)) + 2 * k8 * (far_ne - far_nw),
            k1 * n + k2 * (ne + nw) + 2 * k4 * n2 + k5 * ((nee + nww) + 2 * (nne + nnw)) + 2 * k8 * (far_ne + far_nw)};
    }
};

/// The owner of the densest of the nine pixels: borders between owners lie along the films between droplets, and move
/// with them.
FLIPSCOPE_PIXEL uint32_t owner_of_densest(const float* densities, const uint32_t* owners, const Around& a) {
    float best = densities[a.pixel()];
    uint32_t owner = owners[a.pixel()];
    const auto take = [&](size_t pixel) {
        const float density = densities[pixel];
        const uint32_t denser = 0 - (std::bit_cast<uint32_t>(best - density) >> 31);  // all bits or none
        owner = (owners[pixel] & denser) | (owner & ~denser);
        best = std::bit_cast<float>((std::bit_cast<uint32_t>(density) & denser) |
                                    (std::bit_cast<uint32_t>(best) & ~denser));
    };
    take(a.row + a.right), take(a.above + a.x), take(a.row + a.left), take(a.below + a.x);
    take(a.above + a.right), take(a.above + a.left), take(a.below + a.left), take(a.below + a.right);
    return owner;
}

/// The strengths of repulsion between fluids; lattice units.
struct Mixture {
    float relaxed = 1;  // part of the way to equilibrium per step, 1 / relaxation time
    float between = 0;  // between the two fluids
    float apart = 0;    // between the fluids of two droplets
};

/// First pass: densities of both components at a pixel. Obstacles act like the continuous fluid, so that droplets do
/// not stick to them.
template <bool kWalls>
struct FindDensities {
    View<const float> from;  // (2, kWays, stride)
    View<float> densities;   // (2, stride)
    View<const uint8_t> obstacles;
    uint32_t stride;
    float wall[2];  // density

    FLIPSCOPE_PIXEL void at(const Around& a, Pair /*push*/) const {
        const size_t k = a.pixel();
        float first = pulled(from.data, stride, a).sum();
        float second = pulled(from.data + size_t(kWays) * stride, stride, a).sum();
        if constexpr (kWalls) {
            const float solid = obstacles.data[k], open = 1 - solid;  // products, not branches, for vectorisation
            first = open * first + solid * wall[0];
            second = open * second + solid * wall[1];
        }
        densities.data[k] = first;
        densities.data[stride + k] = second;
    }
};

/// Second pass: the forces, and one collision. Obstacles reflect what arrived (bounce-back), so the fluid rests half
/// way between the last free pixel and the first solid one.
template <bool kWalls>
struct Collide {
    View<const float> from;       // (2, kWays, stride)
    View<float> to;               // the same
    View<const float> densities;  // (2, stride)
    View<const uint32_t> owners;  // (pixels)
    View<uint32_t> next_owners;
    View<const uint8_t> obstacles;
    uint32_t stride;
    Mixture mixture;

    FLIPSCOPE_PIXEL Nine relaxed(const Nine& in, float density, Pair u, Pair force) const {
        constexpr float kStraight = 1.f / 9, kDiagonal = 1.f / 36;
        const float omega = mixture.relaxed, keep = 1 - omega, half = 1 - 0.5f * omega;
        const float mass = omega * density, uf = half * 3 * (u.x * force.x + u.y * force.y);
        const float still = mass * (1 - 1.5f * (u.x * u.x + u.y * u.y)) - uf;
        // The equal and the opposite part for a direction and its opposite.
        struct Both {
            float same, other;
        };
        const auto both = [&](float cu, float cf) -> Both {
            return {still + mass * 4.5f * cu * cu + half * 9 * cu * cf, 3 * (mass * cu + half * cf)};
        };
        const Both x = both(u.x, force.x), y = both(u.y, force.y);
        const Both up = both(u.x + u.y, force.x + force.y), down = both(u.x - u.y, force.x - force.y);
        Nine out;
        out.e = keep * in.e + kStraight * (x.same + x.other);
        out.w = keep * in.w + kStraight * (x.same - x.other);
        out.n = keep * in.n + kStraight * (y.same + y.other);
        out.s = keep * in.s + kStraight * (y.same - y.other);
        out.ne = keep * in.ne + kDiagonal * (up.same + up.other);
        out.sw = keep * in.sw + kDiagonal * (up.same - up.other);
        out.se = keep * in.se + kDiagonal * (down.same + down.other);
        out.nw = keep * in.nw + kDiagonal * (down.same - down.other);
        // The rest density is the remaining mass: rounded weights do not add up to 1, and mass would grow.
        out.rest = density - (((out.e + out.w) + (out.n + out.s)) + ((out.ne + out.sw) + (out.nw + out.se)));
        return out;
    }
    FLIPSCOPE_PIXEL static Nine turned(float solid, const Nine& in, const Nine& out) {
        const float open = 1 - solid;
        return {open * out.rest + solid * in.rest, open * out.e + solid * in.w,   open * out.n + solid * in.s,
                open * out.w + solid * in.e,       open * out.s + solid * in.n,   open * out.ne + solid * in.sw,
                open * out.nw + solid * in.se,     open * out.sw + solid * in.ne, open * out.se + solid * in.nw};
    }

    FLIPSCOPE_PIXEL void at(const Around& a, Pair push) const {
        const size_t k = a.pixel();
        const float* others = from.data + size_t(kWays) * stride;
        const Nine in1 = pulled(from.data, stride, a), in2 = pulled(others, stride, a);
        const float density1 = in1.sum(), density2 = in2.sum();
        const Pair near1 = near_sum(densities.data, a), near2 = near_sum(densities.data + stride, a);
        const Pair rivals = OthersSum{densities.data, owners.data, owners.data[k]}.of(a);
        const float g = mixture.between, q = mixture.apart;
        const Pair force1{density1 * (push.x - (g * near2.x + q * rivals.x)),
                          density1 * (push.y - (g * near2.y + q * rivals.y))};
        const Pair force2{density2 * (push.x - g * near1.x), density2 * (push.y - g * near1.y)};
        next_owners.data[k] = owner_of_densest(densities.data, owners.data, a);
        float solid = 0;
        if constexpr (kWalls) solid = obstacles.data[k];
        const float per = 1 / (density1 + density2 + solid);  // an obstacle may have no density
        const Pair u{(in1.along_x() + in2.along_x() + 0.5f * (force1.x + force2.x)) * per,
                     (in1.along_y() + in2.along_y() + 0.5f * (force1.y + force2.y)) * per};
        Nine out1 = relaxed(in1, density1, u, force1), out2 = relaxed(in2, density2, u, force2);
        if constexpr (kWalls) {
            out1 = turned(solid, in1, out1);
            out2 = turned(solid, in2, out2);
        }
        put(to.data, stride, k, out1);
        put(to.data + size_t(kWays) * stride, stride, k, out2);
    }
};

/// One pixel anywhere, for a GPU thread.
struct Torus {
    uint32_t width, height;
    uint32_t stride;  // between the densities of successive directions
    FLIPSCOPE_HD Around around(uint32_t x, uint32_t y) const {
        Around a;
        a.x = x;
        a.left = x > 0 ? x - 1 : width - 1;
        a.left2 = a.left > 0 ? a.left - 1 : width - 1;
        a.right = x + 1 < width ? x + 1 : 0;
        a.right2 = a.right + 1 < width ? a.right + 1 : 0;
        set_rows(a, y);
        return a;
    }
    FLIPSCOPE_HD void set_rows(Around& a, uint32_t y) const {
        const uint32_t below = y > 0 ? y - 1 : height - 1, below2 = below > 0 ? below - 1 : height - 1;
        const uint32_t above = y + 1 < height ? y + 1 : 0, above2 = above + 1 < height ? above + 1 : 0;
        a.row = size_t(y) * width;
        a.below = size_t(below) * width, a.below2 = size_t(below2) * width;
        a.above = size_t(above) * width, a.above2 = size_t(above2) * width;
    }
};

/// The field to draw, from the arrived densities; counts the pixels where they are not finite.
struct ShowDroplets {
    Torus torus;
    View<const float> from;
    View<const uint8_t> obstacles;
    View<float> field;     // (h, w)
    View<uint32_t> wrong;  // one
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const Around a = torus.around(pixel % torus.width, pixel / torus.width);
        const size_t stride = torus.stride;
        const float density = pulled(from.data, stride, a).sum();
        const float both = density + pulled(from.data + kWays * stride, stride, a).sum();
        const bool solid = obstacles && obstacles[pixel];
        const bool sound = both > -1e3f && both < 1e3f;
        if (!sound && !solid) atomic_add(wrong[0], 1u);
        field[pixel] = solid || !sound ? 0.f : density;
    }
};

/// Sums the flow along y over some rows of a column per thread, so that neighbouring threads read neighbouring pixels.
struct SampleFlow {
    static constexpr uint32_t kRows = 32;
    Torus torus;
    View<const float> from;
    View<const uint8_t> obstacles;
    View<uint64_t> sums;  // (kProfileBins, 2) speed in 1 / kPixelUnits, and number of pixels
    uint32_t first;       // free column
    float half_push;

    FLIPSCOPE_HD uint32_t count() const { return (torus.width - first) * ((torus.height + kRows - 1) / kRows); }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t free = torus.width - first, column = i % free, begin = i / free * kRows;
        const uint32_t end = begin + kRows < torus.height ? begin + kRows : torus.height;
        const size_t stride = torus.stride;
        int64_t sum = 0;
        uint32_t found = 0;
        for (uint32_t y = begin; y < end; ++y) {
            const Around a = torus.around(first + column, y);
            if (obstacles[a.pixel()]) continue;
            const Nine in1 = pulled(from.data, stride, a), in2 = pulled(from.data + kWays * stride, stride, a);
            const float speed = (in1.along_y() + in2.along_y()) / (in1.sum() + in2.sum()) + half_push;
            if (!(speed > -1 && speed < 1)) continue;
            sum += static_cast<int64_t>(static_cast<double>(speed) * kPixelUnits);
            ++found;
        }
        if (found == 0) return;
        const auto bin = static_cast<uint32_t>(uint64_t(column) * kProfileBins / free);
        atomic_add(sums[2 * bin], static_cast<uint64_t>(sum));
        atomic_add(sums[2 * bin + 1], uint64_t(found));
    }
};

#undef FLIPSCOPE_PIXEL

}  // namespace flipscope::emulsion
