// The work of a pass as one number that is comparable between constructions: the elements it touches, each counted
// once. An element is a point, a worklist edge, a triangle or a candidate, depending on the pass. Work follows from
// counters and sizes, so it is the same on every device and for every number of threads. It is not time: a sort counts
// every point once, and so does a walk through many triangles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace flipscope {

/// Sizes after a pass.
struct PassSizes {
    uint64_t given = 0;      // points of the input
    uint64_t distinct = 0;   // without duplicates
    uint64_t triangles = 0;  // found so far, without ghosts
    /// A counter of the lab as of its latest count: after this pass, and before it. 0: not counted yet.
    std::function<uint64_t(const std::string&counter)> now, before;
};

/// Elements that a pass of one of the labs "strips", "build" and "subdivide" touches:
///
/// strips     order         every point given                                     chain      every distinct point
///            zip, close    the triangles made                                    legalise   every edge, and with each
///            claim         the edges queued                                                 flip four that it makes
///            flip          the illegal edges of the claim                                   uncertain
///            repair        the edges flipped
/// build      order         every point given                                     seed       every distinct point
///            vote, split   every waiting point                                   link       the points inserted
///            relocate      every point that still waits                          claim, flip, repair: as of strips
/// subdivide  order         every point given                                     broadcast  every candidate
///            solve         every candidate, those that leave included            split      the copies made
///            leach, pack   every candidate, superfluous ones included            join       every triangle
///            outside       every distinct point, and once more those at the border
///
/// Throws std::logic_error for any other pass.
uint64_t work_of(const std::string& lab, const std::string& pass, const PassSizes& sizes);

}  // namespace flipscope
