// Reading what another program recorded: its steps as JSON lines, as NumPy's .npz, or as a folder of numbered files.
// read_geometry() comes here for such files, the program for such folders. Whether the triangles of a step fit together
// is not looked at: the lab that shows them judges that.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "io/points.h"

namespace flipscope {

/// What read_recording() understands, for lists and file dialogs.
const std::vector<FormatInfo>& recording_formats();

bool is_recording_file(const std::filesystem::path& path);
/// Whether the folder has meshes, or .npy arrays that are called triangles, in it.
bool is_recording_folder(const std::filesystem::path& path);

/// Geometry::recording with all steps, and the points and triangles of the last one as those of the geometry. What is
/// not used is said in `notes`, one sentence each, when given.
///
/// .jsonl, .ndjson: a step in each line that is not empty, an object with "points" ([[x, y], …]), "triangles"
/// ([[a, b, c], …], indices of points from 0), "marks" ({"vertices": […], "edges": [[a, b], …], "triangles": […]}) and
/// "caption". Points and triangles that are left out are those of the step before. Coordinates may be strings with
/// hexadecimal numbers, "0x1.8p+1".
///
/// .npz: arrays points_N (n, 2), triangles_N (t, 3), marked_vertices_N (m), marked_edges_N (m, 2) and
/// marked_triangles_N (m) for the step of number N, and captions (s), a text for each of the s steps in order; a step
/// is there when any array of its number is. Points and triangles that are left out are those of the step before,
/// before the first those of the arrays "points" and "triangles". Where all steps have the same points, other arrays of
/// a number for each of them are attributes.
///
/// A folder: such arrays as .npy files; or else a mesh file for each step, in the order of the numbers in their names.
///
/// Throws Error: "mine.jsonl:17: /triangles/3: names point 9, and there are 8, counted from 0", "mine.npz: points_3:
/// expected shape (n, 2), found (8, 3)"; also where there is no step, or no point in any of them.
Geometry read_recording(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr);

}  // namespace flipscope
