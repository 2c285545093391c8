// The two-component lattice Boltzmann fluid of the emulsion, pixel by pixel: nine directions per component (D2Q9) and
// competing forces between nearby densities (R. Benzi and others, 2009), with the parameters of F. Pelusi, M. Lulli,
// M. Sbragaglia and M. Bernaschi, TLBfind (2022): a component attracts itself over 8 neighbours and repels itself over
// 24, so that a disjoining pressure keeps droplets apart; the components repel each other over 8. The relaxation time
// is 1, so what a pixel sends is its equilibrium: densities and velocities are the whole state, and nine populations
// are computed where they are needed. Every population that is sent is rounded to a multiple of 2^-22 and what stays is
// the rest of the density, so all sums of densities are exact, and no mass is lost; the momentum that rounding takes
// stays at the pixel. Only + - * / on floats, in one order: the same on every device.
#pragma once

#include <bit>
#include <cstdint>

#include "compute/atomics.h"
#include "compute/view.h"
#include "events/sources/flow_record.h"

namespace flipscope::emulsion {

// The whole step of a pixel must be inlined into one body; otherwise the compiler does not vectorise the loop over a
// row.
#define FLIPSCOPE_PIXEL FLIPSCOPE_HD __attribute__((always_inline)) inline

/// Rounds to a multiple of 2^-22. |value| must be less than 1.
FLIPSCOPE_PIXEL float rounded(float value) { return (value + 3.f) - 3.f; }

struct Pair {
    float x, y;
};

/// Populations at one pixel: rest, right, up, left, down, and the diagonals.
struct Nine {
    float rest, e, n, w, s, ne, nw, sw, se;
    FLIPSCOPE_PIXEL float moving() const { return ((e + w) + (n + s)) + ((ne + sw) + (nw + se)); }
    FLIPSCOPE_PIXEL float along_x() const { return (e - w) + ((ne - sw) + (se - nw)); }
    FLIPSCOPE_PIXEL float along_y() const { return (n - s) + ((ne - sw) + (nw - se)); }
    FLIPSCOPE_PIXEL float xx() const { return (e + w) + ((ne + sw) + (nw + se)); }
    FLIPSCOPE_PIXEL float yy() const { return (n + s) + ((ne + sw) + (nw + se)); }
    FLIPSCOPE_PIXEL float xy() const { return (ne + sw) - (nw + se); }
};

/// Offsets of the rows around a row, and of the pixels around a pixel in its row, both on the torus.
struct Around {
    size_t below2, below, row, above, above2;
    size_t left2, left, x, right, right2;
    FLIPSCOPE_PIXEL size_t pixel() const { return row + x; }
    /// The same rows around a pixel at least two pixels from either end of a row.
    FLIPSCOPE_PIXEL Around inside(size_t at) const {
        return {below2, below, row, above, above2, at - 2, at - 1, at, at + 1, at + 2};
    }
};

/// One component: its density and velocity at every pixel.
struct Component {
    const float *density, *x, *y;

