#include "geometry/recording.h"

#include <algorithm>

#include "compute/cancel.h"

namespace flipscope {

PlaneBounds bounds_of(const RecordedSteps& recording) {
    PlaneBounds bounds;
    bool any = false;
    const RecordedSteps::Points* last = nullptr;
    for (const RecordedSteps::Step& step : recording.steps) {
        if (step.points.get() == last) continue;
        last = step.points.get();
        throw_if_cancelled();
        for (const Point& p : *last) {
            bounds.low = any ? Point{std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y)} : p;
            bounds.high = any ? Point{std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y)} : p;
            any = true;
        }
    }
    return bounds;
}

}  // namespace flipscope
