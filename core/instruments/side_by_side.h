// Common parts of labs that run other labs side by side, one view each: combined scenes, checks and snapshots. Used by
// the Flip race and the Construction race.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/lab.h"

namespace flipscope {

/// The first scene with the others beside it, each with its own views. At least one, at most Scene::kMostViews views.
Scene side_by_side(std::vector<Scene> scenes);

/// The side's report of the element, with highlights in its view.
Report inspect_side(const Inspectable& side, const Element& element);

/// The check of one side, and its name in sentences.
struct SideCheck {
    std::string side;
    CheckReport report;
};
/// The combined check: passes if all pass; counts are sums. If one fails, the sentence describes each side. At least
/// one side.
CheckReport check_of_all(std::vector<SideCheck> sides);

/// The counters of a lab that runs on several sides: "flipped, left" and so on, side after side, with corresponding
/// counters paired.
std::vector<CounterInfo> counters_of_sides(const std::vector<CounterInfo>& counters,
                                           std::initializer_list<const char*> sides);

/// Appends the snapshots of all sides.
void put_sides(Snapshot& snapshot, const std::vector<Snapshot>& sides);
/// Extracts the snapshots of `count` sides, from the first block of put_sides(). Throws std::logic_error for any other
/// block.
std::vector<Snapshot> read_sides(const Snapshot& snapshot, size_t first, size_t count, const std::string& lab);

}  // namespace flipscope
