// The Particles lab for its tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "delaunay/runs.h"
namespace flipscope {

inline std::unique_ptr<Lab> particles(Context& context, const Settings& settings, const Input& input = nothing()) {
    std::unique_ptr<Lab> lab = started(context, input, "particles", settings);
    return lab;
}

/// The lab's error for these settings, or an empty text.
inline std::string particles_refusal(const Settings& settings, const Input& input = nothing()) {
    Context context(DeviceRequest::kCpu, 2);
    return error_of([&] { particles(context, settings, input); }, "");
}

inline std::vector<Point> positions_of(const Lab& lab) { return values_of<Point>(lab, "positions"); }

}  // namespace flipscope
