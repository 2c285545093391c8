// The Delaunay triangulation of points of the plane, on CPU threads or CUDA, from host or device memory; and point
// location in it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flipscope/buffer.h"
#include "flipscope/context.h"
#include "flipscope/point.h"
#include "flipscope/predicates.h"

namespace flipscope {

struct TriangulateOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made if the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    /// Exact predicates always give the Delaunay triangulation. The others are for experiments: their result is
    /// checked, and Error thrown if it is not Delaunay.
    PredicateMode predicate = PredicateMode::kExact;
    // Optional results. Those not requested stay empty (the hash 0) and cost nothing.
    bool neighbours = true;
    bool hull = true;
    bool duplicates = true;
    bool hash = true;
};

struct Triangulation {
    std::vector<std::array<uint32_t, 3>> triangles;   // (t, 3) indices into the points, counter-clockwise
    std::vector<std::array<uint32_t, 3>> neighbours;  // (t, 3) triangle opposite to corner k; kNone beyond the hull
    /// Points on the boundary of the convex hull, including those on its edges: counter-clockwise, once around,
    /// starting at the lowest index. Empty without triangles.
    std::vector<uint32_t> hull;
    /// Without triangles, because all points are collinear or equal: the distinct ones in order along the line.
    /// Otherwise empty.
    std::vector<uint32_t> path;
    /// (n) the first point equal to each, which represents all equal ones; its own index if it is the first. Empty if
    /// all points differ.
    std::vector<uint32_t> duplicate_of;
    /// Hash of the set of triangles: the same for the same points in the same order on every device and for any number
    /// of threads; the triangulation hash of `flipscope run` and its files. 0 without triangles.
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
/// `points`: (n, 2) doubles in world units, in host memory, at most 2^29 - 8; each coordinate 0 or of a magnitude
/// between 2^-200 and 2^200. The result is the Delaunay triangulation of the distinct points: every triangle is
/// counter-clockwise, and its circle contains no point, exactly. The index settles ties of four or more cocircular
/// points (see incircle_tied()), so the result is unique. Equal points are one vertex, with the lowest index. Fewer
/// than three points, or all on one line, are not an error: the result is a path without triangles.
///
/// On a CUDA context the points are copied to the device, and the result back.
///
/// Throws Error for too many points, a coordinate that is not in range (NaN is not), and a result in a naive mode that
/// is not Delaunay; Cancelled after Context::cancel().
Triangulation triangulate(Context& context, std::span<const Point> points, const TriangulateOptions& options = {});

/// The same on a context made for this call by the options' device and threads, which takes some milliseconds on CPU
/// threads and some hundred where CUDA starts: for many calls, make a Context once. Throws std::runtime_error if CUDA
/// is requested but not available.
Triangulation triangulate(std::span<const Point> points, const TriangulateOptions& options = {});

/// The same for points in the device's memory: a device pointer on a CUDA context, any pointer on CPU threads. They are
/// not copied; only a few counters and the hull, (h, 2) words, are copied between host and device. The points must be
/// written before the call as seen from the context's stream: synchronise with your own first.
DeviceTriangulation triangulate_on_device(Context& context, View<const Point> points,
                                          const TriangulateOptions& options = {});

/// The whole mesh of a triangulation in the device's memory, for kernels to read, after Navarro, Hitschfeld-Kahler and
/// Scheihing (2011). Corner 3t + k is place k of triangle t; it stands for the directed edge from its vertex to the
/// next one of the triangle. Edge e has the half-edges 2e and 2e + 1, one for each triangle at it, each of which lies
/// at a corner. So the triangle across corner c is corner_of[half_edge_at[c] ^ 1] / 3.
///
/// One vertex at infinity closes the plane into a sphere: a triangle that has it is a ghost, one for each edge of the
/// hull. v vertices have 2v - 4 triangles and 3v - 6 edges, infinity included.
struct DeviceMesh {
    View<const Point> positions;        // (v) world units; that of the infinite vertex has no meaning
    View<const uint32_t> inputs;        // (v) the index of each vertex's point
    View<const uint32_t> triangles;     // (t, 3) vertices, counter-clockwise
    View<const uint32_t> half_edge_at;  // (t, 3) the half-edge at each corner
    View<const uint32_t> edges;         // (e, 2) vertices, from and to as seen from half-edge 2e
    View<const uint32_t> corner_of;     // (e, 2) the corner of each half-edge
    uint32_t infinite = kNone;          // the last vertex; kNone where there is no triangle
};

/// The same for many sets of points in a row: memory is kept from one call to the next. On CUDA an allocation takes
/// about a millisecond, most of the time for small sets. The context must outlive it.
class Triangulator {
  public:
    explicit Triangulator(Context& context, const TriangulateOptions& options = {});
    ~Triangulator();

