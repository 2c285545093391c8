#include "delaunay/constructions/walk_path.h"

#include "compute/launch.h"
#include "compute/primitives.h"

namespace flipscope {

namespace {

/// The triangle of the walk after i + 1 steps: each thread walks by itself, for its number of steps. Steps between a
/// ghost and a finite triangle are not counted separately, so one of the two can be missing.
struct WalkSoFar {
    Walk walk;
    Point p;
    uint32_t start;
    View<uint32_t> path;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        Walk cut = walk;
        cut.most_steps = i < walk.most_steps ? i : walk.most_steps;
        path[i] = cut(p, start).triangle();
    }
};

struct PlaceInList {
    View<const uint32_t> list;
    uint32_t value;
    FLIPSCOPE_HD uint32_t operator()(uint32_t i) const { return list[i] == value ? i : kNone; }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

}  // namespace

std::vector<uint32_t> walk_path(Context& context, const Walk& walk, Point p, uint32_t start, uint32_t most) {
    Buffer<uint32_t> path("walk");
    path.resize(context, most, false);
    launch(context, "explain.walk", most, WalkSoFar{walk, p, start, path.view()});
    std::vector<uint32_t> entered{start};
    for (const uint32_t t : path.download())
        if (t != entered.back()) entered.push_back(t);
    if (entered.size() > most) entered.resize(most);
    return entered;
}

uint32_t place_in_list(Context& context, View<const uint32_t> list, uint32_t count, uint32_t value) {
    return reduce(context, "explain.find", count, PlaceInList{list, value}, uint32_t(kNone));
}

}  // namespace flipscope
