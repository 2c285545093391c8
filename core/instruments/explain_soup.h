// The neighbours of an element of arbitrary triangles, in the words of explain.h, with links: for labs that show the
// output of other programs. Scans all triangles, once per click.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/point.h"
#include "lab/report.h"
#include "mesh/soup_survey.h"

namespace flipscope {

/// Borrowed for one call.
struct InspectedSoup {
    const std::vector<Point>& points;
    const SoupTriangles& triangles;                    // corners may be nonexistent points
    std::function<uint32_t(uint32_t, uint32_t)> edge;  // index of the edge between two points, or kNone
    uint32_t part = 0;                                 // index of the view

    Link vertex_link(uint32_t vertex) const { return {std::to_string(vertex), {ElementKind::kVertex, vertex, part}}; }
};

/// As explain_edge(); the caller has added the property "Triangles", or "Triangle" for one. Reports the other diagonal
/// if one triangle lies on each side.
void explain_soup_edge(const InspectedSoup& soup, uint32_t from, uint32_t to, Properties& properties,
                       std::vector<Highlight>& highlights);
void explain_soup_triangle(const InspectedSoup& soup, uint32_t triangle, Properties& properties);
/// Its neighbours by index. Adds nothing for a vertex of no triangle.
void explain_soup_vertex(const InspectedSoup& soup, uint32_t vertex, Properties& properties);

}  // namespace flipscope