    template <int kX, int kY>
    FLIPSCOPE_PIXEL float along(size_t k) const {
        if constexpr (kX == 0) return kY * y[k];
        if constexpr (kY == 0) return kX * x[k];
        return kX * x[k] + kY * y[k];
    }
    /// The population that pixel k sends in a direction.
    template <int kX, int kY>
    FLIPSCOPE_PIXEL float sent(size_t k) const {
        constexpr float kWeight = kX == 0 || kY == 0 ? 1.f / 9 : 1.f / 36;
        const float still = 1 - 1.5f * (x[k] * x[k] + y[k] * y[k]), u = along<kX, kY>(k);
        return rounded(kWeight * density[k] * (still + u * (3 + 4.5f * u)));
    }
    FLIPSCOPE_PIXEL Nine sent(size_t k) const {
        Nine all{0,
                 sent<1, 0>(k),
                 sent<0, 1>(k),
                 sent<-1, 0>(k),
                 sent<0, -1>(k),
                 sent<1, 1>(k),
                 sent<-1, 1>(k),
                 sent<-1, -1>(k),
                 sent<1, -1>(k)};
        all.rest = density[k] - all.moving();
        return all;
    }
    /// The populations that reach a pixel which keeps `rest`.
    FLIPSCOPE_PIXEL Nine arriving(const Around& a, float rest) const {
        return {rest,
                sent<1, 0>(a.row + a.left),
                sent<0, 1>(a.below + a.x),
                sent<-1, 0>(a.row + a.right),
                sent<0, -1>(a.above + a.x),
                sent<1, 1>(a.below + a.left),
                sent<-1, 1>(a.below + a.right),
                sent<-1, -1>(a.above + a.right),
                sent<1, -1>(a.above + a.left)};
    }
};

/// The walls of a channel along y; speeds in pixels per step.
struct Walls {
    float density[2] = {1, 1};  // of the components in an obstacle, for the forces
    float left = 0, right = 0;  // speeds along y of the walls at the left and at the right of the fluid
};

/// Obstacles send back what reaches them (bounce-back), so the fluid ends half way between the last free pixel and the
/// first solid one. A moving wall adds its momentum (A. Ladd, 1994); what it adds along y it takes from the opposite
/// direction, so that no mass is made.
FLIPSCOPE_PIXEL Nine returned(const Nine& sent, const Nine& arriving, const uint8_t* solid, const Around& a,
                              float density, const Walls& walls) {
    const float left = rounded(density * (1.f / 6) * walls.left), right = rounded(density * (1.f / 6) * walls.right);
    const auto one = [&](size_t from, float back, float through) {
        const float closed = solid[from];  // products, not branches, for vectorisation
        return closed * back + (1 - closed) * through;
    };
    return {arriving.rest,
            one(a.row + a.left, sent.w, arriving.e),
            one(a.below + a.x, sent.s, arriving.n),
            one(a.row + a.right, sent.e, arriving.w),
            one(a.above + a.x, sent.n, arriving.s),
            one(a.below + a.left, sent.sw + left, arriving.ne),
            one(a.below + a.right, sent.se + right, arriving.nw),
            one(a.above + a.right, sent.ne - right, arriving.sw),
            one(a.above + a.left, sent.nw - left, arriving.se)};
}

/// Factors of ψ ψ' c in the force of a component on itself, by the squared length of the link c.
struct Links {
    float k1, k2, k4, k5, k8;
};

/// The strengths of the forces, in lattice units.
struct Mixture {
    float between = 0;  // repulsion of the components, over ρ₀²
    Links own[2] = {};
};
constexpr float kReferenceDensity = 0.83f;  // ρ₀

/// ψ = ρ₀ (1 − e^(−ρ/ρ₀)). m = 1 − e^(−y) comes from its series for y = ρ/8ρ₀, and is doubled three times:
/// 1 − e^(−2y) = m (2 − m).
FLIPSCOPE_PIXEL float effective(float density) {
    const float y = density * (1 / (8 * kReferenceDensity));
    constexpr float k2 = 1.f / 2, k3 = 1.f / 3, k4 = 1.f / 4, k5 = 1.f / 5, k6 = 1.f / 6, k7 = 1.f / 7;
    float m = y * (1 - k2 * y * (1 - k3 * y * (1 - k4 * y * (1 - k5 * y * (1 - k6 * y * (1 - k7 * y))))));
    m = m * (2 - m);
    m = m * (2 - m);
    return kReferenceDensity * (m * (2 - m));
}

/// Σ w v(x + c) c over 8 neighbours.
FLIPSCOPE_PIXEL Pair near_sum(const float* v, const Around& a) {
    const float e = v[a.row + a.right], w = v[a.row + a.left], n = v[a.above + a.x], s = v[a.below + a.x];
    const float ne = v[a.above + a.right], nw = v[a.above + a.left], se = v[a.below + a.right],
                sw = v[a.below + a.left];
    constexpr float kStraight = 1.f / 9, kDiagonal = 1.f / 36;
    return {kStraight * (e - w) + kDiagonal * ((ne - sw) + (se - nw)),
            kStraight * (n - s) + kDiagonal * ((ne - sw) + (nw - se))};
}

/// Σ k v(x + c) c over 24 neighbours.
FLIPSCOPE_PIXEL Pair far_sum(const float* v, const Around& a, const Links& k) {
    const float e = v[a.row + a.right] - v[a.row + a.left], n = v[a.above + a.x] - v[a.below + a.x];
    const float ne = v[a.above + a.right] - v[a.below + a.left], nw = v[a.above + a.left] - v[a.below + a.right];
    const float e2 = v[a.row + a.right2] - v[a.row + a.left2], n2 = v[a.above2 + a.x] - v[a.below2 + a.x];
    const float nee = v[a.above + a.right2] - v[a.below + a.left2], nww = v[a.above + a.left2] - v[a.below + a.right2];
    const float nne = v[a.above2 + a.right] - v[a.below2 + a.left], nnw = v[a.above2 + a.left] - v[a.below2 + a.right];
    const float ne2 = v[a.above2 + a.right2] - v[a.below2 + a.left2],
                nw2 = v[a.above2 + a.left2] - v[a.below2 + a.right2];
    return {
        k.k1 * e + k.k2 * (ne - nw) + 2 * k.k4 * e2 + k.k5 * (2 * (nee - nww) + (nne - nnw)) + 2 * k.k8 * (ne2 - nw2),
        k.k1 * n + k.k2 * (ne + nw) + 2 * k.k4 * n2 + k.k5 * ((nee + nww) + 2 * (nne + nnw)) + 2 * k.k8 * (ne2 + nw2)};
}

/// The buffers of the fluid; two components in each, `stride` apart.
struct Fields {
    View<const float> densities;   // (2, stride)
    View<const float> velocities;  // (4, stride): x and y of the first, x and y of the second
    View<const float> momenta;     // (2, stride): x and y of both together, before the forces of the last step
    View<const float> effective;   // (2, stride): ψ
    View<const uint8_t> obstacles;
    uint32_t stride;
    Walls walls;
    Mixture mixture;

