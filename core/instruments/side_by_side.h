// What labs have in common that run others side by side, one view each: scenes beside each other, checks of all, the
// snapshots of all in one. The Flip race and the Construction race are made of these.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/lab.h"

namespace flipscope {

/// The first scene with the others beside it, each with its own views. At least one, at most Scene::kMostViews views.
Scene side_by_side(std::vector<Scene> scenes);

/// What the side has to tell of the element; highlights are drawn in its view.
Report inspect_side(const Inspectable& side, const Element& element);

/// The check of one side, and what sentences call it.
struct SideCheck {
    std::string side;
    CheckReport report;
};
/// One check of all: it passes where each does, and counts are sums. Where one fails, each says what it has. At least
/// one.
CheckReport check_of_all(std::vector<SideCheck> sides);

/// The counters of a lab that runs on several sides: "flipped, left" and so on, side after side, alike ones paired.
std::vector<CounterInfo> counters_of_sides(const std::vector<CounterInfo>& counters,
                                           std::initializer_list<const char*> sides);

/// The snapshots of all sides, to the end of one that may hold more.
void put_sides(Snapshot& snapshot, const std::vector<Snapshot>& sides);
/// Of `count` sides, from the block that put_sides() began with. Throws std::logic_error where it is none of its.
std::vector<Snapshot> take_sides(const Snapshot& snapshot, size_t first, size_t count, const std::string& lab);

}  // namespace flipscope
