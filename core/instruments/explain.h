// Common parts of the report of an element, for all labs with a triangulation in the plane, in space or on a torus: its
// neighbours with links and highlights, the decision of the last claim pass, and the deciding determinants with all
// digits. Labs add these parts to their reports.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/exact_values.h"
#include "instruments/inspected_mesh.h"
#include "lab/report.h"

namespace flipscope {

/// Links the triangles of an edge from the property "Triangles"; adds its ends, the opposite vertices and the other
/// diagonal, all highlighted.
void explain_edge(const InspectedMesh& inspected, uint32_t edge, Properties& properties,
                  std::vector<Highlight>& highlights);
/// To which structures of the triangulation an edge of the plane belongs, and which point excludes it from the others.
/// Part of explain_edge().
void explain_structures(const InspectedMesh& inspected, uint32_t edge, Properties& properties,
                        std::vector<Highlight>& highlights);
/// A triangle's corners, edges, neighbours and, in the plane or on a torus, angles.
void explain_triangle(const InspectedMesh& inspected, uint32_t triangle, Properties& properties);
/// A vertex's degree, neighbours, triangles and, in the plane or on a torus, its Voronoi cell; for a waiting vertex the
/// triangle that contains it and the path of the search.
void explain_vertex(const InspectedMesh& inspected, uint32_t vertex, Properties& properties,
                    std::vector<Highlight>& highlights);
/// The decision of the last claim pass: flipped, granted, blocked, or deferred, with the edge that holds the triangle.
void explain_last_pass(const InspectedMesh& inspected, ElementKind kind, uint32_t id, Properties& properties,
                       std::vector<Highlight>& highlights);

/// A determinant in floats, in doubles and exactly, with all digits, and the tie-break if it is 0: `decided` is the
/// final sign, after the perturbation, and `tie` a sentence about it, or empty.
Properties determinant_values(const DeterminantValues& values, int decided, const std::string& tie);

/// A point as an argument of a predicate.
struct PredicatePoint {
    std::string name;  // "point 5"
    Point at;
    uint32_t input = kNone;  // its index in the input; kNone: not in the input
};

/// A section with every predicate's value and sign for three points (orientation) or four (in-circle), and a link that
/// opens them in the microscope. `decided` and `tie` as of determinant_values().
Section predicate_section(std::span<const PredicatePoint> points, int decided, const std::string& tie);

}  // namespace flipscope
