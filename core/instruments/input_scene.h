// Shows the input's points in a scene that is still empty before the first pass. For pictures, films and pages; the
// window has its own preview.
#pragma once

#include <memory>

#include "compute/buffer.h"
#include "geometry/point.h"
#include "lab/scene.h"

namespace flipscope {

class InputScene {
  public:
    /// Returns `scene`; if it is empty and the input has planar points in the lab's coordinates, with them in its layer
    /// "points" and with their bounds. The buffers belong to this object, on the context's device.
    Scene with_input(Context& context, Scene scene, const std::shared_ptr<const Geometry>& input);

  private:
    std::shared_ptr<const Geometry> of_;  // the input in the buffer
    Buffer<Point> places_{"input.points", Residence::kDrawn};
};

}  // namespace flipscope
