// Inputs of the Events lab for tests: none, frames of discs, and tracks.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compute/cancel.h"
#include "delaunay/runs.h"
#include "events/verify_events.h"
#include "geometry/frames.h"

namespace flipscope {

inline Settings with(Settings settings, const Settings& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

inline Input recorded(std::shared_ptr<const FieldStack> stack) {
    auto input = std::make_shared<Geometry>();
    input->name = stack->name;
    input->unit = stack->unit;
    input->field = std::move(stack);
    return input;
}

inline void add_message(std::string& text, const StepResult& result) {
    const std::string message = result.message.text();
    text += (text.empty() || message.empty() ? "" : " ") + message;
}

/// All messages of a run that is stepped.
inline std::string messages_of(Context& context, const Input& input, const Settings& settings) {
    const auto lab = started(context, input, "events", settings);
    std::string text;
    while (!lab->done()) add_message(text, lab->step());
    return text;
}

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
    return recorded(stack);
}

/// Components over 8 neighbours of the pixels above the threshold.
inline size_t count_components(const std::vector<float>& field, const Lattice& lattice, double threshold) {
    std::vector<uint8_t> inside(field.size());
    for (size_t pixel = 0; pixel < field.size(); ++pixel) inside[pixel] = field[pixel] > threshold;
    std::vector<uint32_t> labels = flood_labels(lattice, inside);
    sort_distinct_or_cancel(labels);
    return labels.size() - size_t(!labels.empty() && labels.back() == kNone);
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
