#pragma once

#include <memory>

#include "app/render/renderer.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// The painted structure factor of one state.
struct StructurePicture {
    Canvas canvas;
    std::shared_ptr<const SceneStatistics> of;
    bool light = false;
    double greatest = 0;  // value of the brightest colour
};

}  // namespace flipscope::app
