#include "app/view/legend.h"

#include <algorithm>
#include <utility>

#include "app/view/display.h"
#include "voronoi/lattice.h"

namespace flipscope::app {

namespace {

using Element = LegendEntry::Element;

bool is_obstacle(const LegendEntry& entry) { return entry.role == Role::kObstacle; }

/// For each state word that occurs, how often.
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
    /// Adds to `found` what each entry for such elements decides: the first that matches a word. An entry without a bit
    /// is for what none matches.
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

/// Adds what a layer shows to the counts of all entries.
void count(const Layer& layer, const std::vector<LegendEntry>& all, std::vector<uint64_t>& found) {
    Words words;
    uint64_t helpers = 0, alike = 0;
    const auto take = [&](const Buffer<State>* states, uint32_t elements) {
        if (states)
            words.add(*states, elements);
        else if (layer.role != Role::kPlain)
            alike = elements;
    };
    if (const auto* points = std::get_if<PointsLayer>(&layer.shape)) {
        take(points->states, points->count);
        if (points->helper_begin < points->helper_end) helpers = points->helper_end - points->helper_begin;
    } else if (const auto* discs = std::get_if<DiscsLayer>(&layer.shape)) {
        take(discs->states, discs->count);
    } else if (const auto* segments = std::get_if<SegmentsLayer>(&layer.shape)) {
        take(segments->states, segments->segment_count());
    } else if (const auto* lines = std::get_if<PolylinesLayer>(&layer.shape)) {
        take(lines->states, lines->count);
    } else if (const auto* triangles = std::get_if<TrianglesLayer>(&layer.shape)) {
        take(triangles->states, triangles->count);  // seen over the colours of angles, too
    } else if (const auto* lattice = std::get_if<LatticeLayer>(&layer.shape)) {
        if (lattice->states) words.add(*lattice->states, size_t(lattice->width) * lattice->height);
        alike = obstacle_count(*lattice);
    }
    std::vector<uint64_t> own(layer.legend.size());
    if (!layer.scalars) words.share_out(layer.legend, layer.element(), own);
    const Role role = std::holds_alternative<LatticeLayer>(layer.shape) ? Role::kObstacle : layer.role;
    for (size_t i = 0; i < own.size(); ++i) {
        if (layer.legend[i].role == Role::kHelper) own[i] += helpers;
        if (layer.legend[i].role == role) own[i] += alike;
        const auto same = std::find(all.begin(), all.end(), layer.legend[i]);
        if (same != all.end()) found[size_t(same - all.begin())] += own[i];
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

std::vector<LegendEntry> shown_legend_of(const Scene& scene, const DisplayOptions& display) {
    std::vector<LegendEntry> all;
    for (size_t i = 0; i < scene.view_count(); ++i) {
        SceneView shown = scene.view(i);
        const auto states_of = [](const Layer& layer) {
            const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
            return lattice ? lattice->states : nullptr;
        };
        const bool marks = std::any_of(shown.layers.begin(), shown.layers.end(), states_of);
        std::erase_if(shown.layers, [&](const Layer& layer) { return !display.shows(layer.id, layer.shown); });
        // Tints of a lattice lie below its marks, which another layer draws.
        for (Layer& layer : shown.layers)
            if (marks && std::holds_alternative<LatticeLayer>(layer.shape) && !states_of(layer))
                std::erase_if(layer.legend, [](const LegendEntry& entry) { return !is_obstacle(entry); });
        for (LegendEntry& entry : shown.legend())
            if (std::find(all.begin(), all.end(), entry) == all.end()) all.push_back(std::move(entry));
    }
    for (LegendEntry& entry : shown_categories(display, scene)) all.push_back(std::move(entry));
    return all;
}

std::vector<uint64_t> legend_counts(const Scene& scene, const DisplayOptions& display) {
    const std::vector<LegendEntry> all = legend_of(scene);
    std::vector<uint64_t> found(all.size());
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            if (display.shows(layer.id, layer.shown) && !layer.empty()) count(layer, all, found);
    return found;
}

LegendEntry obstacle_entry() { return {Element::kPixel, 0, Role::kObstacle, "obstacle", "A pixel without a cell"}; }

std::vector<LegendEntry> occurring_entries(const Scene& scene, const DisplayOptions& display) {
    std::vector<uint64_t> counts = legend_counts(scene, display);
    const std::vector<LegendEntry> legend = legend_of(scene);
    for (size_t i = legend.size(); i-- > 1;)
        if (legend[i].name.empty()) counts[i - 1] += counts[i];  // which may be a shade as well
    std::vector<LegendEntry> entries;
    for (size_t i = 0; i < legend.size(); ++i) {
        const LegendEntry& entry = legend[i];
        const auto same = [&](const LegendEntry& other) { return reads_alike(entry, other); };
        if (counts[i] > 0 && !entry.name.empty() && std::none_of(entries.begin(), entries.end(), same))
            entries.push_back(entry);
    }
    if (std::none_of(legend.begin(), legend.end(), is_obstacle)) {
        bool any = false;
        for (size_t i = 0; i < scene.view_count(); ++i) {
            bool shown = false;  // cells or numbers of the lattice, which leave obstacles out
            for (const Layer& layer : scene.view(i).layers)
                if (const auto* lattice = std::get_if<LatticeLayer>(&layer.shape))
                    shown |= (lattice->colours || lattice->field) && display.shows(layer.id, layer.shown);
            any = any || (shown && obstacle_count(scene.view(i).lattice()) > 0);
        }
        if (any) entries.push_back(obstacle_entry());
    }
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
