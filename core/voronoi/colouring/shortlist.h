// The sites that may be nearest to some pixel of a tile, as stored between the passes of the exact colouring on CUDA
// (colouring_lists.h): the rival, nearest to the middle, and the squared distances of the others relative to it.
#pragma once

#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr uint32_t kCandidates = 15;  // per tile, besides the rival: two cache lines in all
inline constexpr uint32_t kOverfull = kNone;

/// At t from the middle of the tile, a site's squared distance minus the rival's is constant + x · t.x + y · t.y.
struct alignas(16) Candidate {
    float x, y, constant;
    uint32_t label;
};

struct alignas(16) ShortlistHead {
    uint32_t rival;       // the label nearest to the middle; kNone: no site
    uint32_t candidates;  // their number; kOverfull: more than fit, or indistinguishable in single precision
    float margin;         // world units²; a lead beyond this is certain
    uint32_t unused;
};

struct Shortlist {
    ShortlistHead head;
    Candidate candidate[kCandidates];
};

}  // namespace flipscope
