// Is this a Delaunay triangulation, and is this surface still what it was? The answers come from kernels over the
// mesh's own arrays, with exact predicates whatever the algorithm used. "Verify" in the panel, --check on the command
// line and the tests call check_mesh() and check_surface().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "mesh/failures.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct CheckReport {
    bool passed = true;
    bool checked = true;              // false: as things stand there is nothing to check yet; `passed` is false, too
    uint64_t broken_references = 0;   // slots and halves that do not agree, or edges that name other vertices
    uint64_t inverted_triangles = 0;  // finite triangles that are not counter-clockwise (flat ones too)
    uint64_t illegal_edges = 0;       // not Delaunay, exactly
    uint64_t tied_edges = 0;   // Delaunay, with four points on one circle, but not as the tie rule has it; on a torus
                               // these are among the illegal ones
    uint64_t reflex_hull = 0;  // hull vertices where the hull is not convex
    bool euler = true;         // 2v - 4 triangles and 3v - 6 edges, and every vertex is used; if the outline is
                               // fixed, three half edges to a triangle, and every vertex is used
    uint64_t boundary_edges = 0;         // finite edges with one finite triangle; on the hull, an outline or a cut
    int64_t euler_characteristic = 0;    // finite vertices - edges + triangles; each cut edge counts as often as it was
                                         // cut
    uint64_t flat_triangles = 0;         // of a surface: finite triangles without area, exactly
    uint64_t duplicate_edges = 0;        // of a surface: finite edges that have both ends in common with an earlier one
    std::vector<uint32_t> examples;      // up to 8 ids of edges or triangles at fault
    std::vector<CheckFailure> failures;  // by code, then by id; the first kMostFailures of them
    uint64_t failure_count = 0;          // with those that are not listed
    std::string sentence;                // what to tell a person: "Delaunay: 199,972 triangles, …"
};

struct CheckOptions {
    bool fixed_outline = false;  // the outline is that of the input, with holes and bays perhaps, and must stay
};

/// Checks references, orientation, Euler's count for all of the mesh's vertices, the hull's convexity and every edge's
/// legality. With a fixed outline: that every edge with two finite triangles is legal, which makes it Delaunay within
/// its outline; edges at infinity and the outline itself are not judged, and Euler's count of the sphere is not asked
/// for. Waits for the device. Throws nothing of its own.
CheckReport check_mesh(Context& context, const TriangleMesh& mesh, const CheckOptions& options = {});

/// For callers to which triangles without area, or edges with both ends in common, are failures: lists those that
/// check_surface() has counted. `why`: what is added to each sentence, mostly nothing.
void list_flat_triangles(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report);
void list_duplicate_edges(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report);

/// Checks the references of a surface, and counts what no flip may change (boundary_edges, euler_characteristic) or
/// make worse (duplicate_edges, flat_triangles): compare the reports from before and after. `passed` speaks of
/// references and unused vertices alone. Waits for the device. Throws nothing of its own.
CheckReport check_surface(Context& context, const TriangleMesh& mesh);

/// What is in a mesh, without the elements at infinity or at a vertex of id >= real_vertices (helpers).
struct MeshSummary {
    uint64_t triangles = 0;
    uint64_t edges = 0;
    uint64_t hull_edges = 0;  // on the outline of the counted triangles
    uint64_t hash = 0;        // of the set of counted triangles over input indices: depends on the result alone, not on
                              // ids, device, threads or algorithm
};
MeshSummary summarise(Context& context, const TriangleMesh& mesh, uint32_t real_vertices);

/// Memory of a kernel as 32-bit words, whatever the type of what lies there: a copy of the bytes, because a double or a
/// point may not be read through a pointer to whole numbers.
struct Words {
    const std::byte* bytes = nullptr;  // on a multiple of four
    size_t count = 0;                  // words

    FLIPSCOPE_HD uint32_t operator[](size_t i) const {
        uint32_t word;
        memcpy(&word, __builtin_assume_aligned(bytes + i * sizeof word, alignof(uint32_t)), sizeof word);
        return word;
    }
};

/// The first `count` elements of a buffer as words.
template <class T>
Words words_of(const Buffer<T>& buffer, size_t count) {
    static_assert(sizeof(T) % sizeof(uint32_t) == 0 && alignof(T) % alignof(uint32_t) == 0);
    return {std::as_bytes(std::span<const T>(buffer.view().data, count)).data(), count * sizeof(T) / sizeof(uint32_t)};
}

/// Hash of words in device memory, sensitive to their places: for state hashes. `seed` chains several.
uint64_t hash_words(Context& context, Words words, uint64_t seed);

/// How many more of this code can be listed.
size_t room_for(const CheckReport& report, const std::string& code);
/// Appends one that is no single element, or one that is known already.
void add_failure(CheckReport& report, CheckFailure failure);

}  // namespace flipscope
