// Soft repulsion of discs, both ways alike: the force of a pair whose radii add up to σ, at a distance r, from a
// potential U. Velocities are forces: the mobility is 1, so the strength ε has units of length squared per time.
//
//   WCA       U = 4 ε ((σ/r)^12 - (σ/r)^6) + ε   F = 24 ε (2 (σ/r)^12 - (σ/r)^6) / r    for r < 2^(1/6) σ, else 0
//   harmonic  U = ε/2 (1 - r/σ)²                 F = ε/σ (1 - r/σ)                      for r < σ, else 0
//
// J. D. Weeks, D. Chandler and H. C. Andersen, J. Chem. Phys. 54 (1971) 5237; C. S. O'Hern, L. E. Silbert, A. J. Liu
// and S. R. Nagel, Phys. Rev. E 68 (2003) 011306.
//
// A force is rounded to whole multiples of `unit`, so sums are exact in any order, and those of all particles add up
// to 0. It is limited to kMost ε over the largest diameter, which WCA reaches below about 0.57 σ.
#pragma once

#include <cmath>

#include "particles/model.h"

namespace flipscope {

struct Repulsion {
    static constexpr double kMost = 0x1p16;      // times ε over the largest diameter
    static constexpr double kWcaReach = 1.1225;  // above 2^(1/6)
    RepulsionKind kind = RepulsionKind::kNone;
    double strength = 1;        // ε
    double most = 0, unit = 1;  // world units per time; the unit is a power of two
    double reach = 0;           // world units, from which on no pair acts

    /// `largest`: diameter, world units.
    static Repulsion of(const ParticleModel& model, double largest) {
        Repulsion made{model.repulsion, model.repulsion_strength};
        if (made.kind == RepulsionKind::kNone || made.strength == 0) return {};
        made.most = kMost * made.strength / largest;
        made.unit = std::ldexp(1.0, std::ilogb(made.most) - 48);  // sums of 2^14 partners fit into 63 bits
        made.reach = largest * (made.kind == RepulsionKind::kWca ? kWcaReach : 1);
        return made;
    }
    explicit operator bool() const { return kind != RepulsionKind::kNone; }

    /// The force on a particle, whole units; `d` leads to it from the other one. 0 for a pair at one place.
    struct Units {
        int64_t x = 0, y = 0;
    };
    FLIPSCOPE_HD Units force(Point d, double sigma) const {
        const double squared = d.x * d.x + d.y * d.y;
        if (squared == 0) return {};
        const double r = sqrt(squared);
        double size;
        if (kind == RepulsionKind::kWca) {
            const double s2 = sigma * sigma / squared, s6 = s2 * s2 * s2;
            if (2 * s6 <= 1) return {};
            size = 24 * strength * s6 * (2 * s6 - 1) / r;
        } else {
            if (r >= sigma) return {};
            size = strength / sigma * (1 - r / sigma);
        }
        const double along = (size < most ? size : most) / r / unit;
        return {static_cast<int64_t>(rint(along * d.x)), static_cast<int64_t>(rint(along * d.y))};
    }
};

}  // namespace flipscope
