// What lies around an element of triangles that need not fit together, in the words of explain.h, with links to go
// along: for labs that show what other programs made. It looks at all triangles, once a click.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/point.h"
#include "lab/report.h"
#include "mesh/soup_survey.h"

namespace flipscope {

/// Borrowed, for one call.
struct SeenSoup {
    const std::vector<Point>& points;
    const SoupTriangles& triangles;                    // corners may name points that do not exist
    std::function<uint32_t(uint32_t, uint32_t)> edge;  // index of the edge between two points; kNone: there is none
    uint32_t part = 0;                                 // the view that they are in

    Link vertex_link(uint32_t vertex) const { return {std::to_string(vertex), {ElementKind::kVertex, vertex, part}}; }
};

/// As explain_edge(); the property "Triangles", or "Triangle" of one, has been added. The other diagonal is told of
/// where one triangle lies on either side.
void explain_soup_edge(const SeenSoup& soup, uint32_t from, uint32_t to, Properties& properties,
                       std::vector<Highlight>& highlights);
void explain_soup_triangle(const SeenSoup& soup, uint32_t triangle, Properties& properties);
/// Its neighbours by index. Nothing where no triangle has it.
void explain_soup_vertex(const SeenSoup& soup, uint32_t vertex, Properties& properties);

}  // namespace flipscope
