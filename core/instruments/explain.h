// What a report tells of an element beyond its own numbers, in the same words for every lab around a triangulation, in
// the plane, in space and on a torus: what lies around it, with links to go along and highlights to see it by; what the
// last claim pass decided of it; the determinants that decide, with all digits. Labs add these to their reports;
// nothing here decides anything.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/exact_values.h"
#include "instruments/seen_mesh.h"
#include "lab/report.h"

namespace flipscope {

/// Links to the triangles of an edge beside the value of the property "Triangles"; its ends, the opposite vertices and
/// the other diagonal, all of them highlighted.
void explain_edge(const SeenMesh& seen, uint32_t edge, Properties& properties, std::vector<Highlight>& highlights);
/// A triangle's corners, edges, neighbours and, in the plane or on a torus, angles.
void explain_triangle(const SeenMesh& seen, uint32_t triangle, Properties& properties);
/// A vertex's degree, neighbours, triangles and, in the plane or on a torus, its Voronoi cell; of one that waits the
/// triangle that it lies in and the way of the search there.
void explain_vertex(const SeenMesh& seen, uint32_t vertex, Properties& properties, std::vector<Highlight>& highlights);
/// What the last claim pass decided: flipped, granted, blocked, or deferred to which edge, which holds which triangle.
void explain_last_pass(const SeenMesh& seen, ElementKind kind, uint32_t id, Properties& properties,
                       std::vector<Highlight>& highlights);

/// A determinant in floats, in doubles and exactly, with all digits, and where it is 0 what decided instead: `decided`
/// is the sign that stands in the end, of the perturbed determinant where the exact one is 0, and `tie` a sentence
/// about it, or empty.
Properties determinant_values(const DeterminantValues& values, int decided, const std::string& tie);

/// A point as a predicate takes it.
struct PredicatePoint {
    std::string name;  // "point 5"
    Point at;
    uint32_t input = kNone;  // its index in the input; kNone where the input has no such point
};

/// A section with every predicate's value and sign for three points (orientation) or four (in-circle), and a link that
/// opens them in the microscope. `decided` and `tie` as of determinant_values().
Section predicate_section(std::span<const PredicatePoint> points, int decided, const std::string& tie);

}  // namespace flipscope
