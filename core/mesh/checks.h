// Is this a Delaunay triangulation? The answer comes from kernels over the mesh's own arrays, with exact predicates
// whatever the algorithm used. "Verify" in the panel, --check on the command line and the tests call check_mesh().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

struct CheckReport {
    bool passed = true;
    uint64_t broken_references = 0;  // slots and halves that do not agree, or edges that name other vertices
    uint64_t turned_triangles = 0;   // finite triangles that are not counter-clockwise (flat ones too)
    uint64_t illegal_edges = 0;      // not Delaunay, exactly and with ties settled
    uint64_t reflex_hull = 0;        // hull vertices where the hull is not convex
    bool euler = true;               // 2v - 4 triangles and 3v - 6 edges, and every vertex is used
    std::vector<uint32_t> examples;  // up to 8 ids of edges or triangles at fault
    std::string sentence;            // what to tell a person: "Delaunay: 199,972 triangles, …"
};

/// Checks references, orientation, Euler's count for all of the mesh's vertices, the hull's convexity and every edge's
/// legality. Waits for the device. Throws nothing of its own.
CheckReport check_mesh(Context& context, const TriangleMesh& mesh);

/// What is in a mesh, without the elements at infinity or at a vertex of id >= real_vertices (helpers).
struct MeshSummary {
    uint64_t triangles = 0;
    uint64_t edges = 0;
    uint64_t hull_edges = 0;  // on the outline of the counted triangles
    uint64_t hash = 0;        // of the set of counted triangles over input indices: depends on the result alone, not on
                              // ids, device, threads or algorithm
};
MeshSummary summarise(Context& context, const TriangleMesh& mesh, uint32_t real_vertices);

/// Hash of `count` words in device memory, sensitive to their places: for state hashes. `seed` chains several.
uint64_t hash_words(Context& context, View<const uint32_t> words, uint64_t seed);

}  // namespace flipscope
