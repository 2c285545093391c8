#pragma once

#include <memory>

#include "app/render/renderer.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// The structure factor of one state, as it was painted.
struct StructurePicture {
    Canvas canvas;
    std::shared_ptr<const SceneStatistics> of;
    bool light = false;
    double greatest = 0;  // what the brightest colour stands for
};

}  // namespace flipscope::app
