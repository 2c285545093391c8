#include "labs/element_history.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "compute/text.h"

namespace flipscope {

namespace {

/// Its corners, in ascending order, as far as it has any; of a vertex whether it waits. nullopt: there is no such
/// element.
std::optional<std::array<uint32_t, 3>> look_at_element(const Lab& lab, const Element& element) {
    const Scene scene = lab.scene();
    const SceneView& view = scene.view(element.part);
    if (!view.mesh || element.id >= view.count_of(element.kind)) return std::nullopt;
    const TriangleMesh& mesh = *view.mesh;
    std::array<uint32_t, 3> corners{kNone, kNone, kNone};
    if (element.kind == ElementKind::kVertex) {
        const bool waits = mesh.records_states() && (mesh.vertex_states.read(element.id) & kStateWaiting);
        if (waits || mesh.triangle_count == 0) return std::nullopt;
        return corners;
    }
    const size_t count = element.kind == ElementKind::kEdge ? 2 : 3;
    const Buffer<uint32_t>& ids = element.kind == ElementKind::kEdge ? mesh.edges : mesh.triangles;
    for (size_t k = 0; k < count; ++k) corners[k] = ids.read(count * element.id + k);
    std::sort(corners.begin(), corners.end());
    return corners;
}

}  // namespace

ElementHistory trace_element(Timeline& timeline, const Element& element, const std::function<bool()>& keep_going) {
    using What = ElementChange::What;
    ElementHistory history{element, {}, 0, timeline.position()};
    const uint64_t here = timeline.position();
    history.from = here - std::min(here, kMostTraced);
    const auto going = [&] { return !keep_going || keep_going(); };
    if (!timeline.seek(history.from, keep_going)) {
        history.to = history.from;
        return history;
    }
    auto before = look_at_element(timeline.lab(), element);
    while (timeline.position() < here && timeline.step()) {
        const auto now = look_at_element(timeline.lab(), element);
        const uint64_t position = timeline.position();
        if (now && !before)
            history.changes.push_back({element.kind == ElementKind::kVertex ? What::kInserted : What::kMade, position});
        else if (now && *now != *before)
            history.changes.push_back({element.kind == ElementKind::kEdge ? What::kFlipped : What::kChanged, position});
        before = now;
        if (!going()) break;
    }
    history.to = timeline.position();
    return history;
}

Properties told(const ElementHistory& history) {
    using What = ElementChange::What;
    constexpr size_t kMostLinks = 64;
    Properties properties;
    const std::string since =
        history.from > 0 ? "since pass " + with_commas(history.from) : "since the start of the run";
    for (const auto& [what, name] : {std::pair{What::kMade, "Made in pass"},
                                     {What::kInserted, "Inserted in pass"},
                                     {What::kFlipped, "Flipped in pass"},
                                     {What::kChanged, "Changed in pass"}}) {
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
        std::string why =
            what == What::kMade || what == What::kInserted ? "" : count_text(count, "time ", "times ") + since;
        if (count > kMostLinks) why += "; the first " + std::to_string(kMostLinks) + " are listed";
        properties.add_links(name, std::move(links), std::move(why));
    }
    if (properties.empty()) properties.add("History", "nothing has changed", since);
    return properties;
}

}  // namespace flipscope
