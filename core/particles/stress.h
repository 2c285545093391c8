// Pressure and stress of particles whose forces are soft repulsion alone. With the mobility 1, N particles in an area
// A, density ρ = N / A and v_i = F_i + V0 u_i:
//
//   P_ab = ρ kT δ_ab + (1/A) Σ_pairs r_a F_b + P_swim δ_ab,   kT = D/2, as a step has the variance D Δt per axis
//   P_swim = ρ V0 ⟨v·u⟩ / (2 D_r)                                of active particles, D_r: rotation
//   P = (P_xx + P_yy) / 2,   shear stress σ_xy = - P_xy
//
// The virial is that of J. H. Irving and J. G. Kirkwood (1950) integrated over the box; the swim pressure is that of
// S. C. Takatori, W. Yan and J. F. Brady, Phys. Rev. Lett. 113 (2014) 028103, in the local form of A. P. Solon et al.,
// Phys. Rev. Lett. 114 (2015) 198301. Forces of equation 2 need not be opposite, and pushes are no forces: with either,
// no stress is defined.
#pragma once

#include "particles/measures.h"

namespace flipscope {

struct ParticleStress {
    double xx = 0, xy = 0, yy = 0;  // of pairs; as the pressure tensor; energy times mobility per area
    double ideal = 0;               // ρ kT
    double swim = 0;                // 0 for passive particles; NaN without rotation
    double pressure() const { return (xx + yy) / 2 + ideal + swim; }
};

/// Whether the model's forces define a stress.
bool has_stress(const ParticleModel& model);

/// Of the present state; has_stress() must hold. `orientations`: (n), of active particles. Pairs are found by a grid,
/// apart from those of PairForces. The same bits on every device. Waits for it.
ParticleStress measure_stress(Context& context, const ParticleState& state, const ParticleModel& model,
                              View<const double> orientations);

}  // namespace flipscope
