// The centres that can be nearest to some site of a tile, as the exact colouring on CUDA keeps them between its passes
// (colouring_lists.h): the one nearest to the middle, and how much nearer or farther than that each other one is.
#pragma once

#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr uint32_t kListedSide = 8;  // sites in a row of a tile, and rows
inline constexpr uint32_t kContenders = 7;  // of a tile, beside the rival: one line of memory in all
inline constexpr uint32_t kOverfull = kNone;

/// At t from the middle of the tile a centre's squared distance, less the rival's, is constant + x · t.x + y · t.y.
struct alignas(16) Contender {
    float x, y, constant;
    uint32_t label;
};

struct alignas(16) ShortlistHead {
    uint32_t rival;       // the label nearest to the middle; kNone when there is no centre
    uint32_t contenders;  // how many; kOverfull: more than fit, or none that single precision can tell apart
    float margin;         // world units²; a lead beyond this is certain
    uint32_t unused;
};

struct Shortlist {
    ShortlistHead head;
    Contender contender[kContenders];
};

}  // namespace flipscope
