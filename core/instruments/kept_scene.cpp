#include "instruments/kept_scene.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

#include "compute/error.h"

namespace flipscope {

namespace {

/// Calls `visit` for every reference to a buffer in the layer.
template <class L, class Visit>
void each_buffer(L& layer, Visit visit) {
    visit(layer.scalars);
    const auto visit_all = [&](auto&... buffers) { (visit(buffers), ...); };
    std::visit([&](auto& shape) { std::apply(visit_all, shape.buffers(shape)); }, layer.shape);
}

/// The same for the buffers that determine a mesh's colours; its state words are those of the layers.
template <class Visit>
void each_buffer_of_mesh(const TriangleMesh& mesh, Visit visit) {
    visit(&mesh.positions, &TriangleMesh::positions);
    visit(&mesh.heights, &TriangleMesh::heights);
    visit(&mesh.inputs, &TriangleMesh::inputs);
    visit(&mesh.triangles, &TriangleMesh::triangles);
    visit(&mesh.half_edge_at, &TriangleMesh::half_edge_at);
    visit(&mesh.edges, &TriangleMesh::edges);
    visit(&mesh.corner_of, &TriangleMesh::corner_of);
    visit(&mesh.shifts, &TriangleMesh::shifts);
}

template <class T>
void copy_buffer(Context& context, Buffer<T>& to, const Buffer<T>& from) {
    to.resize(context, from.size(), false);
    if (!from.empty()) context.copy(to.memory()->data(), from.memory()->data(), from.size() * sizeof(T));
}

std::string size_text(uint64_t bytes) { return std::to_string((bytes + (1 << 19)) >> 20) + " MiB"; }

uint64_t next_revision() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

/// Layers with equal keys share a scale.
auto quantity_of(const Layer& layer) {
    return std::tuple(layer.id, layer.scale.name, layer.scale.unit, layer.scale.kind, layer.scale.logarithmic,
                      layer.scale.classes);
}

}  // namespace

uint64_t KeptScene::bytes_of(const Scene& scene) {
    std::set<const void*> seen;
    uint64_t bytes = 0;
    const auto add = [&]<class T>(const Buffer<T>* buffer) {
        if (buffer && seen.insert(buffer).second) bytes += buffer->size() * sizeof(T);
    };
    for (size_t i = 0; i < scene.view_count(); ++i) {
        const SceneView& view = scene.view(i);
        if (view.mesh) each_buffer_of_mesh(*view.mesh, [&](const auto* buffer, auto) { add(buffer); });
        for (const Layer& layer : view.layers) each_buffer(layer, add);
    }
    return bytes;
}

template <class T>
const Buffer<T>* KeptScene::copied(const Buffer<T>* from) {
    if (!from) return nullptr;
    auto& [owner, copy] = copies_[from];
    if (!copy) {
        const auto made = std::make_shared<Buffer<T>>(from->name(), Residence::kDrawn);
        copy_buffer(context_, *made, *from);
        owner = made;
        copy = made.get();
    }
    return static_cast<const Buffer<T>*>(copy);
}

// Registers its buffers as the copies of the mesh buffers that layers draw.
void KeptScene::copy_mesh(SceneView& view) {
    const TriangleMesh& from = *view.mesh;
    auto made = std::make_unique<TriangleMesh>();
    if (from.on_torus()) made->reset_torus(context_, from.vertex_count, false, from.open());
    each_buffer_of_mesh(from, [&](const auto* buffer, auto member) {
        auto& own = (*made).*member;
        copy_buffer(context_, own, *buffer);
        copies_[buffer] = {nullptr, &own};
    });
    made->vertex_count = from.vertex_count;
    made->triangle_count = from.triangle_count;
    made->edge_count = from.edge_count;
    view.mesh = made.get();
    meshes_.push_back(std::move(made));
}

KeptScene::KeptScene(Context& context, const Scene& scene, uint64_t most)
    : context_(context), own_(scene), bytes_(bytes_of(scene)) {
    if (bytes_ > most)
        throw Error("this picture is too large to be kept: its copy would take " + size_text(bytes_) +
                    ", and it may take " + size_text(most) + "; compare smaller inputs");
    for (size_t i = 0; i < own_.view_count(); ++i) {
        SceneView& view = own_.view(i);
        view.readout = nullptr;
        if (view.mesh) copy_mesh(view);
        for (Layer& layer : view.layers) {
            each_buffer(layer, [&](auto*& buffer) { buffer = copied(buffer); });
            if (auto* const lattice = std::get_if<LatticeLayer>(&layer.shape)) lattice->ids = nullptr;  // the lab's
        }
    }
    context_.synchronize();
    put_on();
}

void KeptScene::show_as(const ExplorationChoice& live, Paraboloid::Choice lift) {
    ExplorationChoice choice{.colour = live.colour};
    choice.marks_disclinations = live.marks_disclinations;
    choice.style = live.style, choice.shows_data = live.shows_data, choice.size_by = live.size_by;
    choice.structures = live.structures;
    if (exploration_.choice() == choice && lift_ == lift) return;
    exploration_.choose(std::move(choice));
    exploration_.update(context_, own_);
    paraboloid_.update(context_, own_, lift_ = lift);
    changed_ = true;
}

void KeptScene::put_on() {
    scene_ = own_;
    exploration_.apply(scene_);
    paraboloid_.apply(scene_);
    scales_.clear();
    for (size_t i = 0; i < scene_.view_count(); ++i)
        for (const Layer& layer : scene_.view(i).layers) scales_.push_back(layer.scale);
    changed_ = false;
    revision_ = next_revision();
}

void KeptScene::match(Scene& live) {
    if (changed_) put_on();
    std::map<decltype(quantity_of(std::declval<const Layer&>())), ColourScale> widened;
    const auto widen = [](ColourScale& scale, const ColourScale& by) {
        scale.low = std::min(scale.low, by.low);
        scale.high = std::max(scale.high, by.high);
        scale.has_below |= by.has_below, scale.has_above |= by.has_above, scale.shows_missing |= by.shows_missing;
    };
    for (size_t i = 0; i < live.view_count(); ++i)
        for (const Layer& layer : live.view(i).layers) {
            if (!layer.has_scale()) continue;
            const auto [at, fresh] = widened.emplace(quantity_of(layer), layer.scale);
            if (!fresh) widen(at->second, layer.scale);
        }
    std::set<decltype(quantity_of(std::declval<const Layer&>()))> shared;
    size_t next = 0;
    for (size_t i = 0; i < scene_.view_count(); ++i)
        for (const Layer& layer : scene_.view(i).layers) {
            const ColourScale& own = scales_[next++];
            const auto found = layer.has_scale() ? widened.find(quantity_of(layer)) : widened.end();
            if (found == widened.end()) continue;
            widen(found->second, own);
            shared.insert(found->first);
        }
    next = 0;
    bool changed = false;
    for (size_t i = 0; i < scene_.view_count(); ++i)
        for (Layer& layer : scene_.view(i).layers) {
            ColourScale scale = scales_[next++];
            if (layer.has_scale() && shared.contains(quantity_of(layer))) scale = widened.at(quantity_of(layer));
            changed |= !(layer.scale == scale);
            layer.scale = scale;
        }
    if (changed) revision_ = next_revision();
    for (size_t i = 0; i < live.view_count(); ++i)
        for (Layer& layer : live.view(i).layers)
            if (layer.has_scale() && shared.contains(quantity_of(layer))) layer.scale = widened.at(quantity_of(layer));
}

}  // namespace flipscope
