#include "app/view/legend.h"

#include <algorithm>
#include <utility>

#include "app/view/display.h"

namespace flipscope::app {

namespace {

using Element = LegendEntry::Element;

bool is_obstacle(const LegendEntry& entry) { return entry.role == Role::kObstacle; }

/// Counts of all state words.
class Words {
  public:
    Words() : counts_(size_t(1) << 16) {}
    void add(const Buffer<State>& states, size_t count) {
        if (states.empty()) return;
        std::vector<State> words(std::min(count, states.size()));
        if (words.empty()) return;
        states.download(words.data(), words.size());
        for (const State word : words) ++counts_[word];
    }
    void add(State word, uint64_t count) { counts_[word] += count; }
    /// Adds to `found` the count of each entry for such elements: a word belongs to the first entry that matches it. An
    /// entry without a bit matches words that no other entry matches.
    void share_out(const std::vector<LegendEntry>& legend, Element element, std::vector<uint64_t>& found) const {
        const auto first = [&](const auto& matches) {
            size_t i = 0;
            while (i < legend.size() && !(legend[i].element == element && matches(legend[i]))) ++i;
            return i;
        };
        const size_t plain =
            first([](const LegendEntry& entry) { return entry.bit == 0 && entry.mask == 0 && !is_obstacle(entry); });
        for (size_t word = 0; word < counts_.size(); ++word) {
            if (counts_[word] == 0) continue;
            size_t i = first([&](const LegendEntry& entry) { return entry.matches(static_cast<State>(word)); });
            if (i == legend.size()) i = plain;
            if (i < legend.size()) found[i] += counts_[word];
        }
    }

  private:
    std::vector<uint64_t> counts_;
};

uint64_t obstacle_count(const LatticeLayer& lattice) {
    if (!lattice || !lattice.colours || lattice.colours->empty()) return 0;
    std::vector<uint32_t> colours(std::min<size_t>(size_t(lattice.width) * lattice.height, lattice.colours->size()));
    if (colours.empty()) return 0;
    lattice.colours->download(colours.data(), colours.size());
    return static_cast<uint64_t>(std::count(colours.begin(), colours.end(), kMaxLink));
}

LayerCounts count(const Layer& layer, size_t view) {
    LayerCounts counts{view, layer.id, {}, 0};
    Words words;
    uint64_t helpers = 0, alike = 0;
    const size_t elements = std::visit([](const auto& shape) -> size_t { return shape.element_count(); }, layer.shape);
    if (const Buffer<State>* states = layer.states())
        words.add(*states, elements);  // those of triangles are visible over the colours of angles, too
    else if (layer.role != Role::kPlain)
        alike = elements;
    if (const auto* points = std::get_if<PointsLayer>(&layer.shape); points && points->has_helpers())
        helpers = points->helper_end - points->helper_begin;
    const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
    if (lattice) counts.obstacles = alike = obstacle_count(*lattice);
    std::vector<uint64_t> own(layer.legend.size());
    if (!layer.scalars) words.share_out(layer.legend, layer.element(), own);
    const Role role = lattice ? Role::kObstacle : layer.role;
    for (size_t i = 0; i < own.size(); ++i) {
        if (layer.legend[i].role == Role::kHelper) own[i] += helpers;
        if (layer.legend[i].role == role) own[i] += alike;
        counts.entries.emplace_back(layer.legend[i], own[i]);
    }
    return counts;
}

/// The layers of all views that are shown and were counted.
template <class Visit>
void for_each_shown(const Scene& scene, const std::vector<LayerCounts>& counts, const DisplayOptions& display,
                    const Visit& visit) {
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers) {
            if (!display.shows(layer.id, layer.shown) || layer.empty()) continue;
            const auto of_it = [&](const LayerCounts& one) { return one.view == i && one.layer == layer.id; };
            const auto known = std::find_if(counts.begin(), counts.end(), of_it);
            if (known != counts.end()) visit(layer, *known);
        }
}

}  // namespace

std::string vertices_title(const Scene& scene) {
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            if (std::holds_alternative<DiscsLayer>(layer.shape)) return layer.title;
    return "Points";
}

