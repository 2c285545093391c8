// A layer under the others: the kernel estimate of the intensity of the points, as coloured pixels.
#pragma once

#include <memory>

#include "compute/buffer.h"
#include "flipscope/study_area.h"
#include "lab/scene.h"

namespace flipscope {

class IntensityLayer {
  public:
    static constexpr const char* kName = "intensity";

    /// Estimates the intensity of the first view of the plane that has a mesh, in `area`, or nullptr: in the periodic
    /// box or the bounds of the points; with Scott's bandwidth. Waits for the device.
    void update(Context& context, const Scene& scene, const StudyArea* area);
    void clear() { view_ = kNone; }
    /// Adds the layer to the scene of update(), or to another scene of the same state.
    void apply(Scene& scene) const;

  private:
    uint32_t view_ = kNone;
    double bandwidth_ = 0;  // world units
    ColourScale scale_;
    Buffer<Point> places_{"corners of pixels", Residence::kDrawn};
    Buffer<uint32_t> corners_{"triangles of pixels", Residence::kDrawn};
    Buffer<float> values_{"intensity", Residence::kDrawn};  // by triangle
};

}  // namespace flipscope
