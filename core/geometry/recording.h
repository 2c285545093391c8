// The recorded steps of another program: points, triangles, and marks. Made by readers (io/recording.h) and shown by
// the Recording lab; not validated here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/point.h"

namespace flipscope {

struct RecordedSteps {
    struct Marks {
        std::vector<uint32_t> vertices;              // indices of points
        std::vector<std::array<uint32_t, 2>> edges;  // the ends of each, which need not be an edge of a triangle
        std::vector<uint32_t> triangles;             // indices of triangles of the step
        bool empty() const { return vertices.empty() && edges.empty() && triangles.empty(); }
        size_t count() const { return vertices.size() + edges.size() + triangles.size(); }
    };
    /// A sign that the program computed, of a determinant as in orient2d() and incircle().
    struct Test {
        bool in_circle = false;
        std::array<uint32_t, 4> points{};  // indices of points; of an orientation the first three
        int sign = 0;                      // -1, 0 or 1
    };
    using Points = std::vector<Point>;                       // (n) world units
    using Triangles = std::vector<std::array<uint32_t, 3>>;  // (t, 3) indices into the points of the step, all below n
    struct Step {
        // Never nullptr; unchanged arrays are shared between steps.
        std::shared_ptr<const Points> points;
        std::shared_ptr<const Triangles> triangles;
        Marks marks = {};
        std::string caption = {};      // the program's text, or empty
        std::vector<Test> tests = {};  // performed on the way to the step
    };

    std::string name;         // "mine.jsonl"
    std::vector<Step> steps;  // one or more
};

/// The bounds of all points of all steps.
Bounds bounds_of(const RecordedSteps& recording);

}  // namespace flipscope
