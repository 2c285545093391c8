// The legend entries that have visible elements: a picture's legend lists exactly these. Independent of labs and
// drawing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/view/camera.h"
#include "lab/lab.h"

namespace flipscope::app {

/// The legend's heading for vertices: the layer's title for discs, otherwise points.
std::string vertices_title(const Scene& scene);
/// Whether two entries have the same appearance and text, for any state words.
bool reads_alike(const LegendEntry& one, const LegendEntry& other);
/// The entries of all views, without duplicates.
std::vector<LegendEntry> legend_of(const Scene& scene);

/// How many elements each entry of a layer's legend decides in one state.
struct LayerCounts {
    size_t view = 0;
    std::string layer;
    std::vector<std::pair<LegendEntry, uint64_t>> entries;
    uint64_t obstacles = 0;  // pixels without a cell
};
/// Of the layers that `display` shows and of lattices, whose obstacles count for all of a view; without `display` also
/// of hidden ones. What is drawn without a state word counts as well: lost hull edges, helpers, obstacles of a lattice.
/// Waits for the device; call it with the lease.
std::vector<LayerCounts> count_legend(const Scene& scene, const DisplayOptions* display = nullptr);

/// The sum over the layers that `display` shows, in the order of legend_of(). Entries that a counted layer did not have
/// then count as one.
std::vector<uint64_t> legend_counts(const Scene& scene, const std::vector<LayerCounts>& counts,
                                    const DisplayOptions& display = {});

/// Entries with such elements, in the legend's order: shades (entries without a name) count for the entry before them,
/// and entries that look and read the same are listed once. Also obstacles of a lattice, though no state word marks
/// them, and the categories that colour layers.
std::vector<LegendEntry> occurring_entries(const Scene& scene, const std::vector<LayerCounts>& counts,
                                           const DisplayOptions& display = {});

/// Entries under one heading: a column of categories, or a kind of element.
struct LegendGroup {
    std::string title;
    std::vector<LegendEntry> entries;
};
/// Categories first. `vertices`: as vertices_title().
std::vector<LegendGroup> legend_groups(const std::vector<LegendEntry>& entries, const std::string& vertices);

}  // namespace flipscope::app
