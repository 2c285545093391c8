#include "triangulated.h"

#include "flipscope/error.h"

namespace flipscope::python {

std::unique_ptr<Context> make_context(const std::string& device, int threads) {
    const DeviceRequest request = *parse_device(device);
    if (request == DeviceRequest::kCuda)
        for (const DeviceInfo& info : list_devices())
            if (info.device == Device::kCuda && !info.usable)
                throw std::runtime_error("no CUDA device can be used (" + info.explanation +
                                         "); ask for device=\"cpu\" or device=\"auto\"");
    auto context = std::make_unique<Context>(request, threads);
    context->set_timed(false);
    return context;
}

template <class Work>
void Triangulated::run_alone(const Work& work) {
    run(*context_, points_.count < 4096, [&] {
        const std::lock_guard lock(mutex_);
        work();
    });
}

std::unique_ptr<Triangulated> Triangulated::of_array(const PointRows& points, const std::string& device, int threads) {
    std::unique_ptr<Triangulated> made(new Triangulated(make_context(device, threads)));
    made->host_points_ = points_in(points);
    made->points_ = {made->host_points_.data(), made->host_points_.size()};
    made->triangulate();
    return made;
}

std::unique_ptr<Triangulated> Triangulated::of_cuda(uintptr_t pointer, size_t count, uintptr_t stream) {
    wait_for_points(pointer, stream);
    std::unique_ptr<Triangulated> made(new Triangulated(make_context("cuda", 0)));
    made->points_ = {reinterpret_cast<const Point*>(pointer), count};
    made->triangulate();
    return made;
}

void Triangulated::triangulate() {
    run_alone([&] {
        if (host_points_.data()) points_hash_ = hash_points(*context_, host_points_);
        if (context_->on_cuda() && host_points_.data()) {
            uploaded_.upload(*context_, host_points_.data(), host_points_.size());
            points_ = uploaded_.view();
        }
        made_ = triangulate_on_device(*context_, points_, {.hash = false});
        if (!context_->on_cuda()) fetch();
    });
}

void Triangulated::fetch() {
    if (fetched_) return;
    const auto words = [&](const Buffer<uint32_t>& made, std::vector<uint32_t>& copied) {
        if (!context_->on_cuda()) return std::span<const uint32_t>(made.view().data, made.size());
        if (made.size() > 0) copied = made.download();
        return std::span<const uint32_t>(copied);
    };
    host_.triangles = words(made_.triangles, copied_triangles_);
    host_.neighbours = words(made_.neighbours, copied_neighbours_);
    host_.duplicate_of = words(made_.duplicate_of, copied_duplicate_of_);
    if (context_->on_cuda() && !host_points_.data()) {
        copied_points_.resize(points_.count);
        if (points_.count) context_->copy(copied_points_.data(), points_.data, points_.count * sizeof(Point));
        host_points_ = copied_points_;
    }
    fetched_ = true;
}

const Triangulated::HostWords& Triangulated::host() {
    if (!fetched_) run_alone([&] { fetch(); });
    return host_;
}

uint64_t Triangulated::hash() {
    host();
    run_alone([&] {
        if (!hash_) hash_ = triangulation_hash(*context_, host_triangles());
    });
    return *hash_;
}

bool Triangulated::have_points_changed() {
    if (!points_hash_) return false;
    bool changed = false;
    run_alone([&] { changed = hash_points(*context_, host_points_) != *points_hash_; });
    return changed;
}

void Triangulated::run_on_device(const DeviceWork& work) {
    run_alone([&] { work(*context_, points_, made_); });
}

nb::object Triangulated::locate(const PointRows& queries) {
    const std::span<const Point> asked = points_in(queries);
    std::vector<uint32_t> found(asked.size());
    run_alone([&] {
        Context& context = *context_;
        if (!locator_)
            locator_ =
                std::make_unique<PointLocator>(context, points_, made_.triangles.view(), made_.neighbours.view());
        if (context.on_cuda()) {
            Buffer<Point> uploaded("queries");
            Buffer<uint32_t> on_device("located");
            uploaded.upload(context, asked.data(), asked.size());
            on_device.resize(context, asked.size());
            locator_->locate(uploaded.view(), on_device.view());
            on_device.download(found.data(), found.size());
        } else {
            locator_->locate({asked.data(), asked.size()}, {found.data(), found.size()});
        }
    });
    return owned_indices(std::move(found));
}

const VertexRows& Triangulated::rows() {
    // Six neighbours each on average, with int32 row starts.
    constexpr size_t kMostRows = 350'000'000;
    if (points_.count > kMostRows)
        throw Error(std::to_string(points_.count) + " points: neighbours and cells are told of at most " +
                    std::to_string(kMostRows));
    host();
    run_alone([&] {
        if (rows_) return;
        rows_ = vertex_rows(*context_, static_cast<uint32_t>(points_.count), host_triangles(), host_neighbours(),
                            made_.path);
    });
    return *rows_;
}

nb::dict Triangulated::voronoi() {
    rows();
    PlaneDiagram diagram;
    run_alone([&] {
        diagram = plane_diagram(*context_, host_points_, host_triangles(), host_neighbours(), made_.path, *rows_);
    });
    nb::dict made;
    made["vertices"] = owned_points(std::move(diagram.vertices));
    made["vertex_of"] = owned_indices(std::move(diagram.vertex_of));
    made["ridge_points"] = owned_pairs(std::move(diagram.ridge_points));
    made["ridge_vertices"] = owned_pairs(std::move(diagram.ridge_vertices));
    made["region_starts"] = owned_indices(std::move(diagram.region_starts));
    made["region_vertices"] = owned_indices(std::move(diagram.region_vertices));
    return made;
}

nb::dict Triangulated::cells(const StudyArea& area) {
    rows();
    CellRings cells;
    std::vector<double> areas(points_.count);
    std::vector<Point> centroids(points_.count);
    run_alone([&] {
        cells = cells_in(*context_, host_points_, *rows_, area);
        const std::vector<CellMeasure> measures = measure_cells(*context_, host_points_, cells);
        for (size_t i = 0; i < measures.size(); ++i) {
            areas[i] = measures[i].area;
            centroids[i] = measures[i].centroid;
        }
    });
    nb::dict made;
    made["part_starts"] = owned_indices(std::move(cells.part_starts));
    made["ring_starts"] = owned_indices(std::move(cells.ring_starts));
    made["corner_starts"] = owned_indices(std::move(cells.corner_starts));
    made["corners"] = owned_points(std::move(cells.corners));
    made["is_cut"] = owned_values(std::move(cells.is_cut));
    made["areas"] = owned_values(std::move(areas));
    made["centroids"] = owned_points(std::move(centroids));
    return made;
}

}  // namespace flipscope::python
