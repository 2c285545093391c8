// Theoretical distributions for a Poisson process and its Delaunay triangulation and Voronoi cells, for comparison.
// Exact where stated; otherwise a fit from the literature.
#pragma once

#include "statistics/element_measures.h"

namespace flipscope {

/// The source of the expectation, for its name in a plot; empty: no expectation for this quantity.
const char* source_of_expectation(ElementQuantity quantity);

/// The share of all elements that lies in [low, high) for random points of this density (points a world unit squared):
/// - nearest neighbour: 1 - exp(-ρπr²), exact;
/// - edge length: Miles (1970), exact; minimum angle: Mardia, Edwards and Puri (1977), exact;
/// - triangle area: Rathie (1992), exact;
/// - degree: Calka (2003) for 3 edges, exact; Hilhorst (2007) and Tanemura (2003) for more, numerical;
/// - cell area: a gamma distribution, Ferenc and Néda (2007), a fit.
/// 0 for a quantity without expectation.
double expected_share(ElementQuantity quantity, double density, double low, double high);
/// The expected mean over all elements; NaN: unknown.
double expected_mean(ElementQuantity quantity, double density);

/// √E of the squared L2 star discrepancy of n random points: √((1/4 - 1/9) / n).
double expected_discrepancy(double points);

}  // namespace flipscope
