#include "app/legend.h"

#include <algorithm>

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
        const size_t plain = first([](const LegendEntry& entry) { return entry.bit == 0 && !is_obstacle(entry); });
        for (size_t word = 0; word < counts_.size(); ++word) {
            if (counts_[word] == 0) continue;
            size_t i = first([&](const LegendEntry& entry) { return (entry.bit & word) != 0; });
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

/// Of one scene alone.
void count(const Scene& scene, const Look& look, const std::vector<LegendEntry>& legend, std::vector<uint64_t>& found) {
    Words vertices, edges, triangles, sites;
    if (scene.mesh && scene.mesh->vertex_count > 1) {
        const TriangleMesh& mesh = *scene.mesh;
        const uint32_t finite = mesh.vertex_count - 1;
        if (look.points) vertices.add(mesh.vertex_states, std::min(scene.point_count, finite));
        if (look.points && scene.helper_begin < finite) vertices.add(kStateHelper, finite - scene.helper_begin);
        if (look.edges) edges.add(mesh.edge_states, mesh.edge_count);
        if (look.fills && !look.angles) triangles.add(mesh.triangle_states, mesh.triangle_count);
    }
    edges.add(kStateMissing, scene.missing.size() / 2);
    for (const TriangleMesh* mesh : scene.over)
        if (mesh && look.over) edges.add(mesh->edge_states, mesh->edge_count);
    if (look.marks && scene.lattice && scene.lattice.states)
        sites.add(*scene.lattice.states, size_t(scene.lattice.width) * scene.lattice.height);
    vertices.share_out(legend, Element::kVertex, found);
    edges.share_out(legend, Element::kEdge, found);
    triangles.share_out(legend, Element::kTriangle, found);
    sites.share_out(legend, Element::kSite, found);
    const uint64_t obstacles = look.cells || look.field ? obstacle_count(scene.lattice) : 0;
    for (size_t i = 0; i < legend.size(); ++i)
        if (is_obstacle(legend[i])) found[i] += obstacles;
}

}  // namespace

std::vector<uint64_t> legend_counts(const Scene& scene, const Look& look) {
    std::vector<uint64_t> found(scene.legend.size());
    count(scene, look, scene.legend, found);
    for (const Scene& other : scene.beside) count(other, look, scene.legend, found);
    return found;
}

LegendEntry obstacle_entry() { return {Element::kSite, 0, Role::kObstacle, "obstacle", "A site without a cell"}; }

std::vector<LegendEntry> occurring_entries(const Scene& scene, const Look& look) {
    std::vector<uint64_t> counts = legend_counts(scene, look);
    const std::vector<LegendEntry>& legend = scene.legend;
    for (size_t i = legend.size(); i-- > 1;)
        if (legend[i].name.empty()) counts[i - 1] += counts[i];  // which may be a shade as well
    std::vector<LegendEntry> entries;
    for (size_t i = 0; i < legend.size(); ++i) {
        const LegendEntry& entry = legend[i];
        const auto same = [&](const LegendEntry& other) {
            return other.element == entry.element && other.role == entry.role && other.name == entry.name;
        };
        if (counts[i] > 0 && !entry.name.empty() && std::none_of(entries.begin(), entries.end(), same))
            entries.push_back(entry);
    }
    if ((look.cells || look.field) && std::none_of(legend.begin(), legend.end(), is_obstacle)) {
        bool any = obstacle_count(scene.lattice) > 0;
        for (const Scene& other : scene.beside) any = any || obstacle_count(other.lattice) > 0;
        if (any) entries.push_back(obstacle_entry());
    }
    return entries;
}

}  // namespace flipscope::app