    FLIPSCOPE_PIXEL Component component(uint32_t c) const {
        return {densities.data + c * size_t(stride), velocities.data + 2 * c * size_t(stride),
                velocities.data + (2 * c + 1) * size_t(stride)};
    }
    /// What reaches a pixel, and what it sends.
    template <bool kWalls>
    FLIPSCOPE_PIXEL Nine arriving(uint32_t c, const Around& a, Nine& sent) const {
        const Component it = component(c);
        sent = it.sent(a.pixel());
        const Nine in = it.arriving(a, sent.rest);
        if constexpr (!kWalls) return in;
        return returned(sent, in, obstacles.data, a, it.density[a.pixel()], walls);
    }
    /// The velocity of both together: the mean of their momenta before and after the forces, over their mass.
    FLIPSCOPE_PIXEL Pair velocity(size_t k) const {
        const float one = densities.data[k], two = densities.data[stride + k], half = 0.5f / (one + two);
        const float *u = velocities.data, *j = momenta.data;
        const size_t s = stride;
        return {half * (j[k] + one * u[k] + two * u[2 * s + k]),
                half * (j[s + k] + one * u[s + k] + two * u[3 * s + k])};
    }
};

/// First pass: populations move, and make the densities and the momentum of the next step.
template <bool kWalls>
struct Stream {
    Fields now;
    View<float> densities, momenta, effective;

