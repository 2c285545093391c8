#include "flipscope/make_delaunay.h"

#include <memory>

#include "compute/error.h"
#include "delaunay/constructions/flipping.h"
#include "geometry/range_check.h"
#include "mesh/finite_triangles.h"

namespace flipscope {

namespace {

using Triples = std::vector<std::array<uint32_t, 3>>;

Triples triples_of(const Buffer<uint32_t>& words) {
    Triples triples(words.size() / 3);
    if (!triples.empty()) words.download(triples.data()->data(), words.size());
    return triples;
}

FlippedTriangulation flip(Context& context, std::shared_ptr<const Geometry> input, const MakeDelaunayOptions& options) {
    const CancelScope scope(context.cancel_flag());
    if (input->triangles.empty())
        throw Error("there are no triangles to be made Delaunay; triangulate() makes some from points alone");
    // Also of points that no triangle uses, which the engine orders with the others.
    if (!input->in_space()) require_in_range(input->points, "point");
    FlippedTriangulation result;
    FlippingOptions engine;
    engine.epsilon = options.epsilon;
    engine.dihedral = options.dihedral;
    engine.block_size = context.block_size();
    Flipping flipping;
    flipping.set_records_states(false);
    flipping.reset(context, std::move(input), engine);
    flipping.finish([&](const PassResult& iteration) {
        const int64_t flips = iteration.counters[Flipping::kGranted];
        if (flips != kNotCounted) result.flips += static_cast<uint64_t>(flips);
    });
    result.iterations = flipping.iterations();
    result.settled = !flipping.cycling();
    if (flipping.in_space()) {
        const SurfaceFacts facts = flipping.survey_surface(0);
        result.creases = facts.held;
        result.blocked = facts.blocked;
    }
    FiniteTriangles finite;
    Buffer<uint32_t> words("result");
    finite.collect(context, flipping.mesh(), words);
    result.triangles = triples_of(words);
    if (options.neighbours) {
        finite.find_neighbours(context, flipping.mesh(), words);
        result.neighbours = triples_of(words);
    }
    return result;
}

}  // namespace

FlippedTriangulation make_delaunay(Context& context, std::span<const Point> points,
                                   std::span<const std::array<uint32_t, 3>> triangles,
                                   const MakeDelaunayOptions& options) {
    auto input = std::make_shared<Geometry>();
    input->name = "the input";
    input->points.assign(points.begin(), points.end());
    input->triangles.assign(triangles.begin(), triangles.end());
    return flip(context, std::move(input), options);
}

FlippedTriangulation make_delaunay(Context& context, std::span<const Point3> points,
                                   std::span<const std::array<uint32_t, 3>> triangles,
                                   const MakeDelaunayOptions& options) {
    auto input = std::make_shared<Geometry>();
    input->name = "the input";
    for (const Point3& p : points) {
        input->points.push_back({p.x, p.y});
        input->heights.push_back(p.z);
    }
    input->triangles.assign(triangles.begin(), triangles.end());
    return flip(context, std::move(input), options);
}

FlippedTriangulation make_delaunay(std::span<const Point> points, std::span<const std::array<uint32_t, 3>> triangles,
                                   const MakeDelaunayOptions& options) {
    Context context(options.device, options.threads);
    context.set_timed(false);  // its timings end with this call, unread
    return make_delaunay(context, points, triangles, options);
}

FlippedTriangulation make_delaunay(std::span<const Point3> points, std::span<const std::array<uint32_t, 3>> triangles,
                                   const MakeDelaunayOptions& options) {
    Context context(options.device, options.threads);
    context.set_timed(false);  // its timings end with this call, unread
    return make_delaunay(context, points, triangles, options);
}

}  // namespace flipscope
