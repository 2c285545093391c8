// Which of a scene's legend entries there is anything to see of: a picture's legend lists these and no others. Knows no
// lab and no way of drawing.
#pragma once

#include <cstdint>
#include <string>
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
/// The same of the layers that `look` shows, with the categories that colour them.
std::vector<LegendEntry> shown_legend_of(const Scene& scene, const DisplayOptions& display);

/// How many elements each entry of the legend decides in this state, of those that `look` shows, in all
/// views of the scene; in the order of legend_of(). What is drawn without a state word counts as well: lost hull edges,
/// helpers, obstacles of a lattice. Waits for the device; call it with the lease.
std::vector<uint64_t> legend_counts(const Scene& scene, const DisplayOptions& display = {});

/// Entries with such elements, in the legend's order: shades (entries without a name) count for the entry before them,
/// and entries that look and read the same are listed once. Obstacles of the lattice are listed where there are any,
/// though no state word tells of them; and the categories that colour layers. Waits for the device; call it with the
/// lease.
std::vector<LegendEntry> occurring_entries(const Scene& scene, const DisplayOptions& display = {});

/// Entries under one heading: the column of categories, or what kind of element they are of.
struct LegendGroup {
    std::string title;
    std::vector<LegendEntry> entries;
};
/// Categories first. `vertices`: as vertices_title().
std::vector<LegendGroup> legend_groups(const std::vector<LegendEntry>& entries, const std::string& vertices);

/// How obstacles of a lattice are explained where the scene's legend does not.
LegendEntry obstacle_entry();

}  // namespace flipscope::app
