// Assembles the input of a lab: points or a mesh, a field, tracks; from files, generators and the present input.
// Decides which parts a lab accepts, and reports everything it drops.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "io/read_options.h"
#include "lab/lab.h"

namespace flipscope {
struct TableLayout;  // io/table.h
}

namespace flipscope::app {

/// Reads any input: points, a mesh, tracks, a field, a recording, an image, a folder of frames or recorded steps.
/// `layout` as in read_geometry(). Throws Error as read_geometry(), read_recording_folder() and read_any_field() do.
Geometry read_input(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                    const ReadOptions& options = {}, TableLayout* layout = nullptr);

/// Adds triangles of another file. They name points by rows of the point file; a row that was skipped is no point.
void set_triangles(Geometry& points, std::vector<std::array<uint32_t, 3>> triangles);

/// The number of rows in the point file, including skipped ones.
size_t row_count(const Geometry& points);

/// The default lab for an input: for a recording one that accepts recordings, for frames over time and for labels of
/// cells one that accepts frames, for an image one that accepts fields, for triangles one that starts from them, for a
/// surface one that accepts surfaces; otherwise the first lab.
std::string lab_for(const Geometry& input);

/// The parts of the input that this lab ignores, a sentence each: "logo.png: the Build lab takes no fields and leaves
/// it out".
std::vector<std::string> left_out(const LabInfo& info, const Geometry& input);

/// The device for a lab: CPU threads if no device was chosen and the lab supports no other.
DeviceRequest device_for(const LabInfo& info, DeviceRequest preferred);

/// Whether the lab requires points and the input has none.
bool lacks_points(const LabInfo& info, const Geometry& input);

/// Throws Error if the lab cannot start on this input and has no substitute: a field or tracks without points, for a
/// lab of points only.
void require_fit(const LabInfo& info, const Geometry& input);

/// Adds to `fresh` the missing parts of `before`, if the lab accepts both: a field to points, points to a field. Inputs
/// over time stand alone.
std::shared_ptr<const Geometry> joined(const LabInfo& info, const std::shared_ptr<const Geometry>& before,
                                       Geometry fresh);

/// Adds the lab's example points if it lacks_points() and the input has only frames or nothing; a note says so.
std::shared_ptr<const Geometry> completed(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                          std::vector<std::string>& notes);

/// completed(); a lab of the plane gets x and y of a surface's vertices with a column "z". Notes report ignored parts.
std::shared_ptr<const Geometry> fitted(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                       std::vector<std::string>& notes);

/// "logo.png, 256 × 256", "foam.npy, 12 frames of 96 × 64", "tracks.csv, 20 frames", "mine.jsonl, 40 steps"; empty: no
/// frames.
std::string frames_text(const Geometry& input);

}  // namespace flipscope::app
