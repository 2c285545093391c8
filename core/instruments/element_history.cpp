#include "instruments/element_history.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "compute/text.h"

namespace flipscope {

namespace {

/// Its corners; for a vertex only whether it exists and does not wait. nullopt: no such element.
std::optional<ElementCorners> look_at_element(const Lab& lab, const Element& element) {
    const Scene scene = lab.scene();
    const SceneView& view = scene.view(element.part);
    if (element.kind != ElementKind::kVertex) return corners_of_element(view, element.kind, element.id);
    if (!view.mesh || element.id >= view.count_of(element.kind)) return std::nullopt;
    const TriangleMesh& mesh = *view.mesh;
    const bool waits = mesh.records_states() && (mesh.vertex_states.read(element.id) & kStateWaiting);
    if (waits || mesh.triangle_count == 0) return std::nullopt;
    return ElementCorners{kNone, kNone, kNone};
}

const Buffer<uint32_t>& corner_ids(const TriangleMesh& mesh, ElementKind kind) {
    return kind == ElementKind::kEdge ? mesh.edges : mesh.triangles;
}

}  // namespace

std::optional<ElementCorners> corners_of_element(const SceneView& view, ElementKind kind, uint32_t id) {
    if (!view.mesh || id >= view.count_of(kind)) return std::nullopt;
    const size_t count = kind == ElementKind::kEdge ? 2 : 3;
    ElementCorners corners{kNone, kNone, kNone};
    for (size_t k = 0; k < count; ++k) corners[k] = corner_ids(*view.mesh, kind).read(count * id + k);
    std::sort(corners.begin(), corners.end());
    return corners;
}

uint32_t find_element(const SceneView& view, ElementKind kind, const ElementCorners& corners) {
    if (!view.mesh) return kNone;
    const size_t count = kind == ElementKind::kEdge ? 2 : 3;
    const std::vector<uint32_t> ids = corner_ids(*view.mesh, kind).download(count * view.count_of(kind));
    for (size_t i = 0; i < ids.size(); i += count) {
        ElementCorners found{kNone, kNone, kNone};
        std::copy_n(ids.begin() + static_cast<ptrdiff_t>(i), count, found.begin());
        std::sort(found.begin(), found.end());
        if (found == corners) return static_cast<uint32_t>(i / count);
    }
    return kNone;
}

ElementHistory trace_element(Timeline& timeline, const Element& element, const std::function<bool()>& keep_going) {
    return trace_elements(timeline, {element}, kMostTraced, keep_going).front();
}

std::vector<ElementHistory> trace_elements(Timeline& timeline, const std::vector<Element>& elements, uint64_t most,
                                           const std::function<bool()>& keep_going) {
    using What = ElementChange::What;
    const uint64_t here = timeline.position(), from = here - std::min(here, most);
    std::vector<ElementHistory> histories;
    for (const Element& element : elements) histories.push_back({element, {}, from, here});
    std::vector<std::optional<ElementCorners>> known(elements.size());  // if passes renumber them
    if (timeline.lab().info().renumbers_elements)
        for (size_t i = 0; i < elements.size(); ++i)
            if (elements[i].kind != ElementKind::kVertex) known[i] = look_at_element(timeline.lab(), elements[i]);
    if (!timeline.seek(from, keep_going)) {
        for (ElementHistory& history : histories) history.to = from;
        return histories;
    }
    const auto look = [&] {
        std::vector<std::optional<ElementCorners>> found;
        for (size_t i = 0; i < elements.size(); ++i) {
            if (!known[i]) {
                found.push_back(look_at_element(timeline.lab(), elements[i]));
                continue;
            }
            const Scene scene = timeline.lab().scene();
            const bool there = find_element(scene.view(elements[i].part), elements[i].kind, *known[i]) != kNone;
            found.push_back(there ? known[i] : std::nullopt);
        }
        return found;
    };
    auto before = look();
    while (timeline.position() < here && timeline.step()) {
        auto now = look();
        const uint64_t position = timeline.position();
        const StepResult& last = timeline.result(position - 1);
        for (size_t i = 0; i < elements.size(); ++i) {
            const ElementKind kind = elements[i].kind;
            const auto add = [&](What what) {
                histories[i].changes.push_back({what, position, last.pass, last.round});
            };
            if (now[i] && !before[i])
                add(kind == ElementKind::kVertex ? What::kInserted : What::kMade);
            else if (now[i] && *now[i] != *before[i])
                add(kind == ElementKind::kEdge ? What::kFlipped : What::kChanged);
            else if (!now[i] && before[i] && known[i])
                add(What::kRemoved);
        }
        before = std::move(now);
        if (keep_going && !keep_going()) break;
    }
    for (ElementHistory& history : histories) history.to = timeline.position();
    return histories;
}

bool has_history(const Scene& scene, const Element& element) {
    return element.kind != ElementKind::kPixel && scene.view(element.part).mesh != nullptr;
}

const char* name_of(ElementChange::What what) {
    static constexpr const char* kNames[] = {"made", "flipped", "changed", "inserted", "removed"};
    return kNames[static_cast<int>(what)];
}

Properties properties_of(const ElementHistory& history) {
    using What = ElementChange::What;
    constexpr size_t kMostLinks = 64;
    Properties properties;
    const std::string since =
        history.from > 0 ? "since pass " + with_commas(history.from) : "since the start of the run";
    for (const auto& [what, name] : {std::pair{What::kMade, "Made in pass"},
                                     {What::kInserted, "Inserted in pass"},
                                     {What::kFlipped, "Flipped in pass"},
                                     {What::kChanged, "Changed in pass"},
                                     {What::kRemoved, "Removed in pass"}}) {
        std::vector<Link> links;
        size_t count = 0;
        for (const ElementChange& change : history.changes) {
            if (change.what != what || ++count > kMostLinks) continue;
            Link link;
            link.name = std::to_string(change.position);
            link.position = change.position;
            links.push_back(std::move(link));
        }
        if (links.empty()) continue;
        std::string why = count == 1 && (what == What::kMade || what == What::kInserted)
                              ? ""
                              : count_text(count, "time ", "times ") + since;
        if (count > kMostLinks) why += "; the first " + std::to_string(kMostLinks) + " are listed";
        properties.add_links(name, std::move(links), std::move(why));
    }
    if (properties.empty()) properties.add("History", "nothing has changed", since);
    return properties;
}

}  // namespace flipscope
