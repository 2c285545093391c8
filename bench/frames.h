// How long pictures of a large triangulation take while one moves about in it: frames as the window draws them, without
// a window.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "compute/context.h"

namespace flipscope::bench {

struct FramesPlan {
    std::vector<uint64_t> sizes{1'000'000};  // points
    DeviceRequest device = DeviceRequest::kAuto;
    int threads = 0;   // 0: as many as the machine has
    int frames = 120;  // of each way of moving
    int width = 1280, height = 800;
    uint64_t seed = 1;
    bool beside = false;    // two pictures side by side, of which one is a kept copy
    bool coloured = false;  // triangles in the colours of their areas
};

/// Prints a line for each size and way of moving, and adds them to `json`. Throws std::runtime_error where there is no
/// OpenGL.
void run_frames(const FramesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
