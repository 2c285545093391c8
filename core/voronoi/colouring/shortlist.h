// The sites that can be nearest to some pixel of a tile, as the exact colouring on CUDA keeps them between its passes
// (colouring_lists.h): the one nearest to the middle, and how much nearer or farther than that each other one is.
#pragma once

#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr uint32_t kListedSide = 8;  // pixels in a row of a tile, and rows
inline constexpr uint32_t kCandidates = 7;  // of a tile, beside the rival: one line of memory in all
inline constexpr uint32_t kOverfull = kNone;

/// At t from the middle of the tile a site's squared distance, less the rival's, is constant + x · t.x + y · t.y.
struct alignas(16) Candidate {
    float x, y, constant;
    uint32_t label;
};

struct alignas(16) ShortlistHead {
    uint32_t rival;       // the label nearest to the middle; kNone when there is no site
    uint32_t candidates;  // how many; kOverfull: more than fit, or none that single precision can tell apart
    float margin;         // world units²; a lead beyond this is certain
    uint32_t unused;
};

struct Shortlist {
    ShortlistHead head;
    Candidate candidate[kCandidates];
};

}  // namespace flipscope
