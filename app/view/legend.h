// Which of a scene's legend entries there is anything to see of: a picture's legend lists these and no others. Knows no
// lab and no way of drawing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/view/camera.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What a legend calls vertices: discs have the title of their layer, others are points.
std::string vertices_title(const Scene& scene);
/// Whether two entries look and read the same in a legend, whatever state words they are of.
bool reads_alike(const LegendEntry& one, const LegendEntry& other);
/// The entries of all views, each once.
std::vector<LegendEntry> legend_of(const Scene& scene);

/// How many elements each entry of a layer's legend decides in one state.
struct LayerCounts {
    size_t view = 0;
    std::string layer;
    std::vector<std::pair<LegendEntry, uint64_t>> entries;
    uint64_t obstacles = 0;  // pixels without a cell
};
/// Of all layers, hidden ones too. What is drawn without a state word counts as well: lost hull edges, helpers,
/// obstacles of a lattice. Waits for the device; call it with the lease.
std::vector<LayerCounts> count_legend(const Scene& scene);

/// The sum over the layers that `display` shows, in the order of legend_of(). Entries that a counted layer did not have
/// then count as one.
std::vector<uint64_t> legend_counts(const Scene& scene, const std::vector<LayerCounts>& counts,
                                    const DisplayOptions& display = {});

/// Entries with such elements, in the legend's order: shades (entries without a name) count for the entry before them,
/// and entries that look and read the same are listed once. Also obstacles of a lattice, though no state word marks
/// them, and the categories that colour layers.
std::vector<LegendEntry> occurring_entries(const Scene& scene, const std::vector<LayerCounts>& counts,
                                           const DisplayOptions& display = {});

/// Entries under one heading: the column of categories, or what kind of element they are of.
struct LegendGroup {
    std::string title;
    std::vector<LegendEntry> entries;
};
/// Categories first. `vertices`: as vertices_title().
std::vector<LegendGroup> legend_groups(const std::vector<LegendEntry>& entries, const std::string& vertices);

}  // namespace flipscope::app
