// Reads recordings of other programs: steps as JSON lines, as NumPy's .npz, or as a folder of numbered files. The list
// of formats calls it for files, the program for folders. Does not validate the triangles: the Recording lab judges
// them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "io/points.h"

namespace flipscope {

/// The formats of recordings in one file, for lists and file dialogs.
const std::vector<FormatInfo>& recording_formats();

/// Geometry::recording has all steps; the points and triangles are those of the last one. `notes`, if given, receives a
/// sentence on each unused part.
///
/// .jsonl, .ndjson: one step per nonempty line, an object with "points" ([[x, y], …]), "triangles" ([[a, b, c], …],
/// indices of points from 0), "marks" ({"vertices": […], "edges": [[a, b], …], "triangles": […]}) and "caption".
/// Omitted points and triangles are those of the step before. Coordinates may be strings with hexadecimal numbers,
/// "0x1.8p+1".
///
/// .npz: arrays points_N (n, 2), triangles_N (t, 3), marked_vertices_N (m), marked_edges_N (m, 2) and
/// marked_triangles_N (m) for the step with number N, and captions (s), a text for each of the s steps in order; any
/// array of its number defines a step. Omitted points and triangles are those of the step before, or of the arrays
/// "points" and "triangles" before the first step. If all steps have the same points, other arrays with one number per
/// point are attributes.
///
/// A folder: such arrays as .npy files; or one mesh file per step, in the order of the numbers in their names. nullopt:
/// it contains neither meshes nor arrays of triangles.
///
/// Throws Error: "mine.jsonl:17: /triangles/3: names point 9, and there are 8, counted from 0", "mine.npz: points_3:
/// expected shape (n, 2), found (8, 3)"; also without a step, or without any point.
std::optional<Geometry> read_recording_folder(const std::filesystem::path& folder,
                                              std::vector<std::string>* notes = nullptr);

namespace io {
class NpzFile;
struct InputFile;

/// The same of JSON lines.
Geometry read_recording(const InputFile& file);
/// The same of an archive. Throws Error.
Geometry read_recording(const InputFile& file, const NpzFile& archive);
/// Whether an archive is a recording: it has an array such as "points_3" or "captions". Unnumbered points and triangles
/// are a triangulation.
bool has_recorded_steps(const NpzFile& archive);
}  // namespace io

}  // namespace flipscope
