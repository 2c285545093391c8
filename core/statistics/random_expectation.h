// What theory says of points thrown at random (a Poisson process) and of their Delaunay triangulation and Voronoi
// cells: what a distribution is compared with. Exact where it is said so; else a fit from the literature.
#pragma once

#include <vector>

#include "statistics/element_measures.h"

namespace flipscope {

/// Where an expectation comes from, for its name in a plot; empty: there is none for this quantity.
const char* source_of_expectation(ElementQuantity quantity);

/// The share of all elements that lies in [low, high) for random points of this density (points a world unit squared):
/// - nearest neighbour: 1 - exp(-ρπr²), exact;
/// - edge length: Miles (1970), exact; minimum angle: Mardia, Edwards and Puri (1977), exact;
/// - triangle area: Rathie (1992), exact;
/// - degree: Calka (2003) for 3 edges, exact; Hilhorst (2007) and Tanemura (2003) for more, numerical;
/// - cell area: a gamma distribution, Ferenc and Néda (2007), a fit.
/// 0 for a quantity without expectation.
double expected_share(ElementQuantity quantity, double density, double low, double high);
/// Its mean over all elements; NaN: none is known.
double expected_mean(ElementQuantity quantity, double density);

/// √E of the squared L2 star discrepancy of n random points: √((1/4 - 1/9) / n).
double expected_discrepancy(double points);

}  // namespace flipscope
