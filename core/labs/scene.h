// What a lab says to draw, and how to read it: data of the lab's own buffers, which the renderer draws in place. The
// renderer knows these types and no lab.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "geometry/point.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Fixed meanings of colour; the renderer owns the colours themselves.
enum class Role {
    kPlain,
    kFresh,
    kIllegal,
    kWon,
    kLost,
    kFlipped,
    kInconsistent,
    kCycling,
    kSuspect,
    kWaiting,
    kChosen,
    kHelper,
    kMissing,
    kTaken,
    kSeam,
    kBlocked,
    kBreaking,   // a link that was
    kArising,    // a link that has come
    kExact,      // the true diagram, over what a lattice makes of it
    kMissed,     // should be linked, and is not
    kSpurious,   // is linked, and should not be
    kObstacle,   //
    kCorner,     // a lattice site where three cells or more meet
    kOdd,        // a lattice site whose surroundings are hard to read: island, prolonged vertex
    kActive,     // its links have changed
    kUnmatched,  // appeared or vanished
};

struct LegendEntry {
    enum class Element { kVertex, kEdge, kTriangle, kSite } element;  // kSite: of the lattice
    State bit;  // this bit set in the element's state word; the first entry that matches decides
    Role role;
    std::string name;      // "illegal"; empty: a shade of the entry before it, not listed
    std::string sentence;  // "the circle of one of its triangles holds the apex of the other"
    float strength = 1;    // 0…1: how strongly it is drawn, for what fades with age
};

/// A lattice to be drawn under the mesh. Site (x, y) is the square of side 1 around the point (x, y) of the world. Size
/// of the buffers: width · height, row y after row y - 1.
struct LatticeLayer {
    uint32_t width = 0, height = 0;             // 0: none
    const Buffer<uint32_t>* colours = nullptr;  // which cell a site belongs to; kMaxLink: an obstacle; kNone: none
    const Buffer<uint32_t>* names = nullptr;    // by colour: what decides its tint, so that a cell keeps it over time
    const Buffer<float>* field = nullptr;       // numbers to be drawn instead of, or through, the cells
    double field_low = 0, field_high = 1;       // drawn darkest and brightest
    const Buffer<State>* states = nullptr;      // read by legend entries of sites
    explicit operator bool() const { return width > 0 && height > 0; }
};

/// What to draw, and how to read it. The buffers belong to the algorithm; counts are of this moment.
struct Scene {
    const TriangleMesh* mesh = nullptr;  // nullptr: nothing to draw yet
    uint32_t point_count = 0;            // vertices [0, point_count) are drawn as points
    uint32_t helper_begin = kNone;       // vertices from here to the infinite one are helpers (the supertriangle)
    Point low, high;                     // bounds of the input, world units
    double low_z = 0, high_z = 0;        // the same, of a surface
    bool in_space = false;               // the mesh has heights: to be shaded, and seen from any side
    std::vector<uint32_t> path;          // all-collinear input: vertex ids in order along the line; else empty
    std::vector<uint32_t> missing;  // (m, 2) vertex ids of hull edges that the mesh lost; to be drawn as kStateMissing
    std::vector<LegendEntry> legend;
    LatticeLayer lattice;                   // drawn first
    std::vector<const TriangleMesh*> over;  // more edges, with state words of their own, drawn over those of the mesh
    std::string title;                      // of one of two side by side; else empty
    std::vector<Scene> beside;  // at most one: the other of two, to be drawn beside this one, seen the same way
};

}  // namespace flipscope
