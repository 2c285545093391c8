// Writes `--export` files, chosen by file name: a mesh, the detections ("differences.csv"), an array ("links.npy",
// "links.csv"), a table of points, edges, triangles or cells ("points.csv"), or points over time (".xyz"). Exports that
// a lab cannot provide are refused before it runs. docs/outputs.md lists them all.
#pragma once

#include <string>

#include "instruments/scene_statistics.h"
#include "lab/lab.h"

namespace flipscope::app {

/// The array named by the file: by its stem, or the part after one of its hyphens ("run7-colours.npy" names "colours").
/// Empty: the lab has no such array.
std::string array_of_file(const std::string& file, const Lab& algorithm);

/// The lab's own table (TableExporter) named by the file; empty: none.
std::string lab_table_of_file(const std::string& file, const Lab& algorithm);

/// The table of the run named by the file, by its stem or the part after a hyphen, if the lab has no table of that
/// name: check failures ("failures"), "results", "statistics", inspected elements ("inspected") or selected points
/// ("selection"). Empty: none.
std::string run_table_of_file(const std::string& file, const Lab& algorithm);
/// Whether it may be "selection" for an unknown lab, which may have an array of this name.
bool can_mean_selection(const std::string& file);
/// Whether a file describes what pictures show: "scenario.json", or a Python script.
bool means_view(const std::string& file);
/// x, y, on a surface z, attributes and names under a header: a file of points.
std::string points_csv(const Geometry& set);
/// x, y and on a surface z, a line per point, with all digits.
std::string points_xy(const Geometry& set);
/// Whether the file holds points_xy().
bool means_points_xy(const std::string& file);
/// Whether the file names the table of points, "points.csv": points_csv() if nothing is measured.
bool means_points_csv(const std::string& file);

/// Whether the file needs statistics of the scene: "statistics.csv", a table of elements ("points.csv",
/// "cells.geojson"), or a quantity for which the lab has no array, "cell-area.npy". `columns`: attribute_ids() of the
/// input, also accepted.
bool means_statistics(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns = {});
/// Whether it also needs slow curves such as g(r).
bool means_curves(const std::string& file, const Lab& algorithm);

/// The origin of an export request, for the wording of errors.
enum class Caller { kCommandLine, kWindow };

/// Throws Error, listing the available exports, if the lab has no such export; the lab need not have run.
void check_export(const std::string& file, const Lab& algorithm, bool records_later = false,
                  const std::vector<std::string>& columns = {}, Caller in = Caller::kCommandLine);

/// Writes the file completely or not at all; failures are written by the caller. `statistics`: of the scene, for
/// means_statistics(). `input`: the lab's input, or nullptr: its unit names lengths, and meshes share its y direction.
/// Throws Error if writing fails.
void write_export(const std::string& file, const Lab& algorithm, const SceneStatistics* statistics = nullptr,
                  Caller in = Caller::kCommandLine, const Geometry* input = nullptr);

/// Whether the file is a page for a browser (page.h), which shows all steps: the caller makes it.
bool means_page(const std::string& file);

/// Every extension that --export accepts for some lab, each once.
std::vector<std::string> export_extensions();

}  // namespace flipscope::app
