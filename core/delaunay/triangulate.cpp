#include "flipscope/triangulate.h"

#include <string>

#include "compute/error.h"
#include "geometry/range_check.h"
#include "mesh/checks.h"

namespace flipscope {

Triangulator::Triangulator(Context& context, const TriangulateOptions& options)
    : context_(&context), options_(options) {
    if (options_.predicate != PredicateMode::kExact) insertion_ = std::make_unique<Insertion>();
    if (insertion_)
        insertion_->set_records_states(false);
    else
        strips_.set_records_states(false);
}

const DeviceTriangulation& Triangulator::triangulate_on_device(View<const Point> points) {
    const CancelScope scope(context_->cancel_flag());
    const auto run = [&](auto& construction, const auto& how) {
        construction.set_first_equal(options_.duplicates ? &result_.duplicate_of : nullptr);
        construction.reset(*context_, points, how);
        require_in_range(*context_, points, "point");
        construction.finish({});
    };
    if (insertion_) {
        run(*insertion_, InsertionOptions{.predicate = options_.predicate, .block_size = context_->block_size()});
        require_delaunay();
    } else {
        run(strips_, StripsOptions{.block_size = context_->block_size()});
    }
    collect();
    return result_;
}

Triangulation Triangulator::triangulate(std::span<const Point> points) {
    View<const Point> resident{points.data(), points.size()};
    if (context_->on_cuda()) {
        uploaded_.upload(*context_, points.data(), points.size());
        resident = uploaded_.view();
    }
    triangulate_on_device(resident);
    Triangulation result;
    const auto copy = [&](const Buffer<uint32_t>& from, std::vector<std::array<uint32_t, 3>>& to) {
        if (from.empty()) return;
        to.resize(from.size() / 3);
        from.download(to.data()->data(), from.size());
    };
    copy(result_.triangles, result.triangles);
    copy(result_.neighbours, result.neighbours);
    if (!result_.duplicate_of.empty()) result.duplicate_of = result_.duplicate_of.download();
    result.hull = std::move(result_.hull);
    result.path = std::move(result_.path);
    result.hash = result_.hash;
    return result;
}

void Triangulator::require_delaunay() {
    if (mesh().triangle_count == 0) return;
    const CheckReport check = check_mesh(*context_, mesh());
    if (check.passed && made().waiting_count() == 0) return;
    throw Error(std::string("points: the predicate ") + name_of(options_.predicate) + " led to a wrong result (" +
                check.sentence + "); use exact predicates");
}

void Triangulator::collect() {
    Context& context = *context_;
    const TriangleMesh& mesh = this->mesh();
    if (!options_.duplicates) result_.duplicate_of.resize(context, 0);
    result_.triangle_count = 0;
    result_.triangles.resize(context, 0);
    result_.neighbours.resize(context, 0);
    result_.hull.clear();
    result_.path.clear();
    result_.hash = 0;
    if (mesh.triangle_count == 0) {
        if (made().path().empty()) return;
        const std::vector<uint32_t> inputs = mesh.inputs.download();
        for (const uint32_t v : made().path()) result_.path.push_back(inputs[v]);
        return;
    }
    result_.triangle_count = finite_.collect(context, mesh, result_.triangles);
    if (options_.neighbours) finite_.find_neighbours(context, mesh, result_.neighbours);
    if (options_.hull) result_.hull = finite_.outline(context, mesh);
    if (options_.hash) result_.hash = summarise(context, mesh, distinct()).hash;
}

// ---- single calls ---------------------------------------------------------------------------------------------------

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

}  // namespace flipscope
