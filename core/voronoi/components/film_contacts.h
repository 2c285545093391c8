// Which cells of a labelled lattice touch across a film of background that is no thicker than given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voronoi/components/label_cells.h"

namespace flipscope {

/// labels: (h, w); kNone: background. Every pixel goes to the label whose nearest pixel is nearest to it, ties to the
/// lowest label. Where two pixels that share a side go to different labels, the film there is as thick as the distance
/// between the centres of those two nearest pixels, less one; 0: the cells share the side. A contact is a pair of
/// labels with such a place where the film is at most `width` pixels, 0 to 1000; `sides` counts these places. A third
/// cell between two separates them. obstacles: (h, w), not 0: no film passes there; empty: none. Ascending. Host code,
/// time proportional to pixels · width; throws Cancelled.
std::vector<LabelContact> film_contacts(const Lattice& lattice, std::span<const uint32_t> labels,
                                        std::span<const uint8_t> obstacles, double width);

}  // namespace flipscope
