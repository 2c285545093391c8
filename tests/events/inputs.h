// What tests of the Events lab give it: nothing, frames of discs, and tracks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "delaunay/runs.h"
#include "geometry/frames.h"

namespace flipscope {

/// Frames of discs, given by their sites in each frame.
inline Input film(uint32_t width, uint32_t height, const std::vector<std::vector<Point>>& frames, double radius = 3) {
    auto stack = std::make_shared<FieldStack>();
    stack->name = "film";
    stack->width = width;
    stack->height = height;
    for (const auto& sites : frames)
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x) {
                float value = 0;
                for (const Point c : sites)
                    if ((x - c.x) * (x - c.x) + (y - c.y) * (y - c.y) <= radius * radius) value = 1;
                stack->values.push_back(value);
            }
    auto input = std::make_shared<Geometry>();
    input->name = "film";
    input->field = stack;
    return input;
}

inline Input tracks(const std::vector<std::vector<std::pair<int64_t, Point>>>& frames) {
    auto made = std::make_shared<Tracks>();
    made->name = "tracks";
    made->starts.push_back(0);
    for (const auto& frame : frames) {
        for (const auto& [id, place] : frame) {
            made->ids.push_back(id);
            made->places.push_back(place);
        }
        made->times.push_back(10.0 * double(made->times.size()));
        made->starts.push_back(made->ids.size());
    }
    auto input = std::make_shared<Geometry>();
    input->name = "tracks";
    input->tracks = made;
    return input;
}

}  // namespace flipscope