    /// As the functions above.
    Triangulation triangulate(std::span<const Point> points);
    /// Valid until the next call.
    const DeviceTriangulation& triangulate_on_device(View<const Point> points);
    /// The same; the caller owns the result.
    DeviceTriangulation take_result();

    /// Of the last call, until the next one.
    DeviceMesh mesh() const;
    /// Distinct points of the last call.
    uint32_t distinct() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The hash of a set of triangles as Triangulation has it. Triangles in host memory. Throws Cancelled.
uint64_t triangulation_hash(Context& context, TriangleSpan triangles);
/// 64 bits of all coordinates and their order, to detect changed points: the same for any number of threads. Points in
/// host memory. Throws Cancelled.
uint64_t hash_points(Context& context, std::span<const Point> points);

struct LocatorView;  // delaunay/constructions/locator_view.h

/// Finds the triangles of a Delaunay triangulation that contain points, for many points at once.
///
/// Points are found by a walk from triangle to triangle (the visibility walk of L. De Floriani, B. Falcidieni,
/// G. Nagy and C. Pienovi, 1991, which ends in every Delaunay triangulation), decided by exact orientation tests. It
/// starts at the vertex that is next to the point along a Morton curve, so it is short where points crowd, too.
class PointLocator {
  public:
    /// All in the device's memory (of a CPU context anywhere), and constant: `points` (n), `triangles` and `neighbours`
    /// (t, 3) of triangulate() for them. The context must outlive it. Sorts the points, and waits.
    PointLocator(Context& context, View<const Point> points, View<const uint32_t> triangles,
                 View<const uint32_t> neighbours);

    /// `found`: the triangle that contains each query; kNone if it is outside the convex hull, or NaN. On an edge or at
    /// a vertex it is the lowest of the triangles that meet there, so the answer depends on the triangulation alone.
    /// All in the device's memory, fewer than 2^32 - 1. Waits for the device. Throws Error for a coordinate that is not
    /// 0 and smaller than 2^-200, Cancelled.
    void locate(View<const Point> queries, View<uint32_t> found);

    // ---- for the library's own kernels ------------------------------------------------------------------------------
    LocatorView view() const;
    /// The order in which walks read the same memory one after the other; empty for few queries.
    void sort(View<const Point> queries, Buffer<uint32_t>& order);
    /// Throws the Error of locate() if `refused`, (1) of LocatorView::find(), names a query.
    static void require_decided(const Buffer<uint32_t>& refused);

  private:
    Context* context_;
    View<const Point> points_;
    View<const uint32_t> triangles_, neighbours_;
    Point low_, high_;                                     // of all points
    Buffer<uint64_t> keys_{"Morton keys"};                 // (n) ascending; of points without a triangle at the end
    Buffer<uint32_t> vertices_{"vertices by Morton key"};  // (n)
    Buffer<uint32_t> last_{"lowest triangles"};            // (n) the complement of the lowest triangle of each point
};

}  // namespace flipscope
