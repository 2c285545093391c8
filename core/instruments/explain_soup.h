// The neighbours of an element of arbitrary triangles, in the words of explain.h, with links: for labs that show the
// output of other programs. Scans all triangles, once per click.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "instruments/explain.h"
#include "lab/report.h"
#include "mesh/soup_survey.h"

namespace flipscope {

/// Borrowed for one call.
struct InspectedSoup {
    const std::vector<Point>& points;
    const SoupTriangles& triangles;                    // corners may be nonexistent points
    std::function<uint32_t(uint32_t, uint32_t)> edge;  // index of the edge between two points, or kNone
    uint32_t part = 0;                                 // index of the view

    /// The triangles with both points as corners, and their third corners.
    struct AtEdge {
        uint32_t triangle, apex;
    };
    std::vector<AtEdge> triangles_at(uint32_t a, uint32_t b) const;
    Link vertex_link(uint32_t vertex) const { return {std::to_string(vertex), {ElementKind::kVertex, vertex, part}}; }
};

/// As explain_edge(); the caller has added the property "Triangles", or "Triangle" for one. Reports the other diagonal
/// if one triangle lies on each side.
void explain_soup_edge(const InspectedSoup& soup, uint32_t from, uint32_t to, Properties& properties,
                       std::vector<Highlight>& highlights);
/// The in-circle test of the two triangles of an edge, with their circles and the section of the predicates;
/// `triangles` are those with `left` and with `right`, and `circle` as of add_in_circle(), which returns the same.
int explain_soup_quad(const InspectedSoup& soup, const std::array<uint32_t, 4>& from_to_left_right,
                      const std::array<uint32_t, 2>& triangles, const std::string& circle, Properties& properties,
                      Report& report);
/// A triangle's shape and circle with the section of the predicates, unless a corner does not exist or occurs twice;
/// and its neighbours.
void explain_soup_triangle(const InspectedSoup& soup, uint32_t triangle, Properties& properties, Report& report);
/// Its neighbours by index. Adds nothing for a vertex of no triangle.
void explain_soup_vertex(const InspectedSoup& soup, uint32_t vertex, Properties& properties);

}  // namespace flipscope
