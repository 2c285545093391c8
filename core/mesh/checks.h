// Checks whether a mesh is a Delaunay triangulation, and whether a surface is unchanged: kernels over the mesh's
// arrays, with exact predicates whatever the algorithm used. Called by "Verify" in the panel, by --check, and by tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "mesh/failures.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// `sentence`: "Delaunay: 199,972 triangles, …". `failures`: by code, then by id.
struct CheckReport : FailureList {
    bool checked = true;              // false: nothing to check yet; `passed` is false, too
    uint64_t broken_references = 0;   // inconsistent slots and halves, or edges with wrong vertices
    uint64_t inverted_triangles = 0;  // finite triangles that are not counter-clockwise (flat ones too)
    uint64_t illegal_edges = 0;       // not Delaunay, exactly
    uint64_t tied_edges = 0;   // Delaunay, with four points on one circle, but not as the tie rule has it; on a torus
                               // these are among the illegal ones
    uint64_t reflex_hull = 0;  // hull vertices where the hull is not convex
    bool euler = true;         // 2v - 4 triangles and 3v - 6 edges, and every vertex is used; if the outline is
                               // fixed, three half edges to a triangle, and every vertex is used
    uint64_t boundary_edges = 0;       // finite edges with one finite triangle; on the hull, an outline or a cut
    int64_t euler_characteristic = 0;  // finite vertices - edges + triangles; each cut edge counts as often as it was
                                       // cut
    uint64_t flat_triangles = 0;       // of a surface: finite triangles without area, exactly
    uint64_t duplicate_edges = 0;      // of a surface: finite edges that have both ends in common with an earlier one

    /// There is nothing to check yet, for this reason.
    static CheckReport nothing(std::string why) {
        CheckReport report;
        report.passed = report.checked = false;
        report.sentence = std::move(why);
        return report;
    }
};

struct CheckOptions {
    bool fixed_outline = false;  // the outline of the input, perhaps with holes and bays, must stay
};

/// Checks references, orientation, Euler's formula for all of the mesh's vertices, the hull's convexity and every
/// edge's legality. With a fixed outline, every edge with two finite triangles must be legal, which makes the mesh
/// Delaunay within its outline; edges at infinity, the outline and Euler's formula for the sphere are not checked.
/// Waits for the device.
CheckReport check_mesh(Context& context, const TriangleMesh& mesh, const CheckOptions& options = {});

/// List the flat triangles or duplicate edges that check_surface() has counted, for callers to whom these are failures.
/// `why` is appended to each sentence; usually empty.
void list_flat_triangles(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report);
void list_duplicate_edges(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report);

/// Checks the references of a surface, and counts what flips must not change (boundary_edges, euler_characteristic) or
/// increase (duplicate_edges, flat_triangles), for a comparison of the reports before and after. `passed` refers to
/// references and unused vertices only. Waits for the device.
CheckReport check_surface(Context& context, const TriangleMesh& mesh);

/// Counts of a mesh, without elements at infinity or at helper vertices (id >= real_vertices).
struct MeshSummary {
    uint64_t triangles = 0;
    uint64_t edges = 0;
    uint64_t hull_edges = 0;  // on the outline of the counted triangles
    uint64_t hash = 0;        // of the set of counted triangles over input indices: depends only on the result, not on
                              // ids, device, threads or algorithm
};
MeshSummary summarise(Context& context, const TriangleMesh& mesh, uint32_t real_vertices);

/// Memory of a kernel as 32-bit words, for any type. Words are copied bytewise, because strict aliasing forbids
/// reading a double or a Point through a pointer to integers.
struct Words {
    const std::byte* bytes = nullptr;  // aligned to four bytes
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

/// Order-dependent hash of words in device memory, for state hashes. `seed` chains several hashes.
uint64_t hash_words(Context& context, Words words, uint64_t seed);

/// How many more failures of this code can be listed.
size_t room_for(const FailureList& report, const std::string& code);
/// Appends a failure of no single element, or one already known.
void add_failure(FailureList& report, CheckFailure failure);

}  // namespace flipscope
