// Recordings for tests, as if another program had written them.
#pragma once

#include <memory>
#include <utility>

#include "delaunay/inputs.h"
#include "flipscope/triangulate.h"
#include "geometry/recording.h"

namespace flipscope {

inline std::shared_ptr<const Geometry> recorded(RecordedSteps recording) {
    auto geometry = std::make_shared<Geometry>();
    geometry->name = recording.name = "mine.jsonl";
    geometry->points = *recording.steps.back().points;
    geometry->triangles = *recording.steps.back().triangles;
    geometry->recording = std::make_shared<const RecordedSteps>(std::move(recording));
    return geometry;
}

inline std::shared_ptr<const RecordedSteps::Triangles> triangles(RecordedSteps::Triangles list) {
    return std::make_shared<const RecordedSteps::Triangles>(std::move(list));
}

/// Prefixes of a triangulation, triangle by triangle.
inline std::shared_ptr<const Geometry> growing(const char* text, size_t each = 1) {
    const auto input = generated(text);
    const auto points = std::make_shared<const RecordedSteps::Points>(input->points);
    const Triangulation made = triangulate(input->points);
    RecordedSteps recording;
    for (size_t t = 0; t <= made.triangles.size(); t += each)
        recording.steps.push_back(
            {points, triangles({made.triangles.begin(), made.triangles.begin() + static_cast<ptrdiff_t>(t)})});
    recording.steps.push_back({points, triangles(made.triangles)});
    return recorded(std::move(recording));
}

}  // namespace flipscope