    FLIPSCOPE_PIXEL void at(const Around& a, Pair /*push*/) const {
        const size_t k = a.pixel(), s = now.stride;
        Nine sent1, sent2;
        const Nine one = now.arriving<kWalls>(0, a, sent1), two = now.arriving<kWalls>(1, a, sent2);
        float density1 = one.rest + one.moving(), density2 = two.rest + two.moving();
        // What rounding took from the momentum of the populations that were sent stays here.
        const Component c1 = now.component(0), c2 = now.component(1);
        float x = (c1.density[k] * c1.x[k] + c2.density[k] * c2.x[k]) - (sent1.along_x() + sent2.along_x());
        float y = (c1.density[k] * c1.y[k] + c2.density[k] * c2.y[k]) - (sent1.along_y() + sent2.along_y());
        x += one.along_x() + two.along_x();
        y += one.along_y() + two.along_y();
        if constexpr (kWalls) {
            const float solid = now.obstacles.data[k], open = 1 - solid;
            density1 = open * density1 + solid * now.walls.density[0];
            density2 = open * density2 + solid * now.walls.density[1];
            x = open * x, y = open * y;
        }
        densities.data[k] = density1, densities.data[s + k] = density2;
        momenta.data[k] = x, momenta.data[s + k] = y;
        effective.data[k] = emulsion::effective(density1), effective.data[s + k] = emulsion::effective(density2);
    }
};

/// Second pass: each component relaxes to the common velocity, changed by what its force gives it in one step.
template <bool kWalls>
struct Collide {
    Fields now;
    View<float> velocities;

    FLIPSCOPE_PIXEL void at(const Around& a, Pair push) const {
        const size_t k = a.pixel(), s = now.stride;
        const float *psi1 = now.effective.data, *psi2 = psi1 + s;
        const float *density1 = now.densities.data, *density2 = density1 + s;
        const Pair near1 = near_sum(density1, a), near2 = near_sum(density2, a);
        const Pair own1 = far_sum(psi1, a, now.mixture.own[0]), own2 = far_sum(psi2, a, now.mixture.own[1]);
        const float per = 1 / (density1[k] + density2[k]), g = now.mixture.between;
        const float each1 = psi1[k] / density1[k], each2 = psi2[k] / density2[k];
        const float x = now.momenta.data[k] * per + push.x, y = now.momenta.data[s + k] * per + push.y;
        float open = 1;
        if constexpr (kWalls) open = 1 - float(now.obstacles.data[k]);
        velocities.data[k] = open * (x - (each1 * own1.x + g * near2.x));
        velocities.data[s + k] = open * (y - (each1 * own1.y + g * near2.y));
        velocities.data[2 * s + k] = open * (x - (each2 * own2.x + g * near1.x));
        velocities.data[3 * s + k] = open * (y - (each2 * own2.y + g * near1.y));
    }
};

/// One pixel anywhere, for a GPU thread.
struct Torus {
    uint32_t width, height;
    FLIPSCOPE_HD Around around(uint32_t x, uint32_t y) const {
        Around a;
        a.x = x;
        a.left = x > 0 ? x - 1 : width - 1;
        a.left2 = a.left > 0 ? a.left - 1 : width - 1;
        a.right = x + 1 < width ? x + 1 : 0;
        a.right2 = a.right + 1 < width ? a.right + 1 : 0;
        const uint32_t below = y > 0 ? y - 1 : height - 1, below2 = below > 0 ? below - 1 : height - 1;
        const uint32_t above = y + 1 < height ? y + 1 : 0, above2 = above + 1 < height ? above + 1 : 0;
        a.row = size_t(y) * width;
        a.below = size_t(below) * width, a.below2 = size_t(below2) * width;
        a.above = size_t(above) * width, a.above2 = size_t(above2) * width;
        return a;
    }
};

/// The density of the droplets' fluid, to draw; counts the pixels without a sound density, and finds the greatest
/// speed.
struct ShowDroplets {
    static constexpr uint64_t kFastest = uint64_t(1) << 62;
    Fields now;
    View<float> field;        // (h, w)
    View<uint64_t> findings;  // two: unsound pixels; kFastest less the greatest speed's square in units of 2^-32
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const float one = now.densities[pixel], two = now.densities[now.stride + pixel];
        const bool solid = now.obstacles && now.obstacles[pixel];
        const bool sound = one > 0 && two > 0 && one + two < 4;  // up to 4 sums are exact
        field[pixel] = solid || !sound ? 0.f : two;
        if (solid) return;
        if (!sound) {
            atomic_add(findings[0], uint64_t(1));
            return;
        }
        const Pair u = now.velocity(pixel);
        const float squared = u.x * u.x + u.y * u.y;
        if (squared < 0x1p30f) atomic_min(findings[1], kFastest - static_cast<uint64_t>(squared * 0x1p32f));
    }
};

