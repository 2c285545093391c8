// The Delaunay triangulation of points as a function call, on CPU threads or CUDA: what programs that use the library
// call, and tests, and engines that need triangles over points. It runs Strips to its end, which is the fastest of the
// constructions, and turns the mesh into plain arrays over the points as they were given. It has no steps; for those
// use Strips, or Insertion.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/strips.h"
#include "mesh/finite_triangles.h"

namespace flipscope {

struct TriangulateOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made when the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    /// Exact ones always give the Delaunay triangulation. The others are for experiments, by Insertion: their result is
    /// checked, and Error thrown when it is not Delaunay.
    PredicateMode predicate = PredicateMode::kExact;
    // What is asked for beside the triangles. What is not asked for stays empty (the hash 0) and costs nothing.
    bool neighbours = true;
    bool hull = true;
    bool duplicates = true;
    bool hash = true;
};

struct Triangulation {
    std::vector<std::array<uint32_t, 3>> triangles;   // (t, 3) indices into the points, counter-clockwise
    std::vector<std::array<uint32_t, 3>> neighbours;  // (t, 3) triangle opposite to corner k; kNone beyond the hull
    /// Points on the boundary of the convex hull, those inside its edges too: counter-clockwise, once around, from the
    /// lowest index on. Empty without a triangle.
    std::vector<uint32_t> hull;
    /// Where there is no triangle, since all points lie on one line or in one place: the distinct ones in order along
    /// it. Otherwise empty.
    std::vector<uint32_t> path;
    /// (n) the first point that is equal to it, which stands for all of them; its own index where it is that. Empty
    /// when all points differ.
    std::vector<uint32_t> duplicate_of;
    /// Of the set of triangles: the same for the same points in the same order on every device and for any number of
    /// threads, and what `flipscope run` and its files call the triangulation hash. 0 without a triangle.
    uint64_t hash = 0;
};

/// The same with the arrays that grow with the points left in the device's memory, for kernels to read. The buffers
/// must not outlive the context.
struct DeviceTriangulation {
    uint32_t triangle_count = 0;                       // t
    Buffer<uint32_t> triangles{"result triangles"};    // (t, 3) as in Triangulation
    Buffer<uint32_t> neighbours{"result neighbours"};  // (t, 3)
    Buffer<uint32_t> duplicate_of{"duplicates"};       // (n), or empty
    std::vector<uint32_t> hull, path;                  // on the host
    uint64_t hash = 0;
};

/// Triangulates points of the plane: strips of points zipped together, then parallel edge flips after Navarro,
/// Hitschfeld-Kahler and Scheihing (2011), with exact predicates and a vertex at infinity.
///
/// `points`: (n, 2) doubles in world units, in host memory, at most 2^29 - 8 of them; each coordinate 0 or of a
/// magnitude between 2^-200 and 2^200. The result is the Delaunay triangulation of the distinct points: every triangle
/// counter-clockwise, and no point inside of a triangle's circle, exactly. Of four or more points on one circle the
/// index decides (see tie_rank()), so the result is unique. Equal points are one vertex, which goes by the lowest
/// index. Fewer than three points, or all on one line, are no error: there is a path and no triangle.
///
/// On a CUDA context the points are copied to the device, and the result back.
///
/// Throws Error for too many points, a coordinate that is not in range (NaN is not), and a result in a naive mode that
/// is not Delaunay; Cancelled when the context was told to.
Triangulation triangulate(Context& context, std::span<const Point> points, const TriangulateOptions& options = {});

/// The same on a context made for this call by the options' device and threads, which takes some milliseconds on CPU
/// threads and some hundred where CUDA starts: with many calls, make a Context once. Throws std::runtime_error when
/// CUDA is asked for where there is none.
Triangulation triangulate(std::span<const Point> points, const TriangulateOptions& options = {});

/// The same for points in the device's memory: a device pointer on a CUDA context, any pointer on CPU threads. They are
/// read where they lie; beyond a few counters and the hull, (h, 2) words, nothing is copied between host and device.
/// The points must be written before the call as seen from the context's stream: synchronise with your own first.
DeviceTriangulation triangulate_on_device(Context& context, View<const Point> points,
                                          const TriangulateOptions& options = {});

/// The same for many sets of points in a row: memory is kept from one call to the next, which on CUDA, where an
/// allocation takes the driver about a millisecond, is most of the time for small sets. The context must outlive it.
class Triangulator {
  public:
    explicit Triangulator(Context& context, const TriangulateOptions& options = {});

    /// As the functions above.
    Triangulation triangulate(std::span<const Point> points);
    /// Valid until the next call.
    const DeviceTriangulation& triangulate_on_device(View<const Point> points);
    /// The same, for the caller to keep.
    DeviceTriangulation take_result() { return std::move(result_); }

    /// Of the last call, in the device's memory: vertices strip by strip, with half-edges, the vertex at infinity and
    /// its ghost triangles. See mesh/triangle_mesh.h.
    const TriangleMesh& mesh() const { return made().mesh(); }
    /// Distinct points of the last call.
    uint32_t distinct() const { return made().distinct(); }

  private:
    const Construction& made() const {
        if (insertion_) return *insertion_;
        return strips_;
    }
    void require_delaunay();
    void collect();

    Context* context_;
    TriangulateOptions options_;
    Strips strips_;
    std::unique_ptr<Insertion> insertion_;  // of naive predicates: in place of strips
    Buffer<Point> uploaded_{"input points"};
    FiniteTriangles finite_;
    DeviceTriangulation result_;
};

}  // namespace flipscope
