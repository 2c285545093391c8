#include "flipscope/triangulate.h"

#include <atomic>
#include <bit>
#include <string>
#include <utility>

#include "compute/error.h"
#include "compute/for_ranges.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/strips.h"
#include "geometry/range_check.h"
#include "mesh/checks.h"
#include "mesh/finite_triangles.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

/// The sum of value(i) for i < n, in any order.
template <class Value>
uint64_t sum_over(Context& context, size_t n, const Value& value) {
    std::atomic<uint64_t> sum{0};
    for_ranges(context, static_cast<uint32_t>(n), [&](uint32_t begin, uint32_t end) {
        uint64_t part = 0;
        for (uint32_t i = begin; i < end; ++i) part += value(i);
        sum.fetch_add(part, std::memory_order_relaxed);
    });
    return sum;
}

}  // namespace

/// Runs Strips to its end, which is the fastest of the constructions, and turns the mesh into plain arrays over the
/// points as they were given. Naive predicates are those of Insertion.
struct Triangulator::Impl {
    Impl(Context& context, const TriangulateOptions& options);
    const DeviceTriangulation& triangulate_on_device(View<const Point> points);
    Triangulation triangulate(std::span<const Point> points);
    const Construction& made() const {
        if (insertion) return *insertion;
        return strips;
    }
    const TriangleMesh& mesh() const { return made().mesh(); }

    Context& context;
    const TriangulateOptions options;
    Strips strips;
    std::unique_ptr<Insertion> insertion;  // of naive predicates: in place of strips
    Buffer<Point> uploaded{"input points"};
    FiniteTriangles finite;
    DeviceTriangulation result;

  private:
    void require_delaunay();
    void collect();
};

Triangulator::Impl::Impl(Context& the_context, const TriangulateOptions& the_options)
    : context(the_context), options(the_options) {
    if (options.predicate != PredicateMode::kExact) insertion = std::make_unique<Insertion>();
    if (insertion)
        insertion->set_records_states(false);
    else
        strips.set_records_states(false);
}

const DeviceTriangulation& Triangulator::Impl::triangulate_on_device(View<const Point> points) {
    const CancelScope scope(context.cancel_flag());
    const auto run = [&](auto& construction, const auto& how) {
        construction.set_first_equal(options.duplicates ? &result.duplicate_of : nullptr);
        construction.reset(context, points, how);
        require_in_range(context, points, "point");
        construction.finish({});
    };
    if (insertion) {
        run(*insertion, InsertionOptions{.predicate = options.predicate, .block_size = context.block_size()});
        require_delaunay();
    } else {
        run(strips, StripsOptions{.block_size = context.block_size()});
    }
    collect();
    return result;
}

Triangulation Triangulator::Impl::triangulate(std::span<const Point> points) {
    View<const Point> resident{points.data(), points.size()};
    if (context.on_cuda()) {
        uploaded.upload(context, points.data(), points.size());
        resident = uploaded.view();
    }
    triangulate_on_device(resident);
    Triangulation copied;
    const auto copy = [&](const Buffer<uint32_t>& from, std::vector<std::array<uint32_t, 3>>& to) {
        if (from.empty()) return;
        to.resize(from.size() / 3);
        from.download(to.data()->data(), from.size());
    };
    copy(result.triangles, copied.triangles);
    copy(result.neighbours, copied.neighbours);
    if (!result.duplicate_of.empty()) copied.duplicate_of = result.duplicate_of.download();
    copied.hull = std::move(result.hull);
    copied.path = std::move(result.path);
    copied.hash = result.hash;
    return copied;
}

void Triangulator::Impl::require_delaunay() {
    if (mesh().triangle_count == 0) return;
    const CheckReport check = check_mesh(context, mesh());
    if (check.passed && made().waiting_count() == 0) return;
    throw Error(std::string("points: the predicate ") + name_of(options.predicate) + " led to a wrong result (" +
                check.sentence + "); use exact predicates");
}

void Triangulator::Impl::collect() {
    const TriangleMesh& mesh = this->mesh();
    if (!options.duplicates) result.duplicate_of.resize(context, 0);
    result.triangle_count = 0;
    result.triangles.resize(context, 0);
    result.neighbours.resize(context, 0);
    result.hull.clear();
    result.path.clear();
    result.hash = 0;
    if (mesh.triangle_count == 0) {
        if (made().path().empty()) return;
        const std::vector<uint32_t> inputs = mesh.inputs.download();
        for (const uint32_t v : made().path()) result.path.push_back(inputs[v]);
        return;
    }
    result.triangle_count = finite.collect(context, mesh, result.triangles);
    if (options.neighbours) finite.find_neighbours(context, mesh, result.neighbours);
    if (options.hull) result.hull = finite.outline(context, mesh);
    if (options.hash) result.hash = summarise(context, mesh, made().distinct()).hash;
}

Triangulator::Triangulator(Context& context, const TriangulateOptions& options)
    : impl_(std::make_unique<Impl>(context, options)) {}
Triangulator::~Triangulator() = default;

Triangulation Triangulator::triangulate(std::span<const Point> points) { return impl_->triangulate(points); }
const DeviceTriangulation& Triangulator::triangulate_on_device(View<const Point> points) {
    return impl_->triangulate_on_device(points);
}
DeviceTriangulation Triangulator::take_result() { return std::move(impl_->result); }
uint32_t Triangulator::distinct() const { return impl_->made().distinct(); }

DeviceMesh Triangulator::mesh() const {
    const TriangleMesh& mesh = impl_->mesh();
    if (mesh.triangle_count == 0) return {};
    const size_t corners = 3 * size_t(mesh.triangle_count), halves = 2 * size_t(mesh.edge_count);
    return {mesh.positions.view(mesh.vertex_count),
            mesh.inputs.view(mesh.vertex_count),
            mesh.triangles.view(corners),
            mesh.half_edge_at.view(corners),
            mesh.edges.view(halves),
            mesh.corner_of.view(halves),
            mesh.infinite()};
}

Triangulation triangulate(Context& context, std::span<const Point> points, const TriangulateOptions& options) {
    return Triangulator(context, options).triangulate(points);
}

Triangulation triangulate(std::span<const Point> points, const TriangulateOptions& options) {
    Context context(options.device, options.threads);
    context.set_timed(false);  // its timings end with this call, unread
    return triangulate(context, points, options);
}

DeviceTriangulation triangulate_on_device(Context& context, View<const Point> points,
                                          const TriangulateOptions& options) {
    Triangulator triangulator(context, options);
    triangulator.triangulate_on_device(points);
    return triangulator.take_result();
}

uint64_t triangulation_hash(Context& context, TriangleSpan triangles) {
    if (triangles.empty()) return 0;
    return mix64(sum_over(context, triangles.size(), [&](uint32_t t) {
        return hash_triangle(triangles[t][0], triangles[t][1], triangles[t][2]);
    }));
}

uint64_t hash_points(Context& context, std::span<const Point> points) {
    return sum_over(context, points.size(), [&](uint32_t i) {
        const uint64_t y = std::bit_cast<uint64_t>(points[i].y) ^ (i * 0x9E3779B97F4A7C15ull);
        return mix64(mix64(std::bit_cast<uint64_t>(points[i].x)) + y);
    });
}

}  // namespace flipscope
