#include "geometry/recording.h"

#include "compute/cancel.h"

namespace flipscope {

Bounds bounds_of(const RecordedSteps& recording) {
    Bounds bounds;
    bool any = false;
    const RecordedSteps::Points* last = nullptr;
    for (const RecordedSteps::Step& step : recording.steps) {
        if (step.points.get() == last || step.points->empty()) continue;
        last = step.points.get();
        throw_if_cancelled();
        const Bounds of_step = bounds_of(*last);
        bounds = any ? bounds.with(of_step) : of_step;
        any = true;
    }
    return bounds;
}

}  // namespace flipscope
