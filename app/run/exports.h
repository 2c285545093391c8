// What `--export` writes, by the name of the file: a mesh, what the lab found ("differences.csv"), one of its arrays
// ("links.npy", "links.csv"), a table of its points, edges, triangles or cells ("points.csv"), or its points over time
// (".xyz"). What a lab cannot give is refused before it runs. docs/outputs.md lists all of them.
#pragma once

#include <string>

#include "instruments/scene_statistics.h"
#include "lab/lab.h"

namespace flipscope::app {

/// The array that a file's name asks for: the stem, or else what follows one of its hyphens ("run7-colours.npy" asks
/// for "colours"). Empty: the lab lists none of such a name.
std::string array_of_file(const std::string& file, const Lab& algorithm);

/// Which of the lab's own tables (TableExporter) the file asks for; empty: none.
std::string lab_table_of_file(const std::string& file, const Lab& algorithm);

/// Which table of the run itself the file asks for, where the lab has none of that name: what its check found wrong
/// ("failures"), its numbers ("results"), its distributions and curves ("statistics"), the elements that were
/// inspected ("inspected"), or the points that are selected ("selection"); the name of the file, or what follows one of
/// its hyphens. Empty: none of these.
std::string run_table_of_file(const std::string& file, const Lab& algorithm);
inline bool means_failures(const std::string& file, const Lab& algorithm) {
    return run_table_of_file(file, algorithm) == "failures";
}
inline bool means_inspected(const std::string& file, const Lab& algorithm) {
    return run_table_of_file(file, algorithm) == "inspected";
}

inline bool means_selection(const std::string& file, const Lab& algorithm) {
    return run_table_of_file(file, algorithm) == "selection";
}
/// The same where the lab is not known yet, and may have an array of this name.
bool can_mean_selection(const std::string& file);
/// x and y, of a surface z, the attributes and the names, if there are any, under a header: a file of points.
std::string points_csv(const Geometry& set);
/// x and y, of a surface z, a line for each point, with all digits.
std::string points_xy(const Geometry& set);
/// Whether the file is one of points_xy().
bool means_points_xy(const std::string& file);
/// Whether the file asks for the table of points, "points.csv": points_csv() stands in where nothing is measured.
bool means_points_csv(const std::string& file);

/// Whether the file asks for what the statistics of what the lab shows have: "statistics.csv", a table of elements
/// ("points.csv", "cells.geojson"), or a quantity of elements that the lab has no array for, "cell-area.npy".
/// `columns`: attribute_ids() of the input, which can be asked for, too.
bool means_statistics(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns = {});
/// Whether that takes more than measures of elements: curves such as g(r), which take long.
bool means_curves(const std::string& file, const Lab& algorithm);

/// Where a file was asked for: a refusal speaks of what is at hand there.
enum class Caller { kCommandLine, kWindow };

/// Throws Error, with what there is instead, when the lab has nothing of the kind; the lab need not have run.
void check_export(const std::string& file, const Lab& algorithm, bool records_later = false,
                  const std::vector<std::string>& columns = {}, Caller in = Caller::kCommandLine);

/// Writes it, complete or not at all; not failures, which the caller has. `statistics`: of what the lab shows, where
/// means_statistics(). `input`: what the lab was started on, or nullptr: its unit names lengths, and where its y goes
/// down that of meshes does. Throws Error when it cannot be written.
void write_export(const std::string& file, const Lab& algorithm, const SceneStatistics* statistics = nullptr,
                  Caller in = Caller::kCommandLine, const Geometry* input = nullptr);

/// Every extension that --export takes for one lab or another, without repetition.
std::vector<std::string> export_extensions();

}  // namespace flipscope::app