bool reads_alike(const LegendEntry& one, const LegendEntry& other) {
    return one.element == other.element && one.role == other.role && one.number == other.number &&
           one.name == other.name && one.group == other.group;
}

std::vector<LegendEntry> legend_of(const Scene& scene) {
    std::vector<LegendEntry> all;
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (LegendEntry& entry : scene.view(i).legend())
            if (std::find(all.begin(), all.end(), entry) == all.end()) all.push_back(std::move(entry));
    return all;
}

std::vector<LayerCounts> count_legend(const Scene& scene, const DisplayOptions* display) {
    std::vector<LayerCounts> counts;
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            if (scene.view(i).linked && !layer.empty() &&
                (!display || display->shows(layer.id, layer.shown) ||
                 std::holds_alternative<LatticeLayer>(layer.shape)))
                counts.push_back(count(layer, i));
    return counts;
}

std::vector<uint64_t> legend_counts(const Scene& scene, const std::vector<LayerCounts>& counts,
                                    const DisplayOptions& display) {
    const std::vector<LegendEntry> all = legend_of(scene);
    std::vector<uint64_t> found(all.size());
    for_each_shown(scene, counts, display, [&](const Layer& layer, const LayerCounts& known) {
        for (const LegendEntry& entry : layer.legend) {
            const auto is_it = [&](const auto& counted) { return counted.first == entry; };
            const auto counted = std::find_if(known.entries.begin(), known.entries.end(), is_it);
            const uint64_t count = counted == known.entries.end() ? 1 : counted->second;
            const auto at = std::find_if(all.begin(), all.end(), [&](const LegendEntry& other) {
                return other == entry || (!entry.name.empty() && reads_alike(other, entry));
            });
            if (at != all.end()) found[size_t(at - all.begin())] += count;
        }
    });
    return found;
}

std::vector<LegendEntry> occurring_entries(const Scene& scene, const std::vector<LayerCounts>& counts,
                                           const DisplayOptions& display) {
    std::vector<uint64_t> found = legend_counts(scene, counts, display);
    const std::vector<LegendEntry> legend = legend_of(scene);
    for (size_t i = legend.size(); i-- > 1;)
        if (legend[i].name.empty()) found[i - 1] += found[i];  // which may be a shade as well
    std::vector<LegendEntry> entries;
    for (size_t i = 0; i < legend.size(); ++i) {
        const auto same = [&](const LegendEntry& other) { return reads_alike(legend[i], other); };
        if (found[i] > 0 && !legend[i].name.empty() && std::none_of(entries.begin(), entries.end(), same))
            entries.push_back(legend[i]);
    }
    bool has_obstacles = false;
    for_each_shown(scene, counts, display, [&](const Layer& layer, const LayerCounts& known) {
        const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
        has_obstacles |= lattice && (lattice->colours || lattice->field) &&
                         std::any_of(counts.begin(), counts.end(), [&](const LayerCounts& one) {
                             return one.view == known.view && one.obstacles > 0;
                         });
    });
    if (has_obstacles && std::none_of(legend.begin(), legend.end(), is_obstacle))
        entries.push_back({Element::kPixel, 0, Role::kObstacle, "obstacle", "A pixel without a cell"});
    for (LegendEntry& entry : shown_categories(display, scene)) entries.push_back(std::move(entry));
    return entries;
}

std::vector<LegendGroup> legend_groups(const std::vector<LegendEntry>& entries, const std::string& vertices) {
    std::vector<LegendGroup> groups;
    for (const LegendEntry& entry : entries) {
        if (entry.group.empty()) continue;
        if (groups.empty() || groups.back().title != entry.group) groups.push_back({entry.group, {}});
        groups.back().entries.push_back(entry);
    }
    const std::pair<Element, std::string> kinds[] = {{Element::kVertex, vertices},
                                                     {Element::kEdge, "Edges"},
                                                     {Element::kTriangle, "Triangles"},
                                                     {Element::kPixel, "Pixels"}};
    for (const auto& [element, title] : kinds) {
        LegendGroup group{title, {}};
        for (const LegendEntry& entry : entries)
            if (entry.element == element && entry.group.empty()) group.entries.push_back(entry);
        if (!group.entries.empty()) groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace flipscope::app
