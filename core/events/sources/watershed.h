// The watershed of a distance map on the host: basins of pixels that ascend to the same peak, merged where the ground
// between two peaks is hardly lower than the lower one.
#pragma once

#include <cstdint>
#include <vector>

namespace flipscope {

/// Two neighbouring pixels of different basins.
struct BasinContact {
    uint32_t a = 0, b = 0;  // the peaks of the basins: pixels
    uint32_t square = 0;    // the squared distance at the lower of the two pixels
};

/// Merges basins until every peak rises by at least `height` above the highest pass that leads to a higher peak: the
/// markers are then the h-maxima of P. Soille, Morphological Image Analysis (2003), and the basins their watershed
/// without lines between (F. Meyer, Topographic distance and watershed lines, 1994). Of equal peaks the one with the
/// larger index is the higher one. `roots`: (h, w) the peak of each pixel, kNone in the background; replaced by those
/// that remain. `squares`: (h, w) squared distances.
void split_by_watershed(std::vector<uint32_t>& roots, const std::vector<uint32_t>& squares,
                        std::vector<BasinContact> contacts, double height);

}  // namespace flipscope
