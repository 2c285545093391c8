// Frame times of a large triangulation while the camera moves: frames as the window draws them, without a window.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "compute/context.h"

namespace flipscope::bench {

struct FramesPlan {
    std::vector<uint64_t> sizes{1'000'000};  // points
    DeviceRequest device = DeviceRequest::kAuto;
    int threads = 0;   // 0: one per processor
    int frames = 120;  // of each movement
    int width = 1280, height = 800;
    uint64_t seed = 1;
    bool beside = false;    // a picture and a kept copy side by side
    bool coloured = false;  // triangles in the colours of their areas
};

/// Prints a line for each size and movement, and adds them to `json`. Throws std::runtime_error without OpenGL.
void run_frames(const FramesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
