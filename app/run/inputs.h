// What a lab is started on, put together: points or a mesh, a field, tracks; from files, generators and what is loaded
// already. Says which of it a lab can take, and never drops anything without a sentence.
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

/// Whatever the file is: points, a mesh, tracks, a field, a recording; an image, a folder of frames or of a recording's
/// steps too. `layout` as in read_geometry(). Throws Error as that, read_recording() and read_any_field() do.
Geometry read_input(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                    const ReadOptions& options = {}, TableLayout* layout = nullptr);

/// Triangles of another file, which name points by their rows in the file of the points: rows that were left out there
/// are no points.
void set_triangles(Geometry& points, std::vector<std::array<uint32_t, 3>> triangles);

/// How many rows the file of the points had, with those that were left out.
size_t row_count(const Geometry& points);

/// The lab for such an input where none is named: for a recording one that takes it, for frames over time and for
/// labels of cells one that takes frames, for a picture one that takes fields, for triangles one that starts from them,
/// for a surface one that takes surfaces; else the first of all.
std::string lab_for(const Geometry& input);

/// What this lab leaves out of the input, a sentence each: "logo.png: the Build lab takes no fields and leaves it out".
std::vector<std::string> left_out(const LabInfo& info, const Geometry& input);

/// Where such a lab runs when that is wished: on CPU threads where no device was chosen and it knows no other.
DeviceRequest device_for(const LabInfo& info, DeviceRequest preferred);

/// Whether the lab must be given points, and the input has none.
bool lacks_points(const LabInfo& info, const Geometry& input);

/// Throws Error where the lab cannot start on this input and nothing can be put in its place: a field or tracks, and no
/// points, for a lab that takes points only.
void require_fit(const LabInfo& info, const Geometry& input);

/// `fresh`, with what it does not have itself taken from what was there before, where the lab takes both: a field comes
/// to the points, points come to the field. Moments over time stand alone.
std::shared_ptr<const Geometry> joined(const LabInfo& info, const std::shared_ptr<const Geometry>& before,
                                       Geometry fresh);

/// With the lab's example points where it lacks_points() and its input has frames alone, or nothing at all; a sentence
/// in `notes` says so.
std::shared_ptr<const Geometry> completed(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                          std::vector<std::string>& notes);

/// completed(), of a surface for a lab of the plane x and y of its vertices with a column "z"; what the lab leaves out
/// of that is said in the notes.
std::shared_ptr<const Geometry> fitted(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                       std::vector<std::string>& notes);

/// "logo.png, 256 × 256", "foam.npy, 12 frames of 96 × 64", "tracks.csv, 20 frames", "mine.jsonl, 40 steps"; empty:
/// none of these.
std::string frames_text(const Geometry& input);

}  // namespace flipscope::app
