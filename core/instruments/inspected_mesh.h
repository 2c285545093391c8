// A triangulation for reports, read from the host word by word: neighbours, places and names of elements. On a torus a
// corner is a definite image, relative to the first corner, which lies in the box. Used by explain.h and by labs on a
// torus.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "delaunay/constructions/construction.h"
#include "delaunay/torus/torus_insertion.h"
#include "geometry/torus_box.h"
#include "lab/report.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// "point 5", or with its name in the input "point 5 (Berlin)". `input`: as in TriangleMesh::inputs.
std::string point_name(const Construction& made, uint32_t input);
/// The same without the word: "5 (Berlin)".
std::string short_point_name(const Construction& made, uint32_t input);

struct InspectedCorner {
    uint32_t id = kNone;
    ImageShift image;  // sides of the box, on a torus
};
/// An edge with the apexes of its two triangles, with images relative to `from`.
struct InspectedQuad {
    InspectedCorner from, to, left, right;
    uint32_t triangles[2];
    std::array<InspectedCorner, 4> all() const { return {from, to, left, right}; }
};

class InspectedMesh {
  public:
    // Valid as long as its source. Implicit, so that a construction can be passed directly.
    InspectedMesh(const Construction& made);
    InspectedMesh(const TorusInsertion& made);
    /// For a periodic box with this corner in the world; vertices are named by their ids: "particle 5".
    InspectedMesh(Context& context, const TriangleMesh& mesh, const TorusBox& box, Point corner, std::string noun);

    const TriangleMesh& mesh() const { return mesh_; }
    Context& context() const { return context_; }
    /// nullptr: the mesh is not of a construction.
    const Construction* construction() const { return construction_; }
    const std::optional<TorusBox>& box() const { return box_; }
    bool in_space() const { return !mesh_.heights.empty(); }
    uint32_t waiting_count() const { return construction_ ? construction_->waiting_count() : 0; }

    bool is_finite(uint32_t vertex) const { return vertex < mesh_.infinite(); }
    /// On a cylinder the images of vertices across its open axis are not finite.
    bool is_finite(const InspectedCorner& corner) const {
        return is_finite(corner.id) && !(box_ && box_->is_beyond(corner.image));
    }
    bool on_cylinder() const { return box_ && box_->is_cylinder(); }
    bool is_helper(uint32_t vertex) const { return vertex >= distinct_; }
    bool is_ghost(uint32_t triangle) const;
    uint32_t from(uint32_t corner) const { return mesh_.triangles.read(corner); }
    uint32_t edge_at(uint32_t corner) const { return mesh_.half_edge_at.read(corner) >> 1; }
    uint32_t across(uint32_t corner) const { return mesh_.corner_of.read(mesh_.half_edge_at.read(corner) ^ 1u); }
    uint32_t corner_of(uint32_t edge, uint32_t side) const { return mesh_.corner_of.read(2 * size_t(edge) + side); }

    /// The corners of a corner's triangle, counter-clockwise from it; `first`: the image of the first corner.
    std::array<InspectedCorner, 3> corners_from(uint32_t corner, ImageShift first = {}) const;
    std::array<InspectedCorner, 3> corners(uint32_t triangle) const { return corners_from(3 * triangle); }
    InspectedQuad quad(uint32_t edge) const;

    /// Coordinates in the plane, or relative to the corner of the box, perhaps beyond its border. Exact.
    Point at(const InspectedCorner& corner) const;
    Point at(uint32_t vertex) const { return at(InspectedCorner{vertex, {}}); }
    /// Converts such a place to world coordinates.
    Point in_world(Point at) const { return {corner_.x + at.x, corner_.y + at.y}; }
    Point3 place(const InspectedCorner& corner) const;
    /// Without infinite corners.
    template <class Corners>
    std::vector<Point3> places(const Corners& corners) const {
        std::vector<Point3> found;
        for (const InspectedCorner& one : corners)
            if (is_finite(one)) found.push_back(place(one));
        return found;
    }

    std::string short_name(uint32_t vertex) const { return short_name_(vertex); }
    /// "point 5 (image 1, 0)"
    std::string name(const InspectedCorner& corner) const;
    Link link(uint32_t vertex) const;

  private:
    InspectedMesh(const Construction& made, const Geometry* input);

    Context& context_;
    const TriangleMesh& mesh_;
    const Construction* construction_ = nullptr;
    uint32_t distinct_ = kNone;  // helpers begin here
    std::optional<TorusBox> box_;
    Point corner_{0, 0};  // of the box, in the world
    std::string noun_;    // "point"
    std::function<std::string(uint32_t)> short_name_;
};

/// On a torus or a cylinder: repeats highlights on the other side of each border that `element` (places as from at())
/// crosses; without it, of each border that the highlight crosses.
void repeat_over_border(const InspectedMesh& inspected, std::vector<Highlight>& highlights,
                        const std::vector<Point>& element = {});

}  // namespace flipscope
