// The points of the input in a scene that has nothing to draw yet: before the first pass a lab has made nothing, and a
// picture of it would be empty. For pictures, films and pages; the window previews the input by itself.
#pragma once

#include <memory>

#include "compute/buffer.h"
#include "geometry/point.h"
#include "lab/scene.h"

namespace flipscope {

class InputScene {
  public:
    /// `scene` itself, or, where it has nothing to draw and the input has points of the plane in the lab's coordinates,
    /// the same with them in its layer "points" and their bounds. The buffers are this object's, on the context's
    /// device.
    Scene with_input(Context& context, Scene scene, const std::shared_ptr<const Geometry>& input);

  private:
    std::shared_ptr<const Geometry> of_;  // whose points are in the buffer
    Buffer<Point> places_{"input.points", Residence::kDrawn};
};

}  // namespace flipscope
