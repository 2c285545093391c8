// The set covariance |W ∩ (W + d)| of polygons with holes, exact at the nodes of a lattice of shifts.
#pragma once

#include "statistics/pair_weights.h"

namespace flipscope {

/// Fills the table of PairWeights for shifts up to `reach` along an axis. Of γ(d) = -½ Σ s_e s_f ∫ |e(x) - f(x - d_x) -
/// d_y| dx over all pairs of sides e and f, where s is -1 for a side that runs to the right and 1 for one that runs to
/// the left. The indicator of W is the sum of s times that of the region below each side; all terms that are linear in
/// a side cancel. Interpolation between nodes is off by at most (reach / 128)² / 4 times the second derivative of γ.
void tabulate_set_covariance(Context& context, const StudyArea& area, double reach, Buffer<double>& table);

}  // namespace flipscope