/// The pressure tensor at a pixel: what populations carry, the mean before and after the collision, and half of what
/// every link of the forces carries (X. Shan, 2008).
struct Pressure {
    float xx, yy, xy;
};
template <bool kWalls>
FLIPSCOPE_HD inline Pressure pressure_at(const Fields& now, const Around& a) {
    Pressure p{0, 0, 0};
    const size_t k = a.pixel(), s = now.stride;
    for (uint32_t c = 0; c < 2; ++c) {
        Nine sent;
        const Nine in = now.arriving<kWalls>(c, a, sent);
        p.xx += 0.5f * (in.xx() + sent.xx());
        p.yy += 0.5f * (in.yy() + sent.yy());
        p.xy += 0.5f * (in.xy() + sent.xy());
    }
    const size_t rows[] = {a.below2, a.below, a.row, a.above, a.above2};
    const size_t columns[] = {a.left2, a.left, a.x, a.right, a.right2};
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) {
            const int length = x * x + y * y;
            if (length == 0) continue;
            const size_t at = rows[y + 2] + columns[x + 2];
            float carried = 0;
            for (uint32_t c = 0; c < 2; ++c) {
                const Links& own = now.mixture.own[c];
                const float by_length[] = {0, own.k1, own.k2, 0, own.k4, own.k5, 0, 0, own.k8};
                carried += by_length[length] * now.effective[c * s + k] * now.effective[c * s + at];
            }
            if (length <= 2) {
                const float weight = now.mixture.between * (length == 1 ? 1.f / 9 : 1.f / 36);
                carried +=
                    weight * (now.densities[k] * now.densities[s + at] + now.densities[s + k] * now.densities[at]);
            }
            p.xx += 0.5f * carried * float(x * x);
            p.yy += 0.5f * carried * float(y * y);
            p.xy += 0.5f * carried * float(x * y);
        }
    }
    return p;
}

/// A float as an integer in the same order, and back.
FLIPSCOPE_HD inline uint64_t ordered(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return bits >> 31 ? uint32_t(~bits) : bits | 0x80000000u;
}
inline float of_ordered(uint64_t key) {
    const auto bits = static_cast<uint32_t>(key);
    return std::bit_cast<float>(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

/// The mean of one number in 1 / kPixelUnits, and its standard error from the scatter of full blocks.
struct MeanOfBlocks {
    double mean, error;
};
FLIPSCOPE_HD inline MeanOfBlocks mean_of_blocks(const TimeBlocks& blocks, size_t k) {
    const auto sum = [&](uint64_t block) { return static_cast<double>(static_cast<int64_t>(blocks.at(block)[k])); };
    const uint64_t full_end = blocks.first + blocks.full();
    const auto full = static_cast<double>(blocks.full());
    double all = 0, of_full = 0, square = 0;
    for (uint64_t block = blocks.first; block < blocks.end; ++block) {
        all += sum(block);
        if (block < full_end) of_full += sum(block);
    }
    for (uint64_t block = blocks.first; block < full_end; ++block) {
        const double deviation = sum(block) - of_full / full;
        square += deviation * deviation;
    }
    return {all / (kPixelUnits * static_cast<double>(blocks.samples)),
            sqrt(square / (full * (full - 1))) / (kPixelUnits * static_cast<double>(blocks.each))};
}

/// Velocity and pressure at every pixel, their means and the errors of these, 0 in obstacles.
template <bool kWalls>
struct ShowFlow {
    static constexpr uint64_t kMost = 0xffffffffu;
    Torus torus;
    Fields now;
    View<float> values[FlowFields::kCount];  // (h, w) each
    View<uint64_t> ranges;                   // (kCount, 2): the least key, and kMost less the greatest
    TimeBlocks means;                        // rows as of SampleFlow
    uint32_t shown;                          // values

    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const bool solid = kWalls && now.obstacles[pixel];
        const Pair u = now.velocity(pixel);
        const Pressure p = pressure_at<kWalls>(now, torus.around(pixel % torus.width, pixel / torus.width));
        constexpr uint32_t kParts = FlowFields::kParts;
        const float own[kParts] = {u.x, u.y, p.xx, p.yy, p.xy};
        for (uint32_t part = 0; part < kParts; ++part) {
            show(part, pixel, solid, own[part]);
            if (shown == kParts) continue;
            const MeanOfBlocks mean = mean_of_blocks(means, part * size_t(torus.width) * torus.height + pixel);
            show(kParts + part, pixel, solid, static_cast<float>(mean.mean));
            if (shown > 2 * kParts) show(2 * kParts + part, pixel, solid, static_cast<float>(mean.error));
        }
    }

  private:
    FLIPSCOPE_HD void show(uint32_t i, uint32_t pixel, bool solid, float value) const {
        values[i].data[pixel] = solid ? 0.f : value;
        if (solid) return;
        atomic_min(ranges.data[2 * i], ordered(value));
        atomic_min(ranges.data[2 * i + 1], kMost - ordered(value));
    }
};

/// Sums of the flow along y, and of the stress across it, over some pixels of a column of a channel per thread, so that
/// neighbouring threads read neighbouring pixels; or of the flow along x over some pixels of a row of the box.
template <bool kChannel>
struct SampleFlow {
    static constexpr uint32_t kPixels = 32;
    Torus torus;
    Fields now;
    View<uint64_t> sums;   // (kProfileBins, kProfileSums)
    View<uint64_t> means;  // (FlowFields::kParts, h, w) in 1 / kPixelUnits, or none
    uint32_t first;        // free column of the channel, or row of the box

    FLIPSCOPE_HD uint32_t lines() const { return kChannel ? torus.width - first : torus.height; }
    FLIPSCOPE_HD uint32_t length() const { return kChannel ? torus.height : torus.width; }
    FLIPSCOPE_HD uint32_t count() const { return lines() * ((length() + kPixels - 1) / kPixels); }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t line = i % lines(), begin = i / lines() * kPixels;
        const uint32_t end = begin + kPixels < length() ? begin + kPixels : length();
        const uint32_t across = kChannel ? first + line : (first + line) % torus.height;
        int64_t speed = 0, stress = 0;
        uint32_t found = 0;
        for (uint32_t k = begin; k < end; ++k) {
            const Around a = kChannel ? torus.around(across, k) : torus.around(k, across);
            if (kChannel && now.obstacles[a.pixel()]) continue;
            const Pair u = now.velocity(a.pixel());
            const Pressure p = pressure_at<kChannel>(now, a);
            const float along = kChannel ? u.y : u.x, carried = p.xy;
            if (means.count > 0) add(a.pixel(), {u.x, u.y, p.xx, p.yy, p.xy});
            if (!(along > -1 && along < 1 && carried > -1 && carried < 1)) continue;
            speed += static_cast<int64_t>(static_cast<double>(along) * kPixelUnits);
            stress -= static_cast<int64_t>(static_cast<double>(carried) * kPixelUnits);
            ++found;
        }
        if (found == 0) return;
        View<uint64_t> bin = sums;
        bin.data += size_t(uint64_t(line) * kProfileBins / lines()) * kProfileSums;
        atomic_add(bin.data[0], static_cast<uint64_t>(speed));
        atomic_add(bin.data[1], static_cast<uint64_t>(stress));
        atomic_add(bin.data[2], uint64_t(found));
    }

  private:
    /// No other thread has this pixel. Values beyond ±4 and NaNs, of a fluid about to become unstable, are cut.
    FLIPSCOPE_HD void add(size_t pixel, const float (&values)[FlowFields::kParts]) const {
        uint64_t* to = means.data + pixel;
        for (const float value : values) {
            const double cut = !(value > -4) ? -4 : value < 4 ? value : 4;
            *to += static_cast<uint64_t>(static_cast<int64_t>(cut * kPixelUnits));
            to += size_t(torus.width) * torus.height;
        }
    }
};

#undef FLIPSCOPE_PIXEL

}  // namespace flipscope::emulsion
